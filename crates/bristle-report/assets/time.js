// The one time of a page: playback, plots and tables show it and may set it.
"use strict";
const bristleTime = (() => {
  let now = 0;
  let end = Infinity;
  return {
    get now() { return now; },
    get end() { return end; },
    limit(last) { end = last; },
    set(t) {
      now = Math.min(Math.max(t, 0), end);
      dispatchEvent(new CustomEvent("timechange", { detail: now }));
    },
  };
})();
