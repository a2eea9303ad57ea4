/**
 * Parses CSV text with ";" between cells and CRLF after rows. A quoted cell may hold both, and
 * doubled quotes; anything else is an error, because the sample must be exact.
 */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let position = 0;
  while (position < text.length) {
    CELL_PATTERN.lastIndex = position;
    const match = CELL_PATTERN.exec(text);
    if (match === null) throw new SyntaxError(`no cell at ${position} in row ${rows.length + 1}`);
    const [whole, quoted, plain = "", end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\r\n") {
      rows.push(row);
      row = [];
    }
    position += whole.length;
  }
  return rows;
}

const CELL_PATTERN = /(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r\n)/uy;
