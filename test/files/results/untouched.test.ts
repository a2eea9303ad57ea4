/** Files with every kind of cell, most of them invalid, whose result files are imported again. */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { CatalogError } from "@catalog/connection";
import { applyPlan, planFile, type PlanFileOptions } from "@catalog/importer";
import { writeResultFiles } from "@catalog/report";
import { type RunRecord, toCounts } from "@catalog/runs";
import { openSheet, writeXlsx } from "@catalog/sheets";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";

import {
  type ConnectionHarness,
  openConnectionHarness,
} from "../../helpers/markets/connection-harness.ts";
import { type Cell, goodRow, HEADERS } from "../../helpers/product-sheet.ts";
import { createRandom, type Random } from "../../safety/simulation/world/random.ts";
import { makeWorkbook } from "../bad-files/make-workbook.ts";

/** XML inside the tag of a workbook's cell, after the address. */
type RawCell = string | null;

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

const text = (value: string): RawCell =>
  ` t="inlineStr"><is><t xml:space="preserve">${escape(value)}</t></is></c>`;
const number = (value: number, format: (typeof FORMATS)[number] = "General"): RawCell =>
  ` s="${FORMATS.indexOf(format)}"><v>${value}</v></c>`;
const boolean = (value: boolean): RawCell => ` t="b"><v>${value ? 1 : 0}</v></c>`;
const errorCell = (value: string): RawCell => ` t="e"><v>${value}</v></c>`;
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
  (random) => errorCell(random.pick(["#N/A", "#REF!", "#SPILL!", ""])),
  (random) => formula(random.pick(["", "<v>5</v>", "<v></v>"])),
  () => null,
];

type Draw = (random: Random) => RawCell;

const toRaw = (cell: Cell): RawCell =>
  typeof cell === "number" ? number(cell) : cell === null ? null : text(cell);

/** A valid row with these cells changed. */
const rawRow = (
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
function workbookOfRows(
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
function drawRows(random: Random, count: number): readonly (readonly RawCell[])[] {
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
function drawLines(random: Random, count: number, delimiter: string): readonly string[] {
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

type Flags = Partial<
  Pick<PlanFileOptions, "mode" | "columns" | "constants" | "decimal" | "settings">
>;
type Connection = ConnectionHarness["connection"];

const [CODE, TITLE, PRICE] = ["Ürün Kodu *", "Başlık *", "Fiyat *"] as const;

const openShared = async (): Promise<ConnectionHarness> =>
  await openConnectionHarness({
    breaks: { "early-token": "the other machine has no token of the first" },
  });

interface Importing extends Flags {
  readonly harness: ConnectionHarness;
  readonly path: string;
  /** @default the connection of the first machine */
  readonly connection?: Connection;
}

async function importAt({
  harness,
  connection = harness.connection,
  ...asked
}: Importing): Promise<RunRecord> {
  const options = { command: "import", lang: "tr", mode: "upsert", ...asked } as const;
  const reportDir = join(harness.folder, "{run}");
  const { id: runId } = await planFile(connection, { ...options, reportDir });
  const { run } = await applyPlan(connection, { runId });
  await writeResultFiles(connection, run);
  return run;
}

let books = 0;

function writeWorkbookFile(
  { folder }: ConnectionHarness,
  rows: readonly (readonly RawCell[])[],
  headers?: readonly string[],
): string {
  books += 1;
  const path = join(folder, `urunler-${books}.xlsx`);
  writeFileSync(path, workbookOfRows(rows, headers));
  return path;
}

const issuesOf = async (connection: Connection, { id }: RunRecord): Promise<readonly string[]> =>
  (await connection.journal.readRows(id, { limit: 99 })).flatMap(({ code, issues }) =>
    issues.filter(({ code: each }) => each.startsWith("E_")).map((each) => `${code} ${each.code}`),
  );

/**
 * Writes the file again with another text in a column; its other cells are written as they were
 * read.
 */
async function retitle(path: string, to: string): Promise<string> {
  await using sheet = await openSheet({ path });
  const header = sheet.header.cells.map((cell) => String(cell ?? ""));
  const at = header.indexOf(TITLE);
  const rows = (await Array.fromAsync(sheet.rows())).map((row) =>
    Object.assign({}, row, { cells: row.cells.with(at, "Düzeltilmiş başlık") }),
  );
  const columns = header.map((name) => ({ header: name }));
  await writeXlsx({ path: to, sheets: [{ name: "Ürünler", columns, rows }] });
  return to;
}

const codesIn = ({ sandbox }: ConnectionHarness): readonly string[] =>
  sandbox.products().map((product) => product.product_code);

describe("rows in which one of several bad cells was corrected", () => {
  it("are refused for the other cell, which is unchanged", async () => {
    const harness = await openShared();
    const path = writeWorkbookFile(harness, [
      rawRow(1, { [CODE]: number(46_082, "yyyy\\-mm\\-dd"), [TITLE]: null }),
      rawRow(2, { [CODE]: number(12, '"TR"0000'), [TITLE]: null }),
      rawRow(3, { [PRICE]: number(0.15, "0%"), [TITLE]: null }),
      rawRow(4, { [PRICE]: text("#N/A"), [TITLE]: null }),
      rawRow(5, { [PRICE]: ` t="e"><v>#REF!</v></c>`, [TITLE]: null }),
      rawRow(6, { [PRICE]: "><f>A1</f></c>", [TITLE]: null }),
    ]);

    const { reportDir } = await importAt({ harness, path });
    const corrected = await retitle(
      join(reportDir, "failed.xlsx"),
      join(harness.folder, "duzeltilmis.xlsx"),
    );
    const run = await importAt({
      harness,
      connection: await harness.openAnother("other"),
      path: corrected,
    });

    expect(codesIn(harness)).toEqual([]);
    expect(run.facts?.planned).toMatchObject({ add: 0, invalid: 6 });
  });

  it("are refused for a code that has lost its zeros, though its neighbours are missing", async () => {
    const harness = await openShared();
    const codes = [text("00123"), number(124), text("00125")];
    const path = writeWorkbookFile(
      harness,
      codes.map((code, at) => rawRow(at + 1, { [CODE]: code })),
    );

    const { reportDir } = await importAt({ harness, path });
    const failed = join(reportDir, "failed.xlsx");
    const other = await harness.openAnother("other");
    await importAt({ harness, connection: other, path: failed });
    const corrected = await retitle(failed, join(harness.folder, "duzeltilmis.xlsx"));
    await importAt({ harness, connection: other, path: corrected });

    expect(codesIn(harness)).toEqual(["00123", "00125"]);
  });
});

describe("stocks of which too many are 0", () => {
  it("are held again when only held.xlsx is imported, until the guard is allowed", async () => {
    const harness = await openConnectionHarness({ products: 20 });
    const before = harness.sandbox.products();
    const stocks = before.map(({ product_code: code }, at) => `${code};${at < 7 ? 0 : 500}`);
    const path = join(harness.folder, "stok.csv");
    writeFileSync(path, ["Ürün Kodu;Stok", ...stocks].join("\r\n"));
    const stocksNow = (): readonly unknown[] =>
      harness.sandbox.products().map(({ stock_count: stock }) => stock);

    const { reportDir } = await importAt({ harness, path });
    const held = stocksNow();
    const again = await importAt({ harness, path: join(reportDir, "held.xlsx") });
    const still = stocksNow();
    const settings = { allowed: ["zero-stock"] } as const;
    await importAt({ harness, path: join(reportDir, "held.xlsx"), settings });

    expect(again.facts?.planned).toMatchObject({ update: 0, held: 7 });
    expect(still).toEqual(held);
    expect(stocksNow()).toEqual(before.map((_, at) => (at < 7 ? 0 : 500)));
  });
});

describe("a code that Excel has changed to a date", () => {
  it("stays a date in failed.xlsx, and is refused again", async () => {
    const harness = await openShared();
    const rows = [
      rawRow(1, { [CODE]: number(46_082, "yyyy\\-mm\\-dd") }),
      rawRow(2, { [CODE]: text("KOD-2") }),
    ];

    const first = await importAt({ harness, path: writeWorkbookFile(harness, rows) });
    const other = await harness.openAnother("other");
    const again = await importAt({
      harness,
      connection: other,
      path: join(first.reportDir, "failed.xlsx"),
    });

    expect(harness.sandbox.products().map((product) => product.product_code)).toEqual(["KOD-2"]);
    expect(toCounts(await other.journal.countRows(again.id))).toMatchObject({ invalid: 1 });
    expect(await issuesOf(other, again)).toEqual(await issuesOf(harness.connection, first));
  });
});

const FAILED: ReadonlySet<string> = new Set(["invalid", "duplicate", "rejected"]);

/** Products of the store whose codes are not among these. */
function productsBeside(
  { sandbox }: ConnectionHarness,
  codes: ReadonlySet<string>,
): readonly unknown[] {
  return sandbox.products().filter((product) => !codes.has(product.product_code));
}

/** Imports a run's result files unchanged, on this machine and on another one. */
async function importAgain(harness: ConnectionHarness, run: RunRecord): Promise<void> {
  const rows = await harness.connection.journal.readRows(run.id, { limit: 999 });
  const taken = new Set(rows.flatMap(({ state, code }) => (FAILED.has(state) ? [] : [code ?? ""])));
  const other = await harness.openAnother("other");
  const files = [
    ["failed.xlsx", other, new Set<string>()],
    ["failed.xlsx", harness.connection, new Set<string>()],
    ["result.xlsx", other, taken],
    ["result.csv", harness.connection, taken],
  ] as const;
  for (const [name, connection, codes] of files) {
    const path = join(run.reportDir, name);
    if (!existsSync(path)) continue;
    const before = productsBeside(harness, codes);
    await importAt({ harness, connection, path }).catch(passRefusal);
    expect({ name, products: productsBeside(harness, codes) }).toEqual({ name, products: before });
  }
}

function passRefusal(error: unknown): void {
  if (!(error instanceof CatalogError)) throw error;
}

/** Flags of the first import that a later one leaves out. */
const FLAGS: readonly [Flags, ...Flags[]] = [
  {},
  { mode: "update" },
  { mode: "add" },
  { decimal: "point" },
  { constants: new Map([["warranty_type", "Garantisiz"]]) },
  { columns: new Map([["Etiket", "price"]]) },
];

describe("a refused row", () => {
  const seeds = [1, 3];

  it.each(seeds)(
    "is refused again from a workbook, whatever its cells are (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      const harness = await openShared();
      const flags = random.pick(FLAGS);
      const headers = HEADERS.map((name) => (name === PRICE && flags.columns ? "Etiket" : name));
      const known = writeWorkbookFile(harness, drawKnown(random));
      await importAt({ harness, path: known });
      const path = writeWorkbookFile(harness, drawRows(random, 25), headers);

      const run = await importAt({ harness, path, ...flags });

      await importAgain(harness, run);
    },
  );

  it.each(seeds)("is refused again from a CSV file, in any notation (seed %i)", async (seed) => {
    const random = createRandom(seed + 1000);
    const harness = await openShared();
    const known = writeWorkbookFile(harness, drawKnown(random));
    await importAt({ harness, path: known });
    const path = join(harness.folder, "urunler.csv");
    const lines = drawLines(random, 25, random.pick([";", ","])).join("\r\n");
    const encoding = random.pick(["utf8", "win1254", "utf16le"]);
    writeFileSync(path, iconv.encode(lines, encoding, { addBOM: encoding === "utf16le" }));

    const run = await importAt({ harness, path, ...random.pick(FLAGS) }).catch(passRefusal);

    if (run !== undefined) await importAgain(harness, run);
  });
});

/** Rows of products that the store has already. */
const drawKnown = (random: Random): readonly (readonly RawCell[])[] =>
  Array.from({ length: 25 }, (_, at) => rawRow(at + 1, {})).filter(() => random.chance(0.5));
