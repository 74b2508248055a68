// The analyser: the report follows what is typed, pasted or dropped, and lines that can't be read are marked.
"use strict";

(() => {
  const form = document.getElementById("paste");
  const box = document.getElementById("table");
  const file = document.getElementById("file");
  const numbers = document.getElementById("numbers");
  const shown = document.getElementById("analysed");
  const state = document.getElementById("state");
  const frame = box.parentElement;
  const ask = asker();
  const MOST_NUMBERS = 20000;

  function drawNumbers(marked) {
    const count = Math.min(box.value.split("\n").length, MOST_NUMBERS);
    const bad = new Set(marked);
    const parts = [];
    let plain = [];
    for (let line = 1; line <= count; line += 1) {
      if (!bad.has(line)) {
        plain.push(line);
        continue;
      }
      if (plain.length) parts.push(plain.join("\n") + "\n");
      plain = [];
      const mark = document.createElement("b");
      mark.textContent = String(line);
      parts.push(mark, "\n");
    }
    parts.push(plain.join("\n"));
    numbers.replaceChildren(...parts);
    numbers.scrollTop = box.scrollTop;
  }

  async function analyse() {
    const sent = new FormData(form);
    sent.delete("file");
    state.textContent = "Reading …";
    try {
      const found = await ask("/api/analyse", { method: "POST", body: sent });
      // The server escapes every text in this; nothing of the paste is in it as markup.
      shown.innerHTML = found.html;
      drawNumbers(found.lines);
      const said = shown.querySelector(".verdict-box h2");
      const problems = shown.querySelectorAll(".problems li").length;
      state.textContent = said ? said.textContent.trim() : `Nothing was read: ${problems} to mend.`;
      box.setAttribute("aria-invalid", said ? "false" : "true");
    } catch (error) {
      if (error.name !== "AbortError") state.textContent = error.message;
    }
  }

  async function take(given) {
    if (!given) return;
    file.value = "";
    if (given.size > Number(form.dataset.most)) {
      state.textContent = `${given.name} was not read: it is larger than the ${Math.floor(form.dataset.most / 1048576)} MiB that are read at once. \`prt analyze FILE\` reads files of any size.`;
      return;
    }
    try {
      box.value = new TextDecoder("utf-8", { fatal: true }).decode(await given.arrayBuffer());
    } catch {
      state.textContent = `${given.name} was not read: it is no text in UTF-8. Save the table as CSV in UTF-8.`;
      return;
    }
    state.textContent = `${given.name} is read`;
    drawNumbers([]);
    await analyse();
  }

  const soon = afterPause(analyse, 250);
  form.addEventListener("input", (event) => {
    if (event.target === file) return;
    drawNumbers([]);
    soon();
  });
  file.addEventListener("change", () => take(file.files[0]));
  box.addEventListener("scroll", () => { numbers.scrollTop = box.scrollTop; });
  for (const name of ["dragover", "dragenter"]) {
    frame.addEventListener(name, (event) => { event.preventDefault(); frame.classList.add("over"); });
  }
  frame.addEventListener("dragleave", () => frame.classList.remove("over"));
  frame.addEventListener("drop", (event) => {
    event.preventDefault();
    frame.classList.remove("over");
    const text = event.dataTransfer.getData("text/plain");
    if (event.dataTransfer.files.length) take(event.dataTransfer.files[0]);
    else if (text) { box.value = text; drawNumbers([]); analyse(); }
  });
  form.addEventListener("submit", (event) => {
    if (event.submitter && event.submitter.hasAttribute("formaction")) return;
    event.preventDefault();
    analyse();
  });
  shown.addEventListener("click", (event) => {
    const line = Number(event.target.dataset ? event.target.dataset.line : 0);
    if (!line) return;
    const before = box.value.split("\n").slice(0, line);
    const end = before.join("\n").length;
    box.focus();
    box.setSelectionRange(end - before[line - 1].length, end);
    box.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(box).lineHeight));
  });
  const marked = [...shown.querySelectorAll(".to-line")].map((each) => Number(each.dataset.line));
  drawNumbers(marked);
})();
