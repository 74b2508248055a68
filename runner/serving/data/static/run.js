// A run that is under way: how it is getting on is asked for every two seconds, and told to screen readers now and then.
"use strict";

(() => {
  const box = document.getElementById("progress");
  if (!box || !box.dataset.run) return;
  const EVERY_MS = 2000;
  const TOLD_EVERY_MS = 30000;
  const shown = document.getElementById("looked");
  const said = document.getElementById("progress-said");
  let told = Date.now();

  async function look() {
    let running = true;
    try {
      const response = await fetch(`/api/runs/${box.dataset.run}/progress`);
      if (!response.ok) throw new Error(response.statusText);
      const found = await response.json();
      running = found.running;
      // The server escapes every text in this.
      shown.innerHTML = found.html;
      if (!running || Date.now() - told >= TOLD_EVERY_MS) {
        said.textContent = found.said;
        told = Date.now();
      }
    } catch {
      // A server that is being restarted answers again.
    }
    if (running) setTimeout(look, EVERY_MS);
    else document.getElementById("reload").textContent = "Show the figures of the whole run";
  }

  setTimeout(look, EVERY_MS);
})();
