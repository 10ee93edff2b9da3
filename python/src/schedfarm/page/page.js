"use strict";
// Points that tell their row of the table, and tables that sort. Everything else works without this.
document.querySelectorAll("figure[data-table]").forEach((figure) => {
  const table = document.querySelectorAll("#estimates table")[Number(figure.dataset.table)];
  const rows = table.tBodies[0].rows;
  const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  const [lower, n] = ["lower", "n"].map((name) => heads.lastIndexOf(name));
  for (const group of figure.querySelectorAll(".points")) {
    const points = group.querySelectorAll(":scope > use, :scope > path");
    group.dataset.rows.split(" ").forEach((row, place) => {
      const texts = [...rows[row].cells].map((cell) => cell.textContent);
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = `${texts.slice(0, lower - 1).join(", ")}: ${texts[lower - 1]} [${texts[lower]}, ${texts[lower + 1]}], n = ${texts[n]}`;
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
