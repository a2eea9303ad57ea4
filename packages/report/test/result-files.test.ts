import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  readZipPart,
  RUN_ID,
  type StoredRow,
  type StoredRun,
  storeRun,
  type TestConnection,
} from "@catalog/connection/testing";
import { productId } from "@catalog/contract";
import type { RunRecord } from "@catalog/runs";
import { openSheet, type SheetRow } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { writeResultFiles, writeSummary } from "../src/result-files.ts";

const HELD = [
  "Bekleyen Satır",
  "Eski Değer",
  "Yeni Değer",
  "Değişim (%)",
  "Koruma",
  "Neden",
  "Satır Kaydı",
  "Onay",
];

const HEADER = ["Stok Kodu", "Fiyat", "Not"];

const PRICE_ISSUE = createIssue({
  row: 4,
  cell: "B4",
  suggestion: { tr: "12,00 gibi yazın.", en: "Write it as 12.00." },
});
const NOTE_WARNING = createIssue({
  code: "W_NOTE",
  row: 4,
  cell: "C4",
  message: { tr: "Not gönderilmez.", en: "Notes are not sent." },
});
const ROW_ISSUE = createIssue({
  code: "E_REJECTED",
  row: 6,
  cell: "",
  message: { tr: "Pazaryeri kabul etmedi.", en: "The marketplace refused." },
});
const GUARD = createIssue({ code: "E_OUTCOME_UNKNOWN", row: 7, cell: "A7" });

const added = productId.parse("p-9");

/** One row of each kind, from row 2 on. */
const ROWS: readonly StoredRow[] = [
  {
    cells: ["000042", 129.9, "=1+1"],
    action: "add",
    outcome: { to: "done", cause: "answer", productId: added },
  },
  { cells: ["KOD-3"], state: "unchanged" },
  { cells: ["KOD-4", "on iki", "x"], state: "invalid", issues: [NOTE_WARNING, PRICE_ISSUE] },
  {
    cells: ["KOD-5", 5, null, "fazladan"],
    state: "duplicate",
    issues: [createIssue({ row: 5, cell: "B5" })],
  },
  {
    cells: ["KOD-6", 6, null],
    action: "add",
    outcome: { to: "rejected", cause: "answer", issues: [ROW_ISSUE] },
  },
  { cells: ["KOD-7", 7, null], state: "held", issues: [GUARD] },
  { cells: ["KOD-8", 8, null] },
];

interface Written {
  readonly place: TestConnection;
  readonly run: RunRecord;
  readonly dir: string;
}

async function writeAll(changes: Partial<StoredRun> = {}): Promise<Written> {
  const test = await createTestConnection();
  const dir = join(test.folder, "sonuc");
  const run = await storeRun(test.connection, {
    header: HEADER,
    rows: ROWS,
    reportDir: dir,
    ...changes,
  });
  await writeResultFiles(test.connection, run);
  return { place: test, run, dir };
}

async function readSheet(path: string): Promise<readonly SheetRow["cells"][]> {
  await using sheet = await openSheet({ path, headerRow: 1 });
  const rows = await Array.fromAsync(sheet.rows());
  return [sheet.header.cells, ...rows.map(({ cells }) => cells)];
}

/** The cells without the empty ones at the end. */
const withoutEnd = (cells: SheetRow["cells"]): SheetRow["cells"] =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1);

/** The record of a row whose price is no number. */
const of = (row: number): unknown =>
  expect.stringMatching(new RegExp(`^${RUN_ID}#${row} E_NOT_A_NUMBER=[0-9a-f]{12}$`, "u"));

/** Notes by the address of their cell. */
function notesOf(path: string): Record<string, string> {
  const xml = readZipPart(path, "xl/comments1.xml") ?? "";
  const notes = [...xml.matchAll(/<comment ref="(?<cell>[A-Z]+\d+)".*?<\/comment>/gsu)];
  return Object.fromEntries(
    notes.map(({ 0: comment, groups }) => [
      groups?.["cell"] ?? "",
      [...comment.matchAll(/<t(?: [^>]*)?>(.*?)<\/t>/gsu)].map(([, text = ""]) => text).join(""),
    ]),
  );
}

describe("the result file", () => {
  it("holds every row with every input column in its order, and its outcome", async () => {
    const { dir } = await writeAll();

    const onTwelve = "B4: “on iki” bir sayı değil.";
    const [header = [], ...rows] = await readSheet(join(dir, "result.xlsx"));
    const record = header.length - 1;
    expect([header, ...rows.map((cells) => withoutEnd(cells.slice(0, record)))]).toEqual([
      [...HEADER, "Sonuç", "Ürün ID", "Hata Kodu", "Hata", "Öneri", "Mağazada", "Satır Kaydı"],
      ["000042", 129.9, "=1+1", "Eklendi", "p-9", null, null, null, "Kabul edildi, bakılmadı"],
      ["KOD-3", null, null, "Değişmedi"],
      ["KOD-4", "on iki", "x", "Hatalı", null, "E_NOT_A_NUMBER", onTwelve, "12,00 gibi yazın."],
      ["KOD-5", 5, null, "Tekrar", null, "E_NOT_A_NUMBER", "B5: “on iki” bir sayı değil."],
      ["KOD-6", 6, null, "Reddedildi", null, "E_REJECTED", "Pazaryeri kabul etmedi."],
      ["KOD-7", 7, null, "Bekletildi", null, "E_OUTCOME_UNKNOWN", "A7: “on iki” bir sayı değil."],
      ["KOD-8", 8, null, "Gönderilmedi", "p-1"],
    ]);
    expect(rows.flatMap((cells) => String(cells[record] ?? "").split("=")[0] || [])).toEqual([
      `${RUN_ID}#4 E_NOT_A_NUMBER`,
      `${RUN_ID}#5 E_NOT_A_NUMBER`,
      `${RUN_ID}#7 E_OUTCOME_UNKNOWN`,
    ]);
  });

  it.runIf(process.platform !== "win32")(
    "can be read by its owner only, like its folder",
    async () => {
      const { dir } = await writeAll();
      await writeSummary(join(dir, "summary.json"), { exit: 0, warnings: [] });

      const names = readdirSync(dir);
      const modes = new Set(names.map((name) => statSync(join(dir, name)).mode & 0o777));
      expect(names.length).toBeGreaterThan(3);
      expect([statSync(dir).mode & 0o777, ...modes]).toEqual([0o700, 0o600]);
    },
  );

  it("speaks English for an English run", async () => {
    const { dir } = await writeAll({ lang: "en" });

    const [header, first, , third] = await readSheet(join(dir, "result.xlsx"));

    expect(header?.slice(3)).toEqual([
      "Result",
      "Product ID",
      "Error Code",
      "Error",
      "Suggestion",
      "In Store",
      "Row Record",
    ]);
    expect(first?.[3]).toBe("Added");
    expect(third?.slice(6, 8)).toEqual(["B4: “on iki” is not a number.", "Write it as 12.00."]);
  });

  it("is a CSV file as Excel expects it, in which no cell can run as a formula", async () => {
    const { dir } = await writeAll();

    const text = readFileSync(join(dir, "result.csv"), "utf8");

    expect(text.split("\r\n")[0]?.replaceAll('"', "")).toBe(
      "\uFEFFStok Kodu;Fiyat;Not;Sonuç;Ürün ID;Hata Kodu;Hata;Öneri;Mağazada;Satır Kaydı",
    );
    expect(text).toContain("129,9");
    expect(text).not.toMatch(/(?:^|;)"?=1\+1/mu);
    const [, first] = await readSheet(join(dir, "result.csv"));
    expect(first?.slice(0, 5)).toEqual(["000042", "129,9", "=1+1", "Eklendi", "p-9"]);
  });

  it("is a CSV file with commas as delimiters and decimal points in English", async () => {
    const { dir } = await writeAll({ lang: "en" });

    expect(readFileSync(join(dir, "result.csv"), "utf8")).toMatch(/\n"?000042"?,129\.9,/u);
  });

  it("lists each error on its own line, and warnings only where there is no error", async () => {
    const warned: StoredRow = { cells: ["A"], state: "unchanged", issues: [NOTE_WARNING] };
    const twice = [PRICE_ISSUE, { ...PRICE_ISSUE, cell: "C4" }];
    const failed: StoredRow = { cells: ["B"], state: "invalid", issues: [...twice, NOTE_WARNING] };
    const { dir } = await writeAll({ rows: [warned, failed] });

    const [, first, second] = await readSheet(join(dir, "result.xlsx"));

    expect(first?.slice(5)).toEqual(["W_NOTE", "C4: Not gönderilmez."]);
    expect(second?.slice(5, 8)).toEqual([
      "E_NOT_A_NUMBER",
      "B4: “on iki” bir sayı değil.\nC4: “on iki” bir sayı değil.",
      "12,00 gibi yazın.",
    ]);
  });

  it("places the notes at the wrong cells", async () => {
    const { dir } = await writeAll();

    expect(notesOf(join(dir, "result.xlsx"))).toEqual({
      A7: "“on iki” bir sayı değil.",
      B4: "“on iki” bir sayı değil.\n12,00 gibi yazın.",
      B5: "“on iki” bir sayı değil.",
      C4: "Not gönderilmez.",
    });
  });

  it("is the same byte for byte when it is made again", async () => {
    const { place: test, run, dir } = await writeAll();
    const before = readdirSync(dir).map((name) => [name, readFileSync(join(dir, name))] as const);

    await test.clock.advance(3_600_000);
    await writeResultFiles(test.connection, run);

    expect(before.map(([name]) => name).toSorted()).toEqual([
      "failed.xlsx",
      "held.xlsx",
      "plan.xlsx",
      "report.html",
      "result.csv",
      "result.xlsx",
    ]);
    for (const [name, bytes] of before) {
      expect([name, readFileSync(join(dir, name)).equals(bytes)]).toEqual([name, true]);
    }
  });
});

describe("the files of failed and held rows", () => {
  it("have the input columns, followed by what is wrong", async () => {
    const { dir } = await writeAll();

    const header = [...HEADER, "Hata Kodu", "Hata", "Öneri", "Satır Kaydı"];
    const twelve = "on iki” bir sayı değil.";
    expect(await readSheet(join(dir, "failed.xlsx"))).toEqual([
      header,
      ["KOD-4", "on iki", "x", "E_NOT_A_NUMBER", `B4: “${twelve}`, "12,00 gibi yazın.", of(4)],
      ["KOD-5", 5, null, "E_NOT_A_NUMBER", `B5: “${twelve}`, null, of(5)],
      ["KOD-6", 6, null, "E_REJECTED", "Pazaryeri kabul etmedi."],
    ]);
    const held = await readSheet(join(dir, "held.xlsx"));
    expect(held.map((cells) => cells.slice(0, 3))).toEqual([HEADER, ["KOD-7", 7, null]]);
    expect(held[0]?.slice(3)).toEqual(HELD);
  });

  it("replace the columns that an earlier failed file added", async () => {
    const rows: readonly StoredRow[] = [
      { cells: ["KOD-4", "E_OLD", "on iki"], state: "invalid", issues: [PRICE_ISSUE] },
    ];
    const { dir } = await writeAll({ header: ["Stok Kodu", "Hata Kodu", "Fiyat"], rows });

    const [header, first] = await readSheet(join(dir, "failed.xlsx"));

    expect(header?.slice(0, 5)).toEqual(["Stok Kodu", "Fiyat", "Hata Kodu", "Hata", "Öneri"]);
    expect(first?.slice(0, 3)).toEqual(["KOD-4", "on iki", "E_NOT_A_NUMBER"]);
  });

  it("place the notes at the wrong columns, in the rows where these stand now", async () => {
    const { dir } = await writeAll();

    expect(notesOf(join(dir, "failed.xlsx"))).toEqual({
      B2: "“on iki” bir sayı değil.\n12,00 gibi yazın.",
      B3: "“on iki” bir sayı değil.",
      C2: "Not gönderilmez.",
    });
    expect(Object.keys(notesOf(join(dir, "held.xlsx")))).toEqual(["A2"]);
  });

  it("are named only when they were written", async () => {
    const { place: test, run, dir } = await writeAll({ rows: [{ cells: ["KOD-1"] }] });

    expect(await writeResultFiles(test.connection, run)).toEqual({
      dir,
      result: join(dir, "result.xlsx"),
      plan: join(dir, "plan.xlsx"),
      page: join(dir, "report.html"),
      failed: null,
      held: null,
      summary: join(dir, "summary.json"),
    });
    expect(readdirSync(dir).toSorted()).toEqual([
      "plan.xlsx",
      "report.html",
      "result.csv",
      "result.xlsx",
    ]);
  });

  it("are removed when no row is in their states any more", async () => {
    const { place: test, run, dir } = await writeAll({ rows: [{ cells: ["KOD-1"] }] });
    const failed = test.write("sonuc/failed.xlsx", "of an earlier report");
    const held = test.write("sonuc/held.xlsx", "of an earlier report");

    await writeResultFiles(test.connection, run);

    expect([existsSync(failed), existsSync(held)]).toEqual([false, false]);
    expect(existsSync(join(dir, "result.xlsx"))).toBe(true);
  });
});

describe("writeSummary", () => {
  it("writes an indented document that people can read", async () => {
    const { folder } = await createTestConnection();
    const path = join(folder, "summary.json");

    await writeSummary(path, { exit: 0, warnings: [] });

    expect(readFileSync(path, "utf8")).toBe('{\n  "exit": 0,\n  "warnings": []\n}\n');
  });
});
