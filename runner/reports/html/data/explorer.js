// The explorer and the map of a report. All texts come in by textContent, so that none of them is ever HTML.
(() => {
  "use strict";
  const NOT_ASKED = 0, NO_RESULT = 1, PASS = 3, RESULT = 3, MIXED = 4, UNREAD = 8, FLIPPED = 16;
  const PAGE = 50, STRIP = 12;
  const at = (id) => document.getElementById(id);
  const data = JSON.parse(at("explorer-data").textContent);
  const conditions = data.conditions.length;
  const cells = Uint8Array.from(atob(data.cells), (sign) => sign.charCodeAt(0));
  // Where an item stands on the map: not all of the map's items need be listed.
  const placeOn = (item) => (data.at.length ? data.at[item] : item);
  const cell = (item, condition) => cells[item * conditions + condition];
  const counts = data.roles.map((role, place) => place > 0 && role === "perturbation");
  const counted = counts.filter(Boolean).length;
  const state = { matching: [], page: 0, item: -1, condition: -1, from: -1, to: -1 };

  const element = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  // What a cell is, in a sign and in words; a flip comes before what it flipped to.
  const unanswered = (value) => (value & RESULT) <= NO_RESULT;
  const glyph = (value) => {
    if (value & UNREAD) return "?";
    if (unanswered(value)) return "·";
    if (value & FLIPPED) return (value & RESULT) === PASS ? "▲" : "▼";
    return (value & RESULT) === PASS ? "✓" : "✗";
  };
  const words = (value) => {
    if ((value & RESULT) === NOT_ASKED) return "nothing to ask";
    const result = (value & RESULT) === NO_RESULT ? "no result" : (value & RESULT) === PASS ? "pass" : "fail";
    const flipped = value & FLIPPED ? `flipped to ${result}` : result;
    return flipped + (value & MIXED ? ", runs differ" : "") + (value & UNREAD ? ", answer not read" : "");
  };
  const flips = data.items.map((_, item) => {
    let found = 0;
    for (let place = 1; place < conditions; place += 1) if (counts[place] && cell(item, place) & FLIPPED) found += 1;
    return found;
  });

  // Filters.
  const KINDS = {
    all: () => true,
    flipped: (value, place) => (counts[place] || place === chosen()) && (value & FLIPPED) > 0,
    "to-fail": (value, place) => KINDS.flipped(value, place) && (value & RESULT) !== PASS,
    "to-pass": (value, place) => KINDS.flipped(value, place) && (value & RESULT) === PASS,
    unread: (value) => (value & UNREAD) > 0,
    missing: (value) => (value & RESULT) === NO_RESULT,
    texts: () => true,
  };
  const chosen = () => (at("filter-condition").value === "" ? -1 : Number(at("filter-condition").value));

  const texts = new Map();
  const textOf = (item) => {
    if (!texts.has(item)) {
      const shown = data.texts[item];
      const parts = [data.items[item]];
      if (shown) {
        parts.push(shown.prompt, shown.gold);
        for (const variant of Object.values(shown.variants)) {
          for (const piece of variant.pieces || []) if (typeof piece === "string") parts.push(piece);
          for (const answer of variant.answers) parts.push(answer.text.join(""));
        }
      }
      texts.set(item, parts.join("\n").toLowerCase());
    }
    return texts.get(item);
  };

  const matches = (item, kind, condition, cluster, wanted) => {
    if (state.from >= 0 && (placeOn(item) < state.from || placeOn(item) >= state.to)) return false;
    if (cluster !== "" && data.cluster[item] !== Number(cluster)) return false;
    if (kind === "texts" && !data.texts[item]) return false;
    const test = KINDS[kind];
    if (condition >= 0) {
      if ((cell(item, condition) & RESULT) === NOT_ASKED || !test(cell(item, condition), condition)) return false;
    } else if (kind !== "all" && kind !== "texts") {
      let any = false;
      for (let place = 0; place < conditions && !any; place += 1) any = test(cell(item, place), place);
      if (!any) return false;
    }
    return wanted === "" || textOf(item).includes(wanted);
  };

  const ORDERS = {
    flips: (one, other) => flips[other] - flips[one] || one - other,
    map: (one, other) => one - other,
    id: (one, other) => (data.items[one] < data.items[other] ? -1 : data.items[one] > data.items[other] ? 1 : 0),
  };

  const filter = () => {
    const kind = at("filter-kind").value, cluster = at("filter-cluster").value;
    const condition = chosen(), wanted = at("filter-text").value.trim().toLowerCase();
    state.matching = [];
    for (let item = 0; item < data.items.length; item += 1) {
      if (matches(item, kind, condition, cluster, wanted)) state.matching.push(item);
    }
    state.matching.sort(ORDERS[at("filter-order").value]);
    state.page = 0;
    at("found").textContent = `${state.matching.length.toLocaleString("en")} of ${data.items.length.toLocaleString("en")} items`;
    list();
  };

  const list = () => {
    const pages = Math.max(1, Math.ceil(state.matching.length / PAGE));
    at("items").replaceChildren(...state.matching.slice(state.page * PAGE, (state.page + 1) * PAGE).map(row));
    at("page").textContent = `page ${state.page + 1} of ${pages.toLocaleString("en")}`;
    at("previous").disabled = state.page === 0;
    at("next").disabled = state.page + 1 >= pages;
    at("previous").parentElement.hidden = pages === 1;
  };

  // A sign a condition; of many conditions that of the baseline, and how often each comes up among the others.
  const strip = (item) => {
    const signs = Array.from({ length: conditions }, (_, place) => glyph(cell(item, place)));
    if (conditions <= STRIP) return signs.join("");
    const tally = new Map();
    for (const sign of signs.slice(1)) tally.set(sign, (tally.get(sign) || 0) + 1);
    return signs[0] + [...tally].sort((one, other) => other[1] - one[1]).map(([sign, n]) => ` ${sign}${n}`).join("");
  };

  const row = (item) => {
    const button = element("button");
    button.type = "button";
    button.dataset.item = item;
    button.append(element("span", data.items[item], "id"));
    const shown = element("span", strip(item), "strip");
    shown.setAttribute("aria-hidden", "true");
    button.append(shown);
    button.setAttribute("aria-label", `${data.items[item]}, flips under ${flips[item]} of ${counted}`);
    if (item === state.item) button.setAttribute("aria-current", "true");
    const entry = element("li");
    entry.append(button);
    return entry;
  };

  // One item.
  const firstTold = (item) => {
    const condition = chosen();
    if (condition > 0) return condition;
    for (const bit of [FLIPPED, UNREAD]) {
      for (let place = 1; place < conditions; place += 1) if (cell(item, place) & bit) return place;
    }
    return conditions > 1 ? 1 : 0;
  };

  // Opens an item; `moves` takes the reader there.
  const open = (item, condition, moves) => {
    state.item = item;
    state.condition = condition === undefined ? firstTold(item) : condition;
    for (const button of at("items").querySelectorAll("button")) {
      if (Number(button.dataset.item) === item) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    show();
    if (moves) {
      at("item").focus({ preventScroll: true });
      at("item").scrollIntoView({ block: "nearest" });
    }
  };

  const show = () => {
    const { item, condition } = state, shown = data.texts[item], parts = [element("h3", data.items[item])];
    if (data.cluster.length && data.clusters[data.cluster[item]]) parts.push(element("p", `Cluster: ${data.clusters[data.cluster[item]]}`));
    if (shown) parts.push(element("p", `Right: ${shown.gold}`));
    parts.push(choices(item));
    if (shown) parts.push(panes(item, shown, condition));
    else parts.push(...withoutTexts(item));
    at("item").replaceChildren(...parts);
  };

  const choices = (item) => {
    const entries = element("ul", undefined, "choices");
    for (let place = 0; place < conditions; place += 1) {
      const button = element("button", `${glyph(cell(item, place))} ${data.conditions[place]}`);
      button.type = "button";
      button.title = words(cell(item, place));
      button.setAttribute("aria-pressed", String(place === state.condition));
      button.append(element("span", `: ${words(cell(item, place))}`, "unseen"));
      button.addEventListener("click", () => {
        state.condition = place;
        show();
        at("item").querySelectorAll(".choices button")[place].focus();
      });
      const entry = element("li");
      entry.append(button);
      entries.append(entry);
    }
    return entries;
  };

  const withoutTexts = (item) => {
    if (!data.show) return [element("p", `${data.conditions[state.condition]}: ${words(cell(item, state.condition))}`)];
    return [
      element("p", "The texts of this item are not in this page. This command shows them:"),
      element("code", `${data.show} ${quoted(data.items[item])}`, "command"),
    ];
  };
  const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);

  const panes = (item, shown, condition) => {
    const both = element("div", undefined, "panes");
    const variant = condition > 0 ? shown.variants[condition] : undefined;
    const pieces = variant && variant.pieces ? variant.pieces : undefined;
    both.append(pane("Original", item, 0, shown.variants[0], prompt(shown.prompt, pieces, false)));
    if (variant) both.append(pane(data.conditions[condition], item, condition, variant, pieces ? prompt(shown.prompt, pieces, true) : undefined));
    return both;
  };

  const pane = (title, item, condition, variant, text) => {
    const made = element("section", undefined, "pane");
    made.append(element("h3", title));
    if (variant.gold) made.append(element("p", `Right here: ${variant.gold}`));
    if (text) made.append(text);
    if (variant.outcome) made.append(element("p", variant.reason ? `${variant.outcome}: ${variant.reason}` : variant.outcome));
    else if (!variant.answers.length) made.append(element("p", "no reply yet"));
    variant.answers.forEach((answer, run) => made.append(...reply(answer, variant.answers.length > 1 ? `run ${run + 1}: ` : "")));
    return made;
  };

  // A prompt of which the original's words that are left out, or the variant's that are put in, are marked.
  const prompt = (original, pieces, changed) => {
    const made = element("pre", undefined, "text");
    if (!pieces) {
      made.textContent = original;
      return made;
    }
    const signs = Array.from(original);
    let place = 0;
    for (const piece of pieces) {
      if (typeof piece === "string") {
        if (changed) made.append(element("ins", piece));
      } else {
        const text = signs.slice(place, place + Math.abs(piece)).join("");
        place += Math.abs(piece);
        if (piece > 0) made.append(text);
        else if (!changed) made.append(element("del", text));
      }
    }
    return made;
  };

  const reply = (answer, run) => {
    const verdict = answer.passed === null ? "no result" : answer.passed ? "pass" : "fail";
    const line = element("p", undefined, "reading");
    line.append(run, element("span", verdict, `verdict ${verdict.replace(" ", "-")}`), ` ${how(answer)}`);
    const text = element("pre", undefined, "text");
    text.append(answer.text[0]);
    if (answer.text[1]) text.append(element("mark", answer.text[1]));
    text.append(answer.text[2]);
    return answer.text.join("") ? [line, text] : [line];
  };
  const how = (answer) => {
    const read = answer.extracted !== undefined ? answer.extracted : answer.text[1];
    const told = [answer.status, answer.reason].filter(Boolean).join(": ");
    return [read ? `read “${read}”` : "", told].filter(Boolean).join("; ");
  };

  // The map: a column of pixels to its items.
  const bands = at("bands"), images = [...bands.querySelectorAll("img")];
  const columns = Math.min(1000, data.total);
  const here = { column: 0, band: 0 };
  const first = (column) => Math.ceil((column * data.total) / columns);
  const within = (from, to) => data.items.map((_, item) => item).filter((item) => placeOn(item) >= from && placeOn(item) < to);

  const pointAt = (column, band) => {
    here.column = Math.min(columns - 1, Math.max(0, column));
    here.band = Math.min(images.length - 1, Math.max(0, band));
    const image = images[here.band].getBoundingClientRect(), frame = bands.getBoundingClientRect();
    const width = Math.max(6, image.width / columns + 4);
    const centre = image.left - frame.left + ((here.column + 0.5) * image.width) / columns;
    cursor.style.left = `${centre - width / 2 - 1}px`;
    cursor.style.top = `${image.top - frame.top - 3}px`;
    cursor.style.width = `${width}px`;
    cursor.style.height = `${image.height + 4}px`;
    cursor.hidden = false;
    const from = first(here.column), to = first(here.column + 1);
    at("map-here").textContent = `${data.conditions[here.band]}: ${told(within(from, to), to - from)}`;
  };

  // What became of the items of a column under the band's condition; those that are not listed are only counted.
  const told = (items, n) => {
    const tally = new Map();
    for (const item of items) {
      const said = words(cell(item, here.band));
      tally.set(said, (tally.get(said) || 0) + 1);
    }
    if (n === 1 && items.length) return `${data.items[items[0]]}, ${[...tally.keys()][0]}`;
    const counts = [...tally].map(([said, count]) => `${count} ${said}`);
    if (items.length < n) counts.push(`${n - items.length} not listed`);
    return `${n === 1 ? "1 item" : `${n} items`}, ${counts.join(", ")}`;
  };

  const take = () => {
    state.from = first(here.column);
    state.to = first(here.column + 1);
    at("selection").hidden = false;
    at("selection-text").textContent = `Only column ${here.column + 1} of the map.`;
    at("filter-condition").value = "";
    at("filter-kind").value = "all";
    at("filter-text").value = "";
    at("filter-cluster").value = "";
    filter();
    at("explorer").scrollIntoView({ block: "start" });
    if (state.matching.length) open(state.matching[0], here.band || undefined, true);
  };

  const cursor = element("div", undefined, "cursor");
  cursor.hidden = true;
  bands.append(cursor);
  bands.classList.add("live");
  bands.tabIndex = 0;
  bands.setAttribute("role", "application");
  bands.setAttribute("aria-label", "Map of items and conditions");
  bands.setAttribute("aria-describedby", "map-help");
  at("map-help").hidden = false;
  const placeOf = (event) => {
    const band = images.indexOf(event.target);
    if (band < 0) return false;
    const box = event.target.getBoundingClientRect();
    pointAt(Math.floor(((event.clientX - box.left) / box.width) * columns), band);
    return true;
  };
  bands.addEventListener("pointermove", placeOf);
  bands.addEventListener("click", (event) => placeOf(event) && take());
  bands.addEventListener("focus", () => cursor.hidden && pointAt(0, 0));
  bands.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? Math.max(1, Math.round(columns / 20)) : 1;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-columns, 0], End: [columns, 0] };
    if (moves[event.key]) pointAt(here.column + moves[event.key][0], here.band + moves[event.key][1]);
    else if (event.key === "Enter" || event.key === " ") take();
    else return;
    event.preventDefault();
  });

  // The controls.
  data.conditions.forEach((name, place) => at("filter-condition").append(new Option(name, place)));
  if (data.cluster.length) {
    const names = data.clusters.map((name, place) => [name || "(none)", place]).sort((one, other) => (one[0] < other[0] ? -1 : 1));
    for (const [name, place] of names) at("filter-cluster").append(new Option(name, place));
    at("cluster-label").hidden = false;
  }
  if (!Object.keys(data.texts).length) at("filter-kind").querySelector("[value=texts]").remove();
  for (const id of ["filter-kind", "filter-condition", "filter-cluster", "filter-order"]) at(id).addEventListener("change", filter);
  let waiting = 0;
  at("filter-text").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 150);
  });
  at("filters").addEventListener("submit", (event) => event.preventDefault());
  at("selection-clear").addEventListener("click", () => {
    state.from = state.to = -1;
    at("selection").hidden = true;
    filter();
  });
  at("previous").addEventListener("click", () => { state.page -= 1; list(); });
  at("next").addEventListener("click", () => { state.page += 1; list(); });
  at("items").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) open(Number(button.dataset.item), undefined, true);
  });
  at("items").addEventListener("keydown", (event) => {
    const entry = event.target.closest("li");
    const next = event.key === "ArrowDown" ? entry?.nextElementSibling : event.key === "ArrowUp" ? entry?.previousElementSibling : null;
    if (!next) return;
    next.querySelector("button").focus();
    event.preventDefault();
  });

  at("explorer-app").hidden = false;
  filter();
  // A link to one item: report.html#item=ITEM.
  const linked = () => {
    try {
      return decodeURIComponent(location.hash.slice("#item=".length));
    } catch {
      return ""; // a percent sign that encodes nothing
    }
  };
  const wanted = () => {
    const item = location.hash.startsWith("#item=") ? data.items.indexOf(linked()) : -1;
    if (item >= 0) open(item, undefined, true);
    return item >= 0;
  };
  addEventListener("hashchange", wanted);
  if (!wanted() && state.matching.length) open(state.matching[0]);
})();
