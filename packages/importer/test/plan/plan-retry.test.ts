import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  startMarketplaceServer,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { type ProductImage, idSchemas } from "@catalog/contract";
import type { ImageOptions } from "@catalog/images";
import { mapColumns, type SourceRow } from "@catalog/mapping";
import {
  createRefusalCheck,
  type CurrentReading,
  formatRecord,
  parseRecord,
  type RefusedRow,
} from "@catalog/report";
import type { ImageSettings, RowIssue, RowRecord, RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { planRetry } from "../../src/plan/plan-file.ts";

const HEADER = ["Ürün Kodu", "Stok", "Görsel 1", "Görsel 2"];
const UPLOADED = "https://cdn.example/1.jpg";

/** A refused update of images; the store lists another image of the product. */
const refused = (files: readonly string[], images: readonly string[] | undefined): StoredRow => ({
  cells: ["KOD-2", 77, ...files],
  payload: {
    product_id: idSchemas.product.parse("p-2"),
    stock_count: 77,
    ...(images && { images: [...images] }),
  },
  outcome: { to: "rejected", cause: "answer" },
});

async function openFixture() {
  const { baseUrl } = await startMarketplaceServer();
  const test = await createTestConnection({ baseUrl });
  const { connection, folder } = test;
  return {
    ...test,
    again: async (rows: readonly StoredRow[], images?: ImageOptions) => {
      const run = await storeRun(connection, { header: HEADER, rows });
      const reportDir = join(folder, "{run}");
      return await planRetry(connection, { run, command: "retry", lang: "tr", reportDir, images });
    },
    rowsOf: async ({ id }: RunRecord) => await connection.journal.readRows(id, { limit: 9 }),
  };
}

const imagesOf = ({ payload }: RowRecord): readonly ProductImage[] | undefined =>
  payload !== null && "images" in payload ? payload.images : undefined;

const cellsOf = ({ issues }: RowRecord): string[] =>
  issues.map(({ cell, code }) => `${cell} ${code}`);

const imageSettingsOf = ({ progress }: RunRecord): ImageSettings | undefined =>
  progress.reading?.pictures;

describe("the images of retried rows", () => {
  it("are those that were sent when their folder is missing, with a note in the plan", async () => {
    const { again, rowsOf, folder } = await openFixture();
    const source = join(folder, "resimler.zip");

    const run = await again([refused(["a.jpg"], [UPLOADED])], {
      mode: "strict",
      source,
      maySourceBeGone: true,
    });

    const [row] = await rowsOf(run);
    expect(row?.state).toBe("ready");
    expect(row && imagesOf(row)).toEqual([UPLOADED]);
    expect(run.warnings.map(({ code }) => code)).toEqual(["W_IMAGES_GONE"]);
    expect(run.warnings[0]?.message.tr).toContain("resimler.zip");
    expect(run.warnings[0]?.message.tr).toContain("kalan satır: 1.");
    expect(imageSettingsOf(run)).toEqual({ mode: "strict", source });
  });

  it("stay unchanged when the update did not change them and their folder is missing", async () => {
    const { again, rowsOf, folder } = await openFixture();

    const run = await again([refused(["a.jpg"], undefined)], {
      source: join(folder, "resimler"),
      maySourceBeGone: true,
      mode: "strict",
    });

    const [row] = await rowsOf(run);
    expect(row?.payload).toEqual({ product_id: "p-2", stock_count: 77 });
    expect(row?.issues).toEqual([]);
  });

  it("are reported as missing at their cell when the number of images sent differs", async () => {
    const { again, rowsOf, folder } = await openFixture();

    const run = await again([refused(["a.jpg", "b.jpg"], [UPLOADED])], {
      source: join(folder, "resimler"),
      maySourceBeGone: true,
    });

    const [row] = await rowsOf(run);
    expect(row && cellsOf(row)).toEqual(["C2 E_IMG_MISSING", "D2 E_IMG_MISSING"]);
    expect(row?.state).toBe("invalid");
  });

  it("are checked again when their folder still exists", async () => {
    const { again, rowsOf, folder } = await openFixture();
    mkdirSync(join(folder, "resimler"));
    writeFileSync(join(folder, "resimler", "a.jpg"), "no picture");

    const run = await again([refused(["a.jpg"], [UPLOADED])], {
      source: join(folder, "resimler"),
      maySourceBeGone: true,
    });

    const [row] = await rowsOf(run);
    expect(row && cellsOf(row)).toEqual(["C2 E_IMG_TYPE"]);
  });

  it("that are URLs are checked again, with or without a folder", async () => {
    const { again, rowsOf, folder } = await openFixture();

    const run = await again([refused(["https://127.0.0.1/a.jpg"], [UPLOADED])], {
      mode: "strict",
      source: join(folder, "resimler"),
      maySourceBeGone: true,
    });

    const [row] = await rowsOf(run);
    expect(row && cellsOf(row)).toEqual(["C2 E_URL_PRIVATE"]);
  });

  it("are refused with a named folder that does not exist, and no run is stored", async () => {
    const { again, folder, connection } = await openFixture();

    const outcome = again([refused(["a.jpg"], [UPLOADED])], { source: join(folder, "nowhere") });

    await expect(outcome).rejects.toMatchObject({ code: "E_IMAGES_SOURCE" });
    expect(await connection.runs.list(9)).toHaveLength(1);
  });

  it("are not checked without image options", async () => {
    const { again, rowsOf } = await openFixture();

    const run = await again([refused(["https://127.0.0.1/a.jpg"], undefined)]);

    const [row] = await rowsOf(run);
    expect(row && [row.state, imagesOf(row)]).toEqual(["ready", ["https://127.0.0.1/a.jpg"]]);
    expect(imageSettingsOf(run)).toEqual({ mode: "off" });
  });
});

it("retried rows keep the cell traits that the reader found", async () => {
  const { again, rowsOf } = await openFixture();
  const read = { traits: { 1: "formula" }, formats: { 1: '0" adet"' } } as const;

  const run = await again([{ ...refused([], undefined), ...read }]);

  expect(await rowsOf(run)).toMatchObject([{ cells: ["KOD-2", 77], ...read }]);
});

const RESULT_HEADER = ["Stok Kodu", "Başlık", "Fiyat", "Marka"];
const CELLS = ["K-1", "Kaşık", "12.345", "Bosh"];

const READING: CurrentReading = {
  mode: "upsert",
  decimal: undefined,
  hasColumns: false,
  hasConstants: false,
  checksImages: false,
  allowed: undefined,
  allowsSuspectCodes: false,
  isRetry: false,
};

/** An issue at the cell of its kind. */
const issueOf = (code: string, cell: string): RowIssue => createIssue({ code, cell, row: 7 });

const refusedCell = (
  code: string,
  cell: string,
  changes: Partial<RefusedRow> = {},
): string | null =>
  formatRecord({
    runId: "r-1",
    record: toRecord(changes.record?.state ?? "invalid", [issueOf(code, cell)]),
    table: { header: RESULT_HEADER, cells: CELLS },
    columnOf: ({ cell: at }) => (at === "" ? undefined : at.charCodeAt(0) - 65),
    areTwinsThere: false,
    earlier: undefined,
    ...changes,
  });

function toRecord(state: RowRecord["state"], issues: readonly RowIssue[]): RowRecord {
  const nothing = { action: null, productId: null, payload: null, note: null, changes: [] };
  const read = { row: 7, cells: CELLS, code: "K-1", codeKey: "k-1" };
  return { ...read, ...nothing, state, issues, attempts: 0, updatedAtMs: 0 };
}

interface Again {
  readonly header?: readonly string[];
  readonly cells?: SourceRow["cells"];
  readonly reading?: Partial<CurrentReading>;
  readonly found?: readonly RowIssue[];
}

/** Issue codes of a row that comes back with its record. */
function codesAgain(record: string | null, again: Again = {}): readonly string[] {
  const { header = RESULT_HEADER, cells = CELLS, reading = {}, found = [] } = again;
  const all = [...header, "Hata", "Satır Kaydı"];
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header: all });
  const sheet = { sheet: "S", header: { row: 1, cells: all } };
  const check = createRefusalCheck(sheet, mapping, { ...READING, ...reading });
  const row = { row: 3, cells: [...cells, "yanlış", record] };
  const { refused: left, held } = check(row, { issues: found, action: "auto", productId: null });
  return [...left, ...held].map(({ code, message, suggestion }) =>
    suggestion === undefined
      ? `${code} without a next step`
      : `${code} ${/\((.*)\)/u.exec(message.tr)?.[1] ?? "held"}`,
  );
}

const PRICE = "C7";
const BRAND = "D7";

describe("a refused row that comes back unchanged", () => {
  const otherTitle = { cells: ["K-1", "Çatal", "12.345", "Bosh"] };
  const clearNumber = { cells: ["K-1", "Kaşık", "12,345", "Bosh"] };
  const otherHeader = { header: ["Stok Kodu", "Başlık", "Fiyat", "Etiket"] };
  it.each<readonly [what: string, code: string, cell: string, again: Again]>([
    ["with another cell", "E_DISCOUNT", PRICE, otherTitle],
    ["with new flags", "E_PRICE_CURRENCY", PRICE, { reading: { hasConstants: true } }],
    ["with a clear number", "E_NUMBER_AMBIGUOUS", PRICE, clearNumber],
    ["with the decimal sign", "E_NUMBER_AMBIGUOUS", PRICE, { reading: { decimal: "point" } }],
    ["with a name that may be known by now", "E_BRAND_UNKNOWN", BRAND, {}],
    ["with a name that is not read any more", "E_BRAND_UNKNOWN", BRAND, otherHeader],
    ["to be updated once more", "E_PRODUCT_UNKNOWN", "A7", { reading: { mode: "update" } }],
    [
      "with its guard allowed",
      "E_GUARD_PRICE_DROP",
      PRICE,
      { reading: { allowed: ["price-drop"] } },
    ],
    ["with images that are checked", "E_IMG_SMALL", BRAND, { reading: { checksImages: true } }],
    ["in a run that retries it", "E_COLUMN_COUNT", "A7", { reading: { isRetry: true } }],
  ])("is read anew %s: %s", (_what, code, cell, again) => {
    expect(codesAgain(refusedCell(code, cell), again)).toEqual([]);
  });

  it.each<readonly [what: string, code: string, cell: string, again: Again]>([
    ["untouched", "E_CODE_NOT_TEXT", "A7", {}],
    ["with another title beside an unclear number", "E_NUMBER_AMBIGUOUS", PRICE, otherTitle],
    ["with new flags, but slipped", "E_COLUMN_COUNT", "A7", { reading: { hasColumns: true } }],
    ["to be added, where updates were asked for", "E_PRODUCT_UNKNOWN", "A7", {}],
    [
      "with another guard allowed",
      "E_GUARD_PRICE_DROP",
      PRICE,
      { reading: { allowed: ["price-rise"] } },
    ],
    ["with pictures that nobody looks at", "E_IMG_SMALL", BRAND, {}],
  ])("is refused again %s: %s", (_what, code, cell, again) => {
    const expected = code.startsWith("E_GUARD") ? `${code} held` : `E_ROW_UNCHANGED ${code}`;

    expect(codesAgain(refusedCell(code, cell), again)).toEqual([expected]);
  });

  it("is refused again when the name's column exists under its header and is not mapped", () => {
    const header = ["Stok Kodu", "Başlık", "Fiyat", "Etiket"];
    const record = refusedCell("E_BRAND_UNKNOWN", BRAND, { table: { header, cells: CELLS } });

    expect(codesAgain(record, { header })).toEqual(["E_ROW_UNCHANGED E_BRAND_UNKNOWN"]);
  });

  it("gets no second issue when the same issue is found again", () => {
    const record = refusedCell("E_CODE_NOT_TEXT", "A7");

    expect(codesAgain(record, { found: [issueOf("E_CODE_NOT_TEXT", "A3")] })).toEqual([]);
    expect(codesAgain(record, { found: [issueOf("W_CODE_NOT_TEXT", "A3")] })).toHaveLength(1);
  });

  it("is recognized after a CSV file changed line ends and Excel's prefixes", () => {
    const table = { header: RESULT_HEADER, cells: ["'00123", "a\r\nb ", 12.5, true] };
    const record = refusedCell("E_COLUMN_COUNT", "A7", { table: { ...table, decimal: "comma" } });

    expect(codesAgain(record, { cells: ["00123", "a\nb", "12,5", "TRUE"] })).toHaveLength(1);
    expect(codesAgain(record, { cells: ["00123", "a\nb", "12.5", "TRUE"] })).toEqual([]);
  });

  it("is read anew once the cell of its record is emptied", () => {
    expect(codesAgain(null)).toEqual([]);
    expect(codesAgain("r-1#7")).toEqual([]);
    expect(parseRecord("r-1#7 E_A=0123456789ab E_B_C:ba9876543210")).toEqual({
      key: "r-1#7",
      refusals: [
        { code: "E_A", scope: "row", digest: "0123456789ab" },
        { code: "E_B_C", scope: "cell", digest: "ba9876543210" },
      ],
    });
  });
});

const inState = (state: RowRecord["state"]): string | null =>
  refusedCell("E_COLUMN_COUNT", "A7", {
    record: toRecord(state, [issueOf("E_COLUMN_COUNT", "A7")]),
  });

it("a code that looks like another one, or has lost its zeros, has to be changed itself, unless such codes are allowed", () => {
  const record = refusedCell("E_CODE_SUSPECT", "A7");

  const retitled = { cells: ["K-1", "Çatal", "12.345", "Bosh"] };
  expect(codesAgain(record, retitled)).toEqual(["E_ROW_UNCHANGED E_CODE_SUSPECT"]);
  expect(codesAgain(record, { reading: { allowsSuspectCodes: true } })).toEqual([]);
  expect(codesAgain(record, { cells: ["0K-1", "Kaşık", "12.345", "Bosh"] })).toEqual([]);
});

describe("the record of a row", () => {
  it("is written for refused and held rows only", () => {
    const states = ["invalid", "duplicate", "held", "rejected", "done", "unchanged"] as const;
    expect(states.filter((state) => inState(state) !== null)).toEqual([
      "invalid",
      "duplicate",
      "held",
    ]);
  });

  it("leaves out issues that every row of the file shows again", () => {
    expect(refusedCell("E_REQUIRED", BRAND)).toBeNull();
    expect(refusedCell("E_CODE_DUPLICATE", "A7", { areTwinsThere: true })).toBeNull();
    expect(refusedCell("E_CODE_DUPLICATE", "A7")).toMatch(/^r-1#7 E_CODE_DUPLICATE=/u);
  });

  it("is kept for a row that came back and was refused for being unchanged only", () => {
    const first = refusedCell("E_COLUMN_COUNT", "A7");
    const earlier = parseRecord(first ?? "");

    const second = refusedCell("E_ROW_UNCHANGED", "F7", { runId: "r-2", earlier });

    expect(second).toBe(first);
  });
});
