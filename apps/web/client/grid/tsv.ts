/** Cells as the clipboard of spreadsheet programs carries them: tabs between, lines for rows. */

const NEEDS_QUOTES = /["\t\n\r]/u;

const formatCell = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** The text of a block of cells; {@link parseTsv} reads it back. */
export const formatTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(formatCell).join("\t")).join("\n");

interface Cursor {
  readonly text: string;
  at: number;
}

/** Reads to the quote that ends the cell; a cell without one takes the rest. */
const readQuoted = (cursor: Cursor): string => {
  let cell = "";
  cursor.at += 1;
  while (cursor.at < cursor.text.length) {
    const end = cursor.text.indexOf('"', cursor.at);
    if (end === -1) {
      cell += cursor.text.slice(cursor.at);
      cursor.at = cursor.text.length;
      return cell;
    }
    cell += cursor.text.slice(cursor.at, end);
    cursor.at = end + 1;
    if (cursor.text[cursor.at] !== '"') return cell;
    cell += '"';
    cursor.at += 1;
  }
  return cell;
};

const readPlain = (cursor: Cursor): string => {
  const start = cursor.at;
  while (cursor.at < cursor.text.length && !"\t\n".includes(cursor.text.charAt(cursor.at))) {
    cursor.at += 1;
  }
  return cursor.text.slice(start, cursor.at);
};

/** A block of cells; the line break that programs put at the end makes no row. */
export const parseTsv = (text: string): readonly (readonly string[])[] => {
  const cursor: Cursor = { text: text.replaceAll("\r\n", "\n").replaceAll("\r", "\n"), at: 0 };
  if (cursor.text === "") return [];
  const rows: string[][] = [[]];
  for (;;) {
    const isQuoted = cursor.text[cursor.at] === '"';
    const cell = (isQuoted ? readQuoted(cursor) : "") + readPlain(cursor);
    rows.at(-1)?.push(cell);
    if (cursor.at >= cursor.text.length) return rows;
    const isRowEnd = cursor.text[cursor.at] === "\n";
    cursor.at += 1;
    if (isRowEnd && cursor.at >= cursor.text.length) return rows;
    if (isRowEnd) rows.push([]);
  }
};
