// A click on a column's name sorts by it, a second click turns the order round.
"use strict";
(() => {
  const key = (row, index) => {
    const cell = row.cells[index];
    return cell.dataset.value === undefined ? cell.textContent : Number.parseFloat(cell.dataset.value);
  };
  const isMissing = (value) => value === "" || Number.isNaN(value);
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));

  const sort = (header, index) => {
    const table = header.closest("table");
    const descending = header.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows].sort((first, second) => {
      const [a, b] = [key(first, index), key(second, index)];
      // Missing values stay at the end in both directions.
      if (isMissing(a) || isMissing(b)) return isMissing(a) - isMissing(b);
      return descending ? compare(b, a) : compare(a, b);
    });
    table.tBodies[0].append(...rows);
  };

  // A row that belongs to a time goes there; its first cell is a button, for the keyboard.
  for (const row of document.querySelectorAll("tr[data-time]")) {
    const cell = row.cells[0];
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Go to this time";
    button.append(...cell.childNodes);
    cell.append(button);
    row.addEventListener("click", () => bristleTime.set(Number(row.dataset.time)));
  }

  for (const row of document.querySelectorAll("thead tr")) {
    [...row.cells].forEach((header, index) =>
      header.querySelector("button")?.addEventListener("click", () => sort(header, index)));
  }
})();
