"use strict";
// Points that tell their row of the table, and tables that sort. Everything else works without this.
function toldBy(table) {
  const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent), rows = [...table.tBodies[0].rows];
  const [lower, n] = ["lower", "n"].map((name) => heads.lastIndexOf(name));
  const numbers = (place) => [-1, 0, 1].map((more) => rows[place].cells[lower + more].textContent);
  const told = (place) => {
    const own = [...rows[place].cells].map((cell) => cell.textContent);
    return `${own.slice(0, lower - 1).join(", ")}: ${own[lower - 1]} [${own[lower]}, ${own[lower + 1]}], n = ${own[n]}`;
  };
  return { numbers, told };
}
document.querySelectorAll("figure[data-table]").forEach((figure) => {
  const { told } = toldBy(document.querySelectorAll("#estimates table")[Number(figure.dataset.table)]);
  for (const group of figure.querySelectorAll(".points")) {
    const points = group.querySelectorAll(":scope > use, :scope > path");
    group.dataset.rows.split(" ").forEach((row, place) => {
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = told(row);
      points[place].append(title);
    });
  }
});
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
      const sign = order === "ascending" ? 1 : -1;
      const compare = (one, other) => {
        const [a, b] = [value(one), value(other)];
        const [x, y] = [number(a), number(b)];
        if (x !== null && y !== null) return sign * (x - y);
        return x === null && y === null ? sign * a.localeCompare(b) : x === null ? 1 : -1;  // no number: last in either order
      };
      const rows = [...table.tBodies[0].rows].sort(compare);
      table.tBodies[0].append(...rows);
    });
  });
}
