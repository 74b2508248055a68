// What every page does: on paper all that can be folded is unfolded.
(() => {
  "use strict";
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const each of folded) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of folded) each.open = false;
    folded = [];
  });
})();
