"""How people announce, deny and take back an answer, in the languages that replies come in: lists for `any_of`."""

ANSWER = (
    "answer|answers|ans|antwort|lösung|réponse|reponse|respuesta|resposta|risposta|antwoord|svar|svaret|vastaus|"
    "odpowiedź|odpowiedź to|odpověď|odpoveď|răspuns|răspunsul|válasz|cevap|yanıt|jawaban|đáp án|ответ|відповідь|"
    "отговор|одговор|απάντηση|答案|回答|答え|答|正解|故选|应选|應選|应该选|应该选择|我选|我選|我选择|我選擇|정답|답|"
    "คำตอบ|उत्तर|الإجابة|الجواب|תשובה"
)
"""Nouns that announce an answer by themselves."""

CHOICE = (
    "option|choice|letter|label|alternative|wahl|auswahl|buchstabe|möglichkeit|opción|opcion|letra|alternativa|opção|"
    "opcao|opzione|lettera|scelta|lettre|choix|proposition|optie|keuze|alternativet|opcja|opcję|wariant|вариант|"
    "варіант|буква|букву|буквой|seçenek|şık|选项|選項|選択肢|선택지|보기"
)
"""Nouns that introduce a label."""

OPTION = (
    "option|choice|alternative|possibility|answer choice|answer option|möglichkeit|antwortmöglichkeit|variante|choix|"
    "proposition|opción|opcion|alternativa|opzione|scelta|opção|opcao|escolha|optie|keuze|alternativet|opcja|вариант|"
    "选项|選項|项|項|選択肢|선택지|보기"
)
"""Nouns that an option is called by, to name it by its place."""

RESULT = (
    "solution|conclusion|prediction|response|result|output|verdict|decision|selection|pick|guess|category|class|"
    "label|classification|sentiment|total|sum|ergebnis|résultat|resultado|risultato|solución|soluzione|solução|"
    "результат|решение|结论|结果|結果|결과|option|choice|opción|opção|opzione|choix|wahl|optie|вариант|选项|選項"
)
"""Nouns that announce an answer where a colon or a copula follows."""

BEST = (
    "correct|right|best|final|only possible|most likely|most appropriate|most accurate|most plausible|most suitable|"
    "richtige|richtig|korrekte|korrekt|beste|bonne|juste|correcte|correcta|correcto|correto|correta|mejor|giusta|"
    "corretta|migliore|melhor|juiste|goede|rätt|rätta|poprawna|prawidłowa|правильный|верный|верно|правильна|doğru|"
    "正确的|正確的|正确|正確|最终|最終|最佳|正しい|올바른|맞는|최종|ที่ถูกต้อง|ถูกต้อง"
)
"""Adjectives that make an announcement of a noun."""

COPULA = (
    "is|are|was|be|would be|should be|must be|has to be|will be|could only be|can only be|seems to be|appears to be|"
    "becomes|equals|remains|ist|wäre|lautet|muss|est|serait|es|sería|seria|é|è|sarebbe|är|er|jest|este|là|adalah|"
    "ialah|είναι|это|есть|คือ|'s|是|为|為|应为|應為|应该是|就是|は|が|은|는|이|가|है|هي|هو|היא|הוא"
)
"""What stands between an announcement and the answer."""

LINK = (
    "the|that|this|it|it's|that's|therefore|thus|so|hence|then|probably|likely|most|most likely|definitely|clearly|"
    "certainly|obviously|surely|simply|just|still|actually|indeed|again|my|our|here|given as|number|labeled|labelled|"
    "i think|i believe|i am sure|i'm sure|i am certain|i'm certain|i'd say|i would say|i guess|i'm confident|"
    "i am confident|ok|okay|perhaps|maybe|of course|now|statement|in summary|in conclusion|to conclude|overall|"
    "finally|in short|to sum up|consequently|on reflection|on second thought|on second thoughts|by elimination|"
    "by process of elimination|about|approximately|roughly|around|exactly|also|only|die|der|das|den|dem|wohl|"
    "wahrscheinlich|somit|daher|deshalb|ich denke|ich glaube|la|le|les|l'|donc|probablement|je pense|je crois|c'est|"
    "c'est la|c'est le|ce|celle|que|el|los|las|entonces|por lo tanto|probablemente|creo que|il|lo|quindi|dunque|"
    "probabilmente|penso che|credo che|os|portanto|logo|provavelmente|acho que|de|het|dus|dan|waarschijnlijk|ik denk|"
    "det|alltså|jag tror|więc|zatem|prawdopodobnie|myślę że|значит|следовательно|поэтому|думаю|под|因此|所以|故|应该|"
    "應該|应|應|我认为|我認為|我觉得|即|项|可能|大概|也许|よって|したがって|つまり|おそらく|恐らく|たぶん|多分|따라서|"
    "그러므로|아마|아마도|vermutlich|möglicherweise|vielleicht|sans doute|peut-être|quizá|quizás|tal vez|forse|direi|"
    "no doubt|without doubt|without a doubt|undoubtedly|ohne zweifel|zweifellos|sans aucun doute|sin duda|"
    "senza dubbio|sem dúvida|毫无疑问|毫無疑問|penso che sia|credo che sia|creo que sea|talvez|diría|diria|yo diría|"
    "quella|quello"
)
"""Words that may stand between an announcement and the answer, or lead a statement of it."""

CHOOSING = (
    "choose|pick|select|go with|going with|opt for|opting for|settle on|settle for|say|guess|conclude|vote for|"
    "go for|going for|bet on|lean towards|lean toward|answer|answer with|respond with|reply|reply with|chosen|picked|"
    "selected|left with|wähle|nehme|tippe auf|würde auf|setze auf|entscheide|choisis|choisirais|dirais|diría|"
    "diría que|diria|diria que|elijo|elegiría|escojo|scelgo|sceglierei|escolho|escolheria|kies|väljer|wybieram|"
    "выбираю|выберу|seçiyorum|选择|選擇|选|選"
)
"""Verbs by which somebody gives an answer."""

OPENING = "no|oh|well|yes|sure|certainly|sorry|hmm|i|would|guess|think|believe"
"""Words that may begin a sentence that names an answer, and say nothing else."""

LEAVING = (
    "leaving|leaving only|leaving us with|leaves|leaves only|leaves us with|we are left with|bleibt|bleibt nur|reste|"
    "queda|rimane|resta|剩下|只剩|남는|richtig ist|korrekt ist|zutreffend ist|correct is"
)
"""Verbs that give an answer by elimination."""

SUBJECT = "i|we|let's|let us|i'd|i'll|i've|i'm|we'd|we'll|we've|ich|je|yo|io|eu|ik|jag|я|我|私は"
"""Who gives it."""

AUXILIARY = (
    "would|will|am|are|have|shall|should|must|definitely|therefore|thus|confidently|then|going to|now|würde|daher|"
    "zou|skulle|mich für|бы|会|會"
)
"""What may stand between who gives an answer and the verb, and does not weaken it."""

NOT = (
    "least fitting|least suitable|least apt|least applicable|least accurate|least convincing|worst|"
    "am wenigsten passende|le moins approprié|menos adecuada|meno adatta|menos adequada|наименее подходящ*|nothing|"
    "anything|not quite|not exactly|nicht ganz|pas tout à fait|no exactamente|"
    "non proprio|não exatamente|not really|are not|no son|no es|no hay|ne sont pas|non sono|non è|não são|não é|"
    "sind nicht|es sind nicht|ist nicht|nichts|rien|nada|niente|nulla|niets|ingenting|ничего|unlikely|"
    "unlikely to|hardly|scarcely|barely|far from|not the case that|not true that|no evidence that|not|isn't|aren't|"
    "wasn't|can't|cannot|couldn't|wouldn't|won't|don't|doesn't|didn't|never|neither|nor|no longer|rather than|"
    "instead of|other than|except|except for|besides|anything but|everything but|all but|❌|✗|✘|✖|instead|rule out|"
    "rules out|ruled out|ruling out|eliminat*|exclud*|discard*|reject*|dismiss*|cross out|crossed out|crossing out|"
    "avoid*|disregard*|wrong|incorrect|false|incorrectly|wrongly|distractor|ignor*|nicht|kein*|weder|noch|statt|"
    "anstatt|außer|ausgeschlossen|schließ*|falsch|pas|ni|plutôt que|au lieu de|sauf|élimin*|exclu*|jamais|no|tampoco|"
    "nunca|en lugar de|en vez de|salvo|descart*|elimin*|excluy*|non|invece di|tranne|esclu*|não|nem|em vez de|exceto|"
    "niet|geen|inte|nie|ani|zamiast|oprócz|wyklucz*|не|ни|кроме|вместо|исключ*|değil|不是|不选|不選|不|非|并非|並非|"
    "排除|除了|没有|沒有|아닌"
)
"""What denies the option that follows."""

COMPARING = "than|unlike|without|versus|vs|against|over|between"
"""What sets the option that follows beside another."""

DOUBTING = (
    "thought to|believed to|said to|supposed to|claimed to|assumed to|unsure|not sure|could be|might be|may be|can be|"
    "if|whether|unless|suppose|supposing|assum*|imagine|wenn|ob|si|jeśli|если|如果|假如|若|もし"
)
"""What supposes or doubts what follows, an option or a number."""

SUPPOSING = (
    f"{DOUBTING}|lack|lacks|lacking|falsely|pseudo|fälschlich*|"
    "falls|consider*|tempt*|mistak*|confus*|suggest|suggests|suggesting|even|were|se"
)
"""What only supposes or doubts the option that follows."""

ALSO = (
    "could also be|might also be|may also be|can also be|could be|might be|may be|alternatively|"
    "could just as well be|könnte auch|alternativ|pourrait aussi|también podría|potrebbe anche|poderia também|也可能|"
    "もしくは"
)
"""After an answer: another may be right as well."""

IF = "if|wenn|falls|si|se|jeśli|если|如果|假如|若|もし"
"""How a condition begins; a sentence with two of them gives two answers."""

JUDGED_RIGHT = (
    "true|yes|correct|right|applies|richtig|korrekt|wahr|ja|zutreffend|correcte|vrai|vraie|juste|oui|exact|correcto|"
    "correcta|verdadero|verdadera|sí|corretto|corretta|vero|vera|giusto|giusta|correto|verdadeiro|verdadeira|sim|"
    "juist|goed|waar|rätt|prawda|tak|верно|правильно|да|doğru|evet|正确|正確|对|對|是|正解|正しい|はい|○|정답|맞음|예"
)
"""A verdict on one of the options of a list or table: it is right."""

JUDGED_WRONG = (
    "false|no|incorrect|wrong|not correct|not right|not true|does not apply|falsch|inkorrekt|unzutreffend|nein|"
    "nicht richtig|incorrecte|faux|fausse|non|incorrecto|incorrecta|falso|falsa|sbagliato|sbagliata|errato|errata|"
    "errado|errada|incorreto|incorreta|não|onjuist|fout|nee|fel|nej|nieprawda|nie|неверно|неправильно|нет|yanlış|"
    "hayır|错误|錯誤|错|錯|不正确|不正確|否|不正解|誤り|間違い|いいえ|오답|틀림|아니요"
)
"""The same: it is wrong."""

SEEMING = (
    "or so it seems|or so it would seem|or so it appears|at first glance|at first sight|at first|on the surface|"
    "on first reading|on a first reading|auf den ersten blick|zunächst|à première vue|au premier abord|a primera vista|"
    "en apariencia|a prima vista|à primeira vista|op het eerste gezicht|vid första anblicken|na pierwszy rzut oka|"
    "на первый взгляд|ilk bakışta|乍一看|乍看|一見|얼핏"
)
"""After an answer: it only seems to be one."""

REPORTED = (
    "reportedly|allegedly|supposedly|purportedly|angeblich|man sagt|es heißt|manche sagen|einige sagen|viele sagen|"
    "manche meinen|manche behaupten|es wurde behauptet|es wird behauptet|on dit que|on prétend que|"
    "certains disent que|certains pensent que|se dice que|se ha dicho que|algunos dicen que|algunos creen que|"
    "si dice che|alcuni dicono che|alcuni pensano che|diz-se que|alguns dizem que|alguns acham que|"
    "sommigen zeggen dat|vissa säger att|niektórzy mówią że|говорят|некоторые считают|некоторые говорят|有人说|有人說|"
    "有人认为|有人認為|据说|據說"
)
"""Before an answer: it is somebody else's."""

RETRACTING = (
    "wait|sorry|scratch that|oops|correction|hold on|just kidding|kidding|make that|or rather|i doubt it|"
    "i disagree|i don't think so|not really|moment|warte|halt|korrektur|quatsch|entschuldigung|das bezweifle ich|"
    "attends|pardon|désolé|ou plutôt|j'en doute|espera|perdón|perdona|o mejor dicho|lo dudo|aspetta|scusa|anzi|"
    "ne dubito|espera aí|desculpa|ou melhor|duvido|sorry nee|ursäkta|przepraszam|подождите|простите|вернее|точнее|"
    "сомневаюсь|pardon hayır|等等|不对|不對|抱歉|我不同意|待って|いや|잠깐|아니"
)
"""Amid a sentence, after a comma or a dash: what was said before no longer holds."""

CHANGED = (
    "changed to|corrected to|revised to|amended to|edited to|updated to|geändert in|geändert zu|korrigiert zu|"
    "changé en|corrigé en|cambiado a|corregido a|cambiato in|corretto in|mudado para|corrigido para|改为|改為|改成"
)
"""After an answer: another takes its place."""

INSERTED = (
    "however|then|therefore|thus|of course|in my opinion|i think|i believe|jedoch|allerdings|also|daher|donc|cependant|"
    "sin embargo|por tanto|entonces|invece|quindi|tuttavia|porém|portanto|однако"
)
"""Between commas amid an announcement: it changes nothing."""

MISTAKEN = (
    "wrong|incorrect|false|mistaken|invalid|inaccurate|ruled out|eliminated|excluded|rejected|falsch|fausse|faux|"
    "incorrecte|incorrecta|incorrecto|falsa|falso|sbagliata|errata|incorreta|errada|onjuist|fout|fel|felaktig|"
    "niepoprawna|błędna|неверен|неверно|неправильно|неправильный|yanlış"
)
"""What calls an option wrong when said of it."""

UNFIT = (
    "out|discarded|dismissed|untrue|implausible|unlikely|impossible|irrelevant|a distractor|the distractor|distractor|"
    "distractors|a common distractor|the common distractor|a trap|a common mistake|not|n't|no|too|bad|poor|weak|a bad|"
    "a poor|a weak|a terrible|unrelated|tempting|inconsistent|nonsense|ausgeschlossen|nicht|unwahrscheinlich|éliminée|"
    "pas|descartada|errónea|scorretta|esclusa|non|исключ*|не"
)
"""What else rejects an option when said of it."""

UNFIT_VERB = (
    "makes no sense|make no sense|isn't|aren't|wasn't|can't|cannot|can not|doesn't|does not|don't|do not|didn't|"
    "did not|fails|fail|contradicts|contradict|won't|wouldn't|would not|no es|n'est|non è|não é"
)
"""Verbs that reject their subject."""

UNFIT_AFTER = (
    "ではなく|じゃなく|❌|✗|✘|✖|是错误|是錯誤|错误|錯誤|不正确|不正確|不对|不對|是错|错|錯|可以排除|被排除|不符合|"
    "不是|は間違い|は誤り|は不正解|ではない|ではありません|じゃない|は違|는 틀|은 틀|가 틀|이 아니|가 아니|는 아니|"
    "은 아니|는 오답|은 오답"
)
"""The same, in languages that put it straight after."""

BEING = "です|だ|である|でしょう|と思います|吧|입니다|이다|이에요|예요|라고 생각|일 것|인 것 같"
"""What ends a sentence that only names an option, in languages that put the verb last."""

SAID = (
    "is|es|are|was|were|be|can be|could be|would be|must be|should be|seems|seem|looks|look|sounds|appears|has been|"
    "have been|ist|sind|wäre|est|sont|son|sería|está|è|sono|é|são|zijn|är|jest|są|это|'s"
)
"""Verbs between an option and what is said of it."""

RIGHT_AFTER = (
    "✓|✔|✅|是正确|是正確|正确|正確|是对的|是對的|为正确|が正解|が正しい|は正解|が答え|가 정답|이 정답|가 맞|이 맞|"
    "는 정답|은 정답|번이 정답|번이 맞"
)
"""What accepts an option, in languages that put it straight after."""

CONTRAST = (
    "but|however|actually|rather|instead|no|wait|sondern|aber|mais|sino|pero|ma|bensì|mas|mas sim|но|а|而是|但|但是|"
    "ではなく|じゃなくて|ですが|けど|가 아니라|이 아니라|지만"
)
"""Between two options in one sentence: the second corrects the first."""

BUT = f"{CONTRAST}|so|thus|therefore|hence|folglich|somit|daher|donc|quindi|portanto|por lo tanto|значит|所以|因此"
"""Between two announcements in one sentence: the second corrects or concludes."""

CONCLUDING = (
    "so|thus|therefore|hence|consequently|in conclusion|to conclude|in summary|daher|somit|folglich|also|donc|ainsi|"
    "por lo tanto|entonces|quindi|dunque|portanto|dus|alltså|więc|значит|следовательно|所以|因此|よって|したがって|"
    "따라서"
)
"""How a sentence begins that draws a conclusion."""

FOLLOWER = (
    "because|since|as|given|due|based|being|which|where|when|although|though|while|whereas|considering|weil|da|denn|"
    "parce|car|puisque|porque|ya que|pues|pois|perché|poiché|omdat|want|eftersom|ponieważ|bo|так|потому"
)
"""Words that may follow a bare label; an article or a pronoun is followed by others."""

VERDICT = (
    "might|may|could|should|is|was|are|were|would|must|seems|looks|fits|makes|can|cannot|has|have|had|will|does|did|"
    "became|remains|serves|ist|est|es|è|é|är|sein"
)
"""Verbs after a bare label or an option's text: something is said of it."""

FURTHER = (
    "die|der|das|la|le|el|il|and|or|but|in|for|here|over|with|on|at|from|by|per|if|it|this|that|the|not|rather|"
    "instead|according|after|tippen|setzen|wählen|nehmen|entscheiden|oder|ou|och|und|et|y|e|и|en|nach|selon|según"
)
"""Further words after a bare label, where something before it already announced a label."""

AND = (
    "と|and|or|nor|and/or|und|oder|noch|et|ou|ni|y|o|e|ed|of|en|och|eller|i|lub|и|или|和|与|與|或|及|还是|還是|とか|か|"
    "와|과|또는"
)
"""Between the members of an enumeration."""

MINUS = "minus|negative|moins|menos|meno|минус|负|負|マイナス|마이너스"
"""The minus sign in words."""

POWERED = (
    "squared|cubed|factorial|to the power|to the power of|zum quadrat|hoch|fakultät|au carré|au cube|puissance|"
    "al cuadrado|al cubo|elevado a|al quadrato|alla seconda|ao quadrado|ao cubo|в квадрате|в кубе|в степени|的平方|"
    "的立方|の二乗|の2乗|제곱|的两倍|的一半"
)
"""After a number that is only the base of a power, or part of a product."""

MULTIPLYING = (
    "twice|thrice|double|triple|half|half of|doppelt|doppelt so viel wie|das doppelte von|die hälfte von|le double de|"
    "la moitié de|le triple de|el doble de|la mitad de|el triple de|il doppio di|la metà di|o dobro de|a metade de|"
    "dubbel|удвоенн*|log|ln|logarithm of|sqrt|square root of|cube root of|root of|square of|cube of|factorial of|sin|"
    "cos|tan|wurzel aus|racine de|raíz de|radice di|raiz de|корень из|квадрат"
)
"""Before a number that is only part of a product or a function's argument."""

WRONG_NUMBER = (
    "ruled out|can be ruled out|too many|too much|too few|too little|too high|too low|too large|too big|too small|"
    "not right|not correct|not the answer|not the right|not the correct|not possible|not enough|not what|impossible|"
    "out of the question|zu viel|zu viele|zu wenig|zu wenige|zu hoch|zu niedrig|nicht richtig|nicht die antwort|"
    "ausgeschlossen|trop|pas correct|pas la réponse|impossible|demasiado|demasiados|demasiadas|imposible|"
    "no es correcto|descartado|troppo|troppi|troppe|impossibile|demais|impossível|te veel|te weinig|слишком много|"
    "слишком мало"
)
"""What rejects a number when said of it."""

WRONG_AFTER = (
    "是错|是錯|是错误|错误|不对|不對|不正确|不正確|太多|太少|は間違い|は違|ではない|ではありません|이 아니|는 틀|은 틀|"
    "은 아니"
)
"""The same, in languages that put it straight after."""

RATE = "per|every|each|pro|je|alle|toutes les|tous les|cada|ogni|a cada|elke|varje|каждые|每|ごとに"
"""Before a number that only says for how much another one counts."""

PERCENT = (
    "percent|per cent|pct|prozent|pour cent|pourcent|por ciento|por cento|per cento|procent|процент*|パーセント|퍼센트|"
    "프로"
)
"""The percent sign in words."""

NUMBER = "number|no.|nummer|nr.|numéro|número|numero|номер|第"
"""Between a noun and its number."""

UP_TO = "to|bis|à|hasta|til|tot|到|至|から|부터"
"""Between the ends of a range."""

BOUND = (
    "more than|less than|fewer than|greater than|higher than|lower than|larger than|smaller than|at least|at most|"
    "up to|over|under|above|below|exceeds|exceeding|mehr als|weniger als|mindestens|höchstens|plus de|moins de|"
    "au moins|más de|menos de|al menos|più di|meno di|almeno|mais de|pelo menos|больше|меньше|超过|超過|至少|以上|"
    "以下"
)
"""Before a number that is only a bound."""

BOUND_AFTER = (
    "or more|or less|or fewer|or above|or below|or higher|or lower|and above|and more|oder mehr|oder weniger|ou plus|"
    "ou moins|o más|o menos|o più|o meno|ou mais|ou menos|以上|以下|以内|未満|未满|이상|이하"
)
"""After a number that is only a bound."""

STEP = (
    "step|part|case|note|figure|table|equation|section|question|problem|confidence|schritt|teil|étape|partie|paso|"
    "parte|passo|шаг|步骤|步驟|第"
)
"""Before a number that counts steps, or says how sure the answer is."""

QUALIFIED = (
    "or so it seems|or so it would seem|or so it appears|at first glance|at first sight|on the surface|"
    "auf den ersten blick|à première vue|a primera vista|a prima vista|à primeira vista|на первый взгляд|乍一看|一見|"
    "but|only|partly|partially|in part|half|except|only if|if|unless|however|yet|although|aber|mais|pero|ma|mas|но|但"
)
"""What takes half of an acceptance back in the same sentence."""

AMONG = "among|amongst|from|of|out of|between|unter|von|parmi|entre|tra|fra|among the options|из"
"""Between the announcement of an answer and what it was chosen from."""

RIVAL = (
    "one|least likely|least|worst|opposite of the|wrong|incorrect|false|other|another|possible|tempting|common|"
    "popular|first|second|third|fourth|fifth|last|next|zweite|dritte|letzte|deuxième|troisième|initial|previous|"
    "earlier|naive|obvious|plausible|alternative|second best|trap|partial|no|any|either|neither|both|each|every|what|"
    "which|whose|falsche|andere|mauvaise|fausse|autre|incorrecta|otra|sbagliata|altra|errada|outra|错误的|錯誤的|"
    "错误|其他"
)
"""Before a noun that would announce an answer: it announces none, or not the one that counts."""

ASKING = (
    "is|are|could|might|may|would|should|can|does|do|did|what|which|why|how|isn't|wouldn't|couldn't|whether|ist|wäre|"
    "könnte|welche|was|warum|est-ce|quelle|pourquoi|es|cuál|qué|è|quale|perché|é|qual|это|какой"
)
"""How a question begins."""

UNKNOWING = (
    "i don't know|i do not know|don't know|not sure|no idea|cannot determine|can't determine|cannot be determined|"
    "can't be determined|cannot answer|can't answer|cannot tell|can't tell|cannot say|can't say|unable to determine|"
    "unable to answer|impossible to say|impossible to tell|impossible to determine|insufficient information|unclear|"
    "not enough information|none of the above|none of these|none of the options|none of the choices|none of them|"
    "no correct answer|no correct option|ich weiß nicht|ich weiß es nicht|weiß ich nicht|keine der|no lo sé|no sé|"
    "ninguna de las|je ne sais pas|aucune de|aucune des|non lo so|nessuna delle|não sei|nenhuma das|ik weet het niet|"
    "vet inte|nie wiem|не знаю|ни один|我不知道|不知道|无法确定|無法確定|以上都不|わかりません|分かりません|"
    "わからない|모르겠|알 수 없"
)
"""A reply that gives no answer."""

TAKEN_BACK = (
    "wait|edit|edited|hold on|scratch that|oops|correction|sorry|on second thought|on second thoughts|on reflection|"
    "i was wrong|i made a mistake|i made an error|that's wrong|that is wrong|that was wrong|that's incorrect|"
    "that is incorrect|i doubt it|i disagree|i don't think so|just kidding|das bezweifle ich|ich bezweifle das|"
    "j'en doute|lo dudo|ne dubito|duvido|сомневаюсь|我不同意|我怀疑|that's not right|that is not right|"
    "that can't be right|that cannot be right|let me reconsider|let me re-evaluate|let me recheck|let me re-check|"
    "moment|warte|korrektur|attends|espera|me equivoqué|aspetta|espera aí|подождите|等等|不对|不對|待って|잠깐"
)
"""At the start of a sentence: what was said before no longer holds."""

OTHERS = "some|many|people|student|students|one|you|others|someone|they|everyone|everybody|most|critics|experts"
"""People whose answer is not the reply's."""

OPINING = "think|thinks|believe|say|says|assume|assumes|choose|pick|argue|claim|claims|guess|answer|expect"
"""Verbs by which they give it."""

ALIKE = "near|of|off|outside|beyond|like|around|resembling|behind|under|before|after"
"""Before an option's text: what is named is only near it, or part of it."""

DOUBTED = "actually|no|hmm|hm|however|rather|eigentlich|en fait|en realidad|in realtà|na verdade|на самом деле|其实"
"""At the start of a sentence: what was said before may be corrected here."""

REFUSAL = (
    "i can't help|i cannot help|i can't assist|i cannot assist|i'm unable to help|i am unable to help|"
    "i'm unable to assist|i am unable to assist|i'm not able to help|i am not able to help|i'm not able to assist|"
    "i can't provide|i cannot provide|i can't answer|i cannot answer|i can't comply|i cannot comply|i can't fulfill|"
    "i cannot fulfill|i can't fulfil|i cannot fulfil|i can't discuss|i cannot discuss|i can't continue|i won't help|"
    "i cannot continue|i can't engage|i cannot engage|i can't do that|i cannot do that|i won't answer|i must decline|"
    "i have to decline|i will not provide|i won't provide|i can't share|i cannot share|i can't support|"
    "against my guidelines|violates my guidelines|not comfortable answering|as an ai language model, i|as an ai, i|"
    "i can't create|i cannot create|i can't generate|i cannot generate|i can't participate|i cannot participate|"
    "ich kann dabei nicht helfen|kann ich nicht helfen|ich kann diese frage nicht beantworten|tut mir leid, aber|"
    "je ne peux pas vous aider|je ne peux pas répondre|je ne peux pas t'aider|lo siento, pero|no puedo ayudar|"
    "no puedo responder|mi dispiace, ma|non posso aiutar*|non posso rispondere|desculpe, mas|não posso ajudar|"
    "не могу помочь|не могу ответить|не могу помогать|我无法回答|我無法回答|我不能回答|我无法提供|我无法协助|"
    "无法帮助|抱歉，我|对不起，我|抱歉,我|对不起,我|申し訳ありませんが|申し訳ございませんが|お答えできません|"
    "죄송하지만|답변할 수 없|도와드릴 수 없"
)
"""A refusal in words."""
