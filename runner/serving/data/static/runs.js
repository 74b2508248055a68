// The list of runs: the figures of each are asked for once the list is shown, two runs at a time.
"use strict";

(() => {
  const AT_ONCE = 2;
  const waiting = [...document.querySelectorAll(".figures-of")];
  const every = waiting.length;
  const state = document.getElementById("figures-state");
  if (!state) return;
  let done = 0;
  let failed = 0;

  async function fill(place) {
    try {
      const response = await fetch(`/api/runs/${place.dataset.run}/headline`);
      if (!response.ok) throw new Error(response.statusText);
      // The server escapes every text in this.
      place.innerHTML = (await response.json()).html;
    } catch {
      failed += 1;
    }
    done += 1;
  }

  async function work() {
    while (waiting.length) await fill(waiting.shift());
  }

  async function fillAll() {
    state.textContent = every > 1 ? `The figures of ${every} runs are being read …` : "The figures are being read …";
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    state.textContent = failed ? `The figures of ${failed} of ${done} could not be read; their reports say why.` : "All figures on this page are read.";
  }

  if (every) fillAll();
})();
