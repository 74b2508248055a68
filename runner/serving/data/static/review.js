// The review by keys: each does what a button or a link of the page does.
"use strict";

(() => {
  const legend = document.getElementById("keys");
  if (!legend) return;
  const box = document.getElementById("keys-on");
  const OFF = "prt-review-keys-off";
  let leaving = false;

  // Whoever lets no page keep anything has the keys on every page.
  const kept = (act) => {
    try {
      return act(window.localStorage);
    } catch {
      return null;
    }
  };
  const draw = () => legend.classList.toggle("off", !box.checked);
  box.checked = kept((store) => store.getItem(OFF)) === null;
  box.addEventListener("change", () => {
    kept((store) => (box.checked ? store.removeItem(OFF) : store.setItem(OFF, "1")));
    draw();
  });
  draw();
  legend.hidden = false;

  const first = (...places) => places.map((place) => document.querySelector(place)).find(Boolean);
  const does = {
    a: () => first("#answer .accept"),
    r: () => first("#answer .reject"),
    u: () => first("#undo", "#clear"),
    j: () => first(".steps a[rel=next]"),
    k: () => first(".steps a[rel=prev]"),
    ArrowRight: () => first(".steps a[rel=next]"),
    ArrowLeft: () => first(".steps a[rel=prev]"),
  };
  const isTyping = (target) => Boolean(target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]"));

  document.addEventListener("keydown", (event) => {
    if (!box.checked || leaving || event.defaultPrevented || event.repeat || event.isComposing) return;
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
    const found = does[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const control = found && found();
    if (!control) return;
    event.preventDefault();
    control.click();
  });
  for (const form of document.querySelectorAll("form[method=post]")) {
    form.addEventListener("submit", (event) => {
      // A second answer would be meant for the variant that is not there yet.
      if (leaving) event.preventDefault();
      leaving = true;
    });
  }
  window.addEventListener("pageshow", () => { leaving = false; });
})();
