// Runs in the head, before anything is painted: a dark page must not flash white.
"use strict";
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  // Storage may be forbidden for files opened from disk; the choice then lasts for the visit.
  const storage = {
    read() { try { return localStorage.getItem("bristle-theme"); } catch { return null; } },
    write(theme) { try { localStorage.setItem("bristle-theme", theme); } catch { /* see above */ } },
  };
  let chosen = storage.read();

  const apply = () => {
    const theme = chosen ?? (system.matches ? "dark" : "light");
    root.dataset.theme = theme;
    document.getElementById("theme")?.setAttribute("aria-pressed", String(theme === "dark"));
    dispatchEvent(new Event("themechange"));
  };
  apply();
  system.addEventListener("change", apply);
  addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("theme").addEventListener("click", () => {
      chosen = root.dataset.theme === "dark" ? "light" : "dark";
      storage.write(chosen);
      apply();
    });
  });
})();
