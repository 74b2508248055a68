"""Whether the grader `code` passes every solution of HumanEval and fails every empty body; how long one reply takes.

Run: python benchmarks/grading_code.py HumanEval.jsonl.gz
"""

import gzip
import json
import sys
import time
from pathlib import Path

from prt.perturbations.question import Gold, Question
from prt.runner.config.schema import GradeConfig
from prt.runner.graders import make_grader, prove
from prt.runner.graders.sandbox import protections
from prt.runner.records import AnswerKey, Item, Reply


def main() -> None:
    """Grade each task's solution as a body, as a whole and in a fence, and an empty body."""
    path = Path(sys.argv[1])
    if not path.exists():
        sys.exit(f"{path}: there is no such file; it is HumanEval.jsonl.gz of github.com/openai/human-eval")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    judge = make_grader(GradeConfig(grader="code", allow_execution=True), base=Path())
    counts = dict.fromkeys(("proved", "body", "whole", "fenced", "empty"), 0)
    began = time.perf_counter()
    for row in rows:
        question, solution = row["prompt"], row["canonical_solution"]
        gold = Gold(texts=(solution.strip(),))
        key = AnswerKey(Item(row["task_id"], Question(question), gold, row=row))
        counts["proved"] += prove(judge, key) is None
        whole = question + solution
        for form, reply in (("body", solution), ("whole", whole), ("fenced", f"So:\n```python\n{whole}```\nDone.")):
            counts[form] += judge.grade(Reply(text=reply), key).passed is True
        counts["empty"] += judge.grade(Reply(text="    pass\n"), key).passed is True
    took = time.perf_counter() - began
    print(f"code is kept from: {', '.join(sorted(protections()))}")
    print("tasks  proved  body passes  whole passes  fenced passes  empty passes  ms a run")
    runs = 6 * len(rows)
    print(
        f"{len(rows):5}  {counts['proved']:6}  {counts['body']:11}  {counts['whole']:12}  {counts['fenced']:13}  "
        f"{counts['empty']:12}  {1000 * took / runs:8.0f}"
    )


if __name__ == "__main__":
    main()
