"use strict";
// Tables that sort. Everything else works without this.
for (const table of document.querySelectorAll("table.sorts")) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
      const number = (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? null : Number(text));
      const compare = (one, other) => {
        const [a, b] = [value(one), value(other)];
        const [x, y] = [number(a), number(b)];
        if (x !== null && y !== null) return x - y;
        return x === null && y === null ? a.localeCompare(b) : x === null ? 1 : -1;
      };
      const rows = [...table.tBodies[0].rows].sort((a, b) => (order === "ascending" ? compare(a, b) : compare(b, a)));
      table.tBodies[0].append(...rows);
    });
  });
}
for (const details of document.querySelectorAll("details")) {
  let was = details.open;
  addEventListener("beforeprint", () => { was = details.open; details.open = true; });
  addEventListener("afterprint", () => { details.open = was; });
}
