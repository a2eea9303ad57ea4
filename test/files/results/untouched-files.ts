/** Files with every kind of cell, most of them invalid, whose result files are imported again. */

import { type Cell, goodRow, HEADERS } from "../../helpers/product-sheet.ts";
import type { Random } from "../../safety/simulation/world/random.ts";
import { makeWorkbook } from "../bad-files/make-workbook.ts";

/** XML inside the tag of a workbook's cell, after the address. */
export type RawCell = string | null;

const FORMATS = [
  "General",
  "yyyy\\-mm\\-dd",
  '"TR"0000',
  "000000",
  "[$USD] 0.00",
  "0%",
  "dd/mm/yyyy hh:mm",
  "0.00",
  '#,##0.00" TL"',
  "000 000",
] as const;

const escape = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");

export const text = (value: string): RawCell =>
  ` t="inlineStr"><is><t xml:space="preserve">${escape(value)}</t></is></c>`;
export const number = (value: number, format: (typeof FORMATS)[number] = "General"): RawCell =>
  ` s="${FORMATS.indexOf(format)}"><v>${value}</v></c>`;
const boolean = (value: boolean): RawCell => ` t="b"><v>${value ? 1 : 0}</v></c>`;
const error = (value: string): RawCell => ` t="e"><v>${value}</v></c>`;
const formula = (value: string): RawCell => `><f>A1</f>${value}</c>`;

const STYLES =
  `<numFmts>${FORMATS.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escape(code).replaceAll('"', "&quot;")}"/>`).join("")}</numFmts>` +
  `<cellXfs>${FORMATS.map((_, at) => `<xf numFmtId="${at === 0 ? 0 : 200 + at}"/>`).join("")}</cellXfs>`;

const ODD_TEXTS: readonly [string, ...string[]] = [
  "",
  " ",
  "\u200b",
  "  x ",
  "a\nb",
  "a\r\nb",
  "😀",
  "Ü".repeat(600),
  "_x0041_",
  "<SİL>",
  "'00123",
  '="00123"',
  "=1+1",
  "'=1+1",
  "-5",
  "%50",
  "@x",
  "#N/A",
  "#SPILL!",
  "#YOK",
  "TRUE",
  "8.69012E+12",
  "2026-03-01",
  "01.03.2026",
  "12.345",
  "12,345",
  "1.299,90",
  "1,299.90",
  "12.5",
  "12,50 $",
  "€ 12",
  "yok",
  "0",
  "1e3",
  "12 adet",
  "00124",
  "ＡＢ１",
  "Acme+",
  "XL+",
  "%15",
];

const NUMBERS: readonly [number, ...number[]] = [
  0, -1, 1, 0.15, 12.345, 124, 1234, 46_082, 46_082.5, 9_007_199_254_740_994, 1e21,
];

const CELLS: readonly [Draw, ...Draw[]] = [
  (random) => text(random.pick(ODD_TEXTS)),
  (random) => text(random.pick(ODD_TEXTS)),
  (random) => number(random.pick(NUMBERS), random.pick(FORMATS)),
  (random) => number(random.pick(NUMBERS), random.pick(FORMATS)),
  (random) => boolean(random.chance(0.5)),
  (random) => error(random.pick(["#N/A", "#REF!", "#SPILL!", ""])),
  (random) => formula(random.pick(["", "<v>5</v>", "<v></v>"])),
  () => null,
];

type Draw = (random: Random) => RawCell;

const toRaw = (cell: Cell): RawCell =>
  typeof cell === "number" ? number(cell) : cell === null ? null : text(cell);

/** A valid row with these cells changed. */
export const rawRow = (
  number_: number,
  changes: Readonly<Record<string, RawCell>>,
): readonly RawCell[] => {
  const good = goodRow(number_);
  return HEADERS.map((header) => {
    const changed = changes[header];
    return changed === undefined ? toRaw(good[header] ?? null) : changed;
  });
};

const letter = (index: number): string => String.fromCodePoint(65 + index);

/** A workbook with these rows below these headers. */
export function workbookOfRows(
  rows: readonly (readonly RawCell[])[],
  headers: readonly string[] = HEADERS,
): Buffer {
  const all = [headers.map(text), ...rows];
  const xml = all.map((cells, at) => {
    const tags = cells.map((cell, index) =>
      cell === null ? "" : `<c r="${letter(index)}${at + 1}"${cell}`,
    );
    return `<row r="${at + 1}">${tags.join("")}</row>`;
  });
  return makeWorkbook({ sheets: [{ name: "Ürünler", rows: xml.join("") }], styles: STYLES });
}

/** Random rows, each with up to three unusual cells; some repeat the code of another row. */
export function drawRows(random: Random, count: number): readonly (readonly RawCell[])[] {
  return Array.from({ length: count }, (_, at) => {
    const twin = random.chance(0.1) ? random.below(count) : at;
    const code = text(`TST-${String(twin + 1).padStart(5, "0")}`);
    // For products of the store most cells are left empty.
    const isUpdate = random.chance(0.4);
    const kept = isUpdate ? Object.fromEntries(HEADERS.map((name) => [name, null])) : {};
    const changes = Array.from({ length: random.below(4) }, () => [
      random.pick(HEADERS),
      random.pick(CELLS)(random),
    ]);
    return rawRow(at + 1, { ...kept, "Ürün Kodu *": code, ...Object.fromEntries(changes) });
  });
}

/** Lines of a CSV file with such rows, of which some have slipped. */
export function drawLines(random: Random, count: number, delimiter: string): readonly string[] {
  const rows = Array.from({ length: count }, (_, at) => {
    const isUpdate = random.chance(0.4);
    const cells = Object.entries(goodRow(at + 1)).map(([header, cell]) =>
      isUpdate && header !== "Ürün Kodu *" ? "" : String(cell ?? ""),
    );
    for (let left = random.below(4); left > 0; left -= 1) {
      cells[random.below(cells.length)] = random.pick(ODD_TEXTS);
    }
    if (random.chance(0.05)) cells.splice(7, 1, "1", "299");
    return cells;
  });
  return [[...HEADERS], ...rows].map((cells) =>
    cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter),
  );
}
