// What all pages of the server share: requests to it, and texts that are made anew once one stops typing.
"use strict";

/** Call `act` once nothing has called the result for `wait` milliseconds. */
function afterPause(act, wait) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };
}

/** Ask the server, and forget an earlier question that it has not answered. */
function asker() {
  let last = null;
  return async (url, options = {}) => {
    if (last) last.abort();
    const mine = new AbortController();
    last = mine;
    const response = await fetch(url, { ...options, signal: mine.signal });
    if (!response.ok) throw new Error((await response.text()).trim().slice(0, 400));
    return response.json();
  };
}
