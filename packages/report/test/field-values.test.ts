import { readFileSync } from "node:fs";
import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  RUN_ID,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { type ProductChanges, type StoreProduct, idSchemas } from "@catalog/contract";
import type { Lang } from "@catalog/i18n";
import type { CellValue, Payload } from "@catalog/runs";
import { openSheet } from "@catalog/sheets";
import { describe, expect, it, test } from "vitest";

import {
  createReadIdNames,
  findFieldLocation,
  formatFieldValue,
  formatPercent,
  payloadBefore,
} from "../src/field-values.ts";
import { writeHeldWorkbook } from "../src/held-workbook.ts";
import { writeReportPage } from "../src/html/report-page.ts";
import { writePlanWorkbook } from "../src/plan/plan-workbook.ts";
import { readReportedPage } from "../src/reported-rows.ts";
import { createRowViews } from "../src/run-view.ts";
import { reportedRows } from "../src/testing/reported-rows.ts";
import { factsOf, readingOf } from "./helpers/facts.ts";

it.each([
  [9900, "+%9.900", "+9,900%"],
  [-2.54, "−%2,5", "−2.5%"],
  [-0.04, "−%0,04", "−0.04%"],
  [25, "+%25", "+25%"],
])("formatPercent writes %d", (percent, turkish, english) => {
  expect(formatPercent(percent, "tr")).toBe(turkish);
  expect(formatPercent(percent, "en")).toBe(english);
});

const idOf = (letter: string): string => letter.repeat(24);
const PRODUCT = idSchemas.product.parse("p-1");
const CATEGORY = idSchemas.category.parse(idOf("a"));
const BRAND = idSchemas.brand.parse(idOf("b"));
const TEMPLATE = idSchemas.shippingTemplate.parse(idOf("c"));
const MODEL = idOf("d");
/** The ids that the store has and no stored list names. */
const OLD = idOf("e");

const HEADER = ["Kod", "Kategori", "Marka", "Model", "Kargo"];
const USED = ["product_code", "category", "brand", "brand_model", "shipping_template"];
const CELLS = ["A-1", "Yeni kategori", "Yeni marka", "Yeni model", "Yeni kargo"];

const SENT: ProductChanges = {
  category_id: CATEGORY,
  brand_id: BRAND,
  brand_model: MODEL,
  shipping_template_id: TEMPLATE,
};

interface Case {
  readonly field: keyof ProductChanges;
  readonly name: string;
  /** Old value of the change; absent where the listing does not show it. */
  readonly old?: unknown;
  readonly listing?: Partial<StoreProduct>;
  readonly lang?: Lang;
  readonly before: string;
  readonly after: string;
}

const UNKNOWN = `bilinmiyor (ID ${OLD})`;

const CASES: readonly Case[] = [
  {
    field: "category_id",
    name: "the name that the listing shows",
    old: "Eski kategori",
    before: "Eski kategori",
    after: "Yeni kategori",
  },
  { field: "category_id", name: "unknown", before: "bilinmiyor", after: "Yeni kategori" },
  { field: "category_id", name: "unknown", old: OLD, before: UNKNOWN, after: "Yeni kategori" },
  {
    field: "brand_id",
    name: "the name that the listing shows",
    old: OLD,
    listing: { brand_id: idSchemas.brand.parse(OLD), brand_name: "Eski marka" },
    before: "Eski marka",
    after: "Yeni marka",
  },
  {
    field: "brand_id",
    name: "unknown where the listing names another brand",
    old: OLD,
    listing: { brand_id: BRAND, brand_name: "Yeni marka" },
    before: UNKNOWN,
    after: "Yeni marka",
  },
  { field: "brand_id", name: "unknown", old: OLD, before: UNKNOWN, after: "Yeni marka" },
  {
    field: "brand_id",
    name: "unknown in English",
    old: OLD,
    lang: "en",
    before: `unknown (ID ${OLD})`,
    after: "Yeni marka",
  },
  { field: "brand_model", name: "unknown", before: "bilinmiyor", after: "Yeni model" },
  {
    field: "brand_model",
    name: "unknown in English",
    lang: "en",
    before: "unknown",
    after: "Yeni model",
  },
  {
    field: "shipping_template_id",
    name: "unknown",
    old: OLD,
    before: UNKNOWN,
    after: "Yeni kargo",
  },
];

/** A held update of one field, whose new values only the file names. */
async function storeUpdate({ field, old, listing, lang = "tr" }: Case) {
  const { connection, folder } = await createTestConnection();
  const changes = [{ field, ...(old !== undefined && { old }), new: SENT[field] }];
  const row: StoredRow = {
    cells: CELLS,
    state: "held",
    action: "update",
    payload: { product_id: PRODUCT, ...SENT },
    changes,
    issues: [createIssue({ code: "E_CHANGED", row: 2 })],
  };
  const asked = { header: HEADER, rows: [row], reportDir: folder, lang };
  const stored = await storeRun(connection, asked);
  if (listing !== undefined) {
    const product: StoreProduct = { id: PRODUCT, ...listing };
    await connection.verificationLog.saveBefore(stored.id, [{ row: 2, product }]);
  }
  const columns = { profile: null, columns: {}, chosen: [], constants: {}, decimal: null };
  const reading = { notes: [], openNames: [], columns: { ...columns, used: USED } };
  const run = { ...stored, facts: factsOf({ capabilities: [], reading }) };
  return { connection, folder, run };
}

async function readFirstRow(path: string, name?: string): Promise<readonly unknown[]> {
  await using sheet = await openSheet({ path, ...(name !== undefined && { sheet: name }) });
  for await (const { cells } of sheet.rows()) return cells;
  return [];
}

describe.each(CASES)("the old value of $field, $name", (each) => {
  const { before, after, lang = "tr" } = each;

  it("is shown on the page", async () => {
    const { connection, run } = await storeUpdate(each);
    const rows = await readReportedPage(connection, run, { after: 0, limit: 10 });

    const [view] = await createRowViews(connection, run, lang)(rows);

    expect(view?.changes).toMatchObject([{ before, after }]);
  });

  it("is written to the report, the plan and the file of held rows", async () => {
    const { connection, folder, run } = await storeUpdate(each);
    const [report, held] = [join(folder, "report.html"), join(folder, "held.xlsx")];

    await writeReportPage(connection, run, { path: report, rows: reportedRows(connection, run) });
    await writeHeldWorkbook(connection, run, { path: held, rows: reportedRows(connection, run) });
    const plan = await writePlanWorkbook(connection, run, reportedRows(connection, run));

    expect(readFileSync(report, "utf8")).toContain(`,${JSON.stringify([before, after]).slice(1)}`);
    const isHidden = each.old === undefined;
    const shown = isHidden ? expect.stringMatching(/^\(/u) : before;
    expect((await readFirstRow(plan, "Plan")).slice(5, 7)).toEqual([shown, after]);
    const cells = await readFirstRow(held);
    expect(cells).toContainEqual(expect.stringMatching(new RegExp(`: ${escape(before)}$`, "u")));
    expect(cells).toContainEqual(expect.stringMatching(new RegExp(`: ${escape(after)}$`, "u")));
  });
});

const escape = (text: string): string => text.replaceAll(/[()]/gu, "\\$&");

describe("the names of a row's ids", () => {
  it("come from the stored lists first", async () => {
    const { connection, run } = await storeUpdate({
      field: "brand_id",
      name: "listed",
      old: OLD,
      before: "",
      after: "",
    });
    const brands = [
      { id: OLD, name: "Listedeki eski marka" },
      { id: BRAND, name: "Listedeki marka" },
    ];
    await connection.memory.names.write(`${connection.baseUrl} brands ${CATEGORY}`, brands);
    const [row] = await connection.journal.readRows(run.id, { limit: 1 });
    if (row === undefined) throw new Error("there is no row");

    const names = await createReadIdNames(connection, run)(row);

    expect([names.get(OLD), names.get(BRAND)]).toEqual(["Listedeki eski marka", "Listedeki marka"]);
    expect(names.get(CATEGORY)).toBe("Yeni kategori");
  });

  it("include the brand that an undo brings back, as the run before it has seen it", async () => {
    const { connection, run } = await storeUpdate({
      field: "brand_id",
      name: "undone",
      old: OLD,
      listing: { brand_id: idSchemas.brand.parse(OLD), brand_name: "Eski marka" },
      before: "",
      after: "",
    });
    const undo = await storeRun(connection, {
      id: "r-261121-0931-4f2a",
      header: ["Ürün Kodu"],
      rows: [{ cells: ["A-1"], changes: [{ field: "brand_id", old: BRAND, new: OLD }] }],
    });
    const [row] = await connection.journal.readRows(undo.id, { limit: 1 });
    if (row === undefined) throw new Error("there is no row");

    const names = await createReadIdNames(connection, { ...undo, progress: { undoOf: run.id } })(
      row,
    );

    expect([...names]).toEqual([[OLD, "Eski marka"]]);
  });
});

const show = (value: number, sent: Payload | null): string =>
  formatFieldValue("discount_value", value, { payload: sent, lang: "tr" });

test("the old value of a discount is read with its old type, where that changes", () => {
  const payload: Payload = { product_id: idSchemas.product.parse("p-1"), discount_type: 3 };
  const changes = [
    { field: "discount_type", old: 2, new: 3 },
    { field: "discount_value", old: 20, new: 9_000 },
  ];
  const before = payloadBefore({ payload, changes });
  expect([show(20, before), show(9_000, payload)]).toEqual(["20", "90,00"]);
  expect(payloadBefore({ payload, changes: [] })).toBe(payload);
});

const COLUMNS = {
  Kod: "product_code",
  "Satış Fiyatı": "price",
  "Piyasa Fiyatı": "list_price",
  Adet: "stock",
  Resim: "image_1",
  Renk: "property:Renk",
  Barkod: "-",
};

/** The address of a field in a row with these cells, in the order of {@link COLUMNS}. */
async function locationOf(field: string, cells: readonly CellValue[]): Promise<string> {
  const { connection } = await createTestConnection();
  const stored = await storeRun(connection, { header: Object.keys(COLUMNS), rows: [{ cells }] });
  const run = { ...stored, facts: factsOf({ reading: readingOf(COLUMNS) }) };
  const [record] = await connection.journal.readRows(RUN_ID, { limit: 1 });
  if (record === undefined) throw new Error("the row was not stored");
  const { cell, column, value } = findFieldLocation(run, record, field);
  return `${cell} ${column} ${value}`;
}

describe("the cell of a field", () => {
  const cells = ["KOD-1", 12.5, null, 7, "a.jpg", "Mavi", "869"];
  it.each([
    ["stock_count", cells, "D2 Adet 7"],
    ["price", cells, "B2 Satış Fiyatı 12.5"],
    ["properties", cells, "F2 Renk Mavi"],
    ["images", cells, "E2 Resim a.jpg"],
    // The sale price is compared with what is sent as the price.
    ["price", cells.with(2, 20), "C2 Piyasa Fiyatı 20"],
    ["discount_value", cells.with(2, 20), "B2 Satış Fiyatı 12.5"],
    // A value that was given for every row has no cell.
    ["stock_count", cells.with(3, null), "  KOD-1"],
    ["description", cells, "  KOD-1"],
  ] as const)("of the field %s is found", async (field, row, expected) => {
    expect(await locationOf(field, row)).toBe(expected);
  });
});
