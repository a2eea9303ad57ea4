import { expect, it } from "vitest";

import { readTables } from "../../src/ods/read-ods.ts";
import { scanXml } from "../../src/xlsx/read/xml-scanner.ts";

const cellOf = (text: string, attributes = ""): string =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const tableOf = (cells: string): string =>
  `<table:table><table:table-column/><table:table-row>${cells}</table:table-row></table:table>`;
const SPACES =
  'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"';

/** What the tables at these positions tell their handler. */
function read(tables: readonly string[], wanted: readonly number[]): readonly unknown[] {
  const seen: unknown[] = [];
  const handler = readTables({
    table: (_, position) => wanted.includes(position),
    columns: ({ first }) => seen.push(`column ${first}`),
    row: (_, number) => seen.push(`row ${number}`),
    cells: ({ column, text }) => seen.push(`${column} ${text}`),
    endRow: () => seen.push("end"),
  });
  scanXml(`<body ${SPACES}>${tables.map((cells) => tableOf(cells)).join("")}</body>`, handler);
  return seen;
}

it("passes over what stands in a table that is not wanted, broken or not", () => {
  const broken = cellOf("x", 'table:number-columns-repeated="-1"');
  const nested = cellOf(tableOf(cellOf("inner")));
  const tables = [broken, cellOf("a") + cellOf("b"), nested];

  expect(read(tables, [2])).toEqual(["column 1", "row 1", "1 a", "2 b", "end"]);
  expect(read(tables, [])).toEqual([]);
  expect(() => read(tables, [1])).toThrow("A cell repeats wrongly.");
});

it("passes over the rest of a table once its handler is full, but not over the next table", () => {
  const seen: unknown[] = [];
  let rows = 0;
  const handler = readTables({
    table: () => true,
    columns: () => {},
    row: (_, number) => seen.push(number),
    cells: ({ text }) => seen.push(text),
    endRow: () => (rows += 1),
    isFull: () => rows === 1,
  });
  const row = `<table:table-row>${cellOf("a")}</table:table-row>`;
  const table = `<table:table>${row}${row}</table:table>`;

  scanXml(`<body ${SPACES}>${table}${table}</body>`, handler);

  expect(seen).toEqual([1, "a", 1, "a", 2, "a"]);
});
