// The planner: sliders beside the numbers, and figures that follow them.
"use strict";

(() => {
  const form = document.getElementById("planner");
  const shown = document.getElementById("planned");
  const state = document.getElementById("state");
  const ask = asker();

  async function plan() {
    const query = new URLSearchParams(new FormData(form));
    try {
      const found = await ask(`/api/plan?${query}`);
      // The server escapes every text in this.
      shown.innerHTML = found.html;
      history.replaceState(null, "", `/plan?${query}`);
      const cards = [...shown.querySelectorAll(".card")].slice(0, 2);
      state.textContent = cards.map((card) => card.innerText.replace(/\s+/g, " ")).join("; ") || shown.innerText.slice(0, 200);
    } catch (error) {
      if (error.name !== "AbortError") state.textContent = error.message;
    }
  }

  const soon = afterPause(plan, 120);
  for (const range of form.querySelectorAll(".range")) {
    const number = document.getElementById(range.dataset.for);
    range.hidden = false;
    range.addEventListener("input", () => { number.value = range.value; soon(); });
    number.addEventListener("input", () => { range.value = number.value; soon(); });
  }
  form.addEventListener("submit", (event) => { event.preventDefault(); plan(); });
})();
