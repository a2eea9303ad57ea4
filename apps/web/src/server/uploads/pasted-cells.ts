/** Cells that were copied from a spreadsheet program, as the text of a CSV file. */

/**
 * Writes pasted cells as CSV with tabs, as they were pasted. Cells are separated by tabs; one with a line break or a tab in it
 * stands in quotes, as spreadsheet programs copy it.
 */
export function toCsv(pasted: string): string {
  const lines = parsePasted(pasted).map((cells) => cells.map(quoteCell).join("\t"));
  return `\uFEFF${lines.map((line) => `${line}\r\n`).join("")}`;
}

const quoteCell = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** A cell in quotes, or one without them, and what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/uy;

/** The rows of pasted cells; line breaks at the end make no row. */
export function parsePasted(pasted: string): readonly (readonly string[])[] {
  const text = pasted.replace(/^\uFEFF/u, "");
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = new RegExp(CELL);
  for (let found = cell.exec(text); found !== null; found = cell.exec(text)) {
    const [, quoted, plain = "", end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== "\t") {
      rows.push(row);
      row = [];
    }
    if (end === "" || cell.lastIndex >= text.length) break;
  }
  if (row.length > 0) rows.push([...row, ""]);
  while (rows.at(-1)?.every((each) => each === "")) rows.pop();
  return rows;
}
