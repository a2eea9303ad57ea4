import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  RUN_ID,
  type StoredRow,
  type StoredRun,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import type { SheetRow } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { type Writer, writeResultFiles, writeResults, writeTogether } from "../src/result-files.ts";
import { factsOf, readingOf } from "./helpers/facts.ts";
import { notesOf, readSheet } from "./helpers/read-workbook.ts";

const HELD = [
  "Onay",
  "Stok Kodu",
  "Mağazadaki Ürün",
  "Eski Değer",
  "Yeni Değer",
  "Değişim (%)",
  "Koruma",
  "Neden",
  "Fiyat",
  "Not",
  "Dosyadaki Satır",
  "Bekleyen Satır",
  "Satır Kaydı",
];
const RESULT = [
  "Sonuç",
  "Stok Kodu",
  "Hata",
  "Öneri",
  "Fiyat",
  "Not",
  "Ürün ID",
  "Mağazada",
  "Hata Kodu",
  "Dosyadaki Satır",
  "Satır Kaydı",
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

const added = idSchemas.product.parse("p-9");

const SENT = "Kabul edildi, bakılmadı";
const ADVICE = "12,00 gibi yazın.";
const REFUSED = "Pazaryeri kabul etmedi.";
const [NOT_A_NUMBER, UNKNOWN] = ["E_NOT_A_NUMBER", "E_OUTCOME_UNKNOWN"];

const cellsOf = (...cells: readonly (string | number | null)[]) => cells;

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

async function writeAll(changes: Partial<StoredRun> = {}) {
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

/** The cells without the empty ones at the end. */
const withoutEnd = (cells: SheetRow["cells"]): SheetRow["cells"] =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1);

/** The record of a row whose price is no number. */
const of = (row: number): unknown =>
  expect.stringMatching(new RegExp(`^${RUN_ID}#${row} E_NOT_A_NUMBER=[0-9a-f]{12}$`, "u"));

describe("the result file", () => {
  it("says first what became of each row, beside its code, then holds every input column", async () => {
    const { dir } = await writeAll();

    const twelve = "on iki” bir sayı değil.";
    const [header = [], ...rows] = await readSheet(join(dir, "result.xlsx"));
    const record = header.length - 1;
    expect([header, ...rows.map((cells) => withoutEnd(cells.slice(0, record)))]).toEqual([
      RESULT,
      cellsOf("Eklendi", "000042", null, null, 129.9, "=1+1", "p-9", SENT, null, 2),
      cellsOf("Değişmedi", "KOD-3", null, null, null, null, null, null, null, 3),
      cellsOf(
        "Hatalı",
        "KOD-4",
        `E4: “${twelve}`,
        ADVICE,
        "on iki",
        "x",
        null,
        null,
        NOT_A_NUMBER,
        4,
      ),
      cellsOf("Tekrar", "KOD-5", `E5: “${twelve}`, null, 5, null, null, null, NOT_A_NUMBER, 5),
      cellsOf("Reddedildi", "KOD-6", REFUSED, null, 6, null, null, null, "E_REJECTED", 6),
      cellsOf("Bekletildi", "KOD-7", `B7: “${twelve}`, null, 7, null, null, null, UNKNOWN, 7),
      cellsOf("Gönderilmedi", "KOD-8", null, null, 8, null, "p-1", null, null, 8),
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
      const { place, run, dir } = await writeAll();
      await writeResults(place.connection, run, { command: "apply", exit: 0 });

      const names = readdirSync(dir);
      const modes = new Set(names.map((name) => statSync(join(dir, name)).mode & 0o777));
      expect(names.length).toBeGreaterThan(3);
      expect([statSync(dir).mode & 0o777, ...modes]).toEqual([0o700, 0o600]);
    },
  );

  it("speaks English for an English run", async () => {
    const { dir } = await writeAll({ lang: "en" });

    const [header, first, , third] = await readSheet(join(dir, "result.xlsx"));

    expect(header).toEqual([
      "Result",
      "Stok Kodu",
      "Error",
      "Suggestion",
      "Fiyat",
      "Not",
      "Product ID",
      "In Store",
      "Error Code",
      "Row in File",
      "Row Record",
    ]);
    expect(first?.[0]).toBe("Added");
    expect(third?.slice(2, 4)).toEqual(["E4: “on iki” is not a number.", "Write it as 12.00."]);
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

    expect([first?.[2], first?.[8]]).toEqual(["F2: Not gönderilmez.", "W_NOTE"]);
    expect([second?.[2], second?.[3], second?.[8]]).toEqual([
      "E3: “on iki” bir sayı değil.\nF3: “on iki” bir sayı değil.",
      "12,00 gibi yazın.",
      "E_NOT_A_NUMBER",
    ]);
  });

  it("places the notes at the wrong cells", async () => {
    const { dir } = await writeAll();

    expect(notesOf(join(dir, "result.xlsx"))).toEqual({
      B7: "“on iki” bir sayı değil.",
      E4: "“on iki” bir sayı değil.\n12,00 gibi yazın.",
      E5: "“on iki” bir sayı değil.",
      F4: "Not gönderilmez.",
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
  it("say first what is wrong, at the cells of this file, and name the row of the imported one", async () => {
    const { dir } = await writeAll();

    const header = RESULT.filter((name) => name !== "Ürün ID" && name !== "Mağazada");
    const twelve = "on iki” bir sayı değil.";
    expect(await readSheet(join(dir, "failed.xlsx"))).toEqual([
      header,
      ["Hatalı", "KOD-4", `E2: “${twelve}`, ADVICE, "on iki", "x", NOT_A_NUMBER, 4, of(4)],
      ["Tekrar", "KOD-5", `E3: “${twelve}`, null, 5, null, NOT_A_NUMBER, 5, of(5)],
      ["Reddedildi", "KOD-6", REFUSED, null, 6, null, "E_REJECTED", 6],
    ]);
    const held = await readSheet(join(dir, "held.xlsx"));
    expect(held.map((cells) => cells.slice(0, 3))).toEqual([
      ["Onay", "Stok Kodu", "Mağazadaki Ürün"],
      [null, "KOD-7", null],
    ]);
    expect(held[0]).toEqual(HELD);
  });

  it("replace the columns that an earlier failed file added", async () => {
    const rows: readonly StoredRow[] = [
      { cells: ["KOD-4", "E_OLD", "on iki"], state: "invalid", issues: [PRICE_ISSUE] },
    ];
    const { dir } = await writeAll({ header: ["Stok Kodu", "Hata Kodu", "Fiyat"], rows });

    const [header, first] = await readSheet(join(dir, "failed.xlsx"));

    const names = ["Sonuç", "Stok Kodu", "Hata", "Öneri", "Fiyat", "Hata Kodu"];
    expect(header?.slice(0, 6)).toEqual(names);
    expect([first?.[1], first?.[4], first?.[5]]).toEqual(["KOD-4", "on iki", "E_NOT_A_NUMBER"]);
  });

  it("place the notes at the wrong columns, in the rows where these stand now", async () => {
    const { dir } = await writeAll();

    expect(notesOf(join(dir, "failed.xlsx"))).toEqual({
      E2: "“on iki” bir sayı değil.\n12,00 gibi yazın.",
      E3: "“on iki” bir sayı değil.",
      F2: "Not gönderilmez.",
    });
    expect(Object.keys(notesOf(join(dir, "held.xlsx")))).toEqual(["B2"]);
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

it("writeResults writes the summary that it returns as an indented document that people can read", async () => {
  const { place, run, dir } = await writeAll();

  const summary = await writeResults(place.connection, run, { command: "apply", exit: 0 });

  const text = readFileSync(join(dir, "summary.json"), "utf8");
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(summary)));
  expect(text).toContain('\n  "command": "apply",\n');
});

it("result.csv writes the number cells of a price column with two decimals", async () => {
  const { connection, folder } = await createTestConnection();
  const prices = [129.9, "on iki", 5, null];
  const run = await storeRun(connection, {
    header: ["Ürün Kodu", "Fiyat", "Stok"],
    rows: prices.map((price, index) => ({ cells: [`K${index}`, price, 7] })),
    reportDir: join(folder, "sonuc"),
  });
  const columns = { "Ürün Kodu": "product_code", Fiyat: "price", Stok: "stock" };

  await writeResultFiles(connection, { ...run, facts: factsOf({ reading: readingOf(columns) }) });

  const text = readFileSync(join(folder, "sonuc", "result.csv"), "utf8").replaceAll('"', "");
  const [, ...lines] = text.trimEnd().split("\r\n");
  const input = lines.map((line) => line.split(";").slice(0, 3).join(" "));
  expect(input).toEqual(["K0 129,90 7", "K1 on iki 7", "K2 5,00 7", "K3  7"]);
});

/** Two batches of two items; each reading of a batch is logged. */
async function* twoBatches(log: string[] = []): AsyncGenerator<readonly number[]> {
  log.push("read 1, 2");
  yield [1, 2];
  log.push("read 3, 4");
  yield [3, 4];
}

const takeAll =
  (taken: number[]): Writer<number> =>
  async (items) => {
    for await (const item of items) taken.push(item);
  };

const broken: Writer<number> = () => Promise.reject(new Error("no space left"));

const takeOne: Writer<number> = async (items) => {
  await items.next();
  await items.return();
};

/** Asks for an item and ends without it. */
const askAndEnd: Writer<number> = (items) => {
  void items.next();
  return Promise.resolve();
};

async function* failing(): AsyncGenerator<readonly number[]> {
  yield [1];
  throw new Error("the database is gone");
}

describe("writeTogether", () => {
  it("passes every item of one reading to every writer, in order", async () => {
    const log: string[] = [];
    const [first, second]: [number[], number[]] = [[], []];

    await writeTogether(twoBatches(log), [takeAll(first), takeAll(second)]);

    expect([first, second]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]);
    expect(log).toEqual(["read 1, 2", "read 3, 4"]);
  });

  it("reads a batch only after the slowest writer has taken the one before", async () => {
    const log: string[] = [];
    const slow = Promise.withResolvers<void>();
    const waiting: Writer<number> = async (items) => {
      await items.next();
      await slow.promise;
      for await (const item of items) log.push(`slow ${item}`);
    };

    const writing = writeTogether(twoBatches(log), [takeAll([]), waiting]);
    await new Promise((resolve) => setImmediate(resolve));
    const before = [...log];
    slow.resolve();
    await writing;

    expect(before).toEqual(["read 1, 2"]);
    expect(log).toEqual(["read 1, 2", "slow 2", "read 3, 4", "slow 3", "slow 4"]);
  });

  it("continues for the others when a writer fails before it has taken anything, and rejects at the end", async () => {
    const taken: number[] = [];
    const writing = writeTogether(twoBatches(), [broken, takeAll(taken)]);

    await expect(writing).rejects.toThrow("no space left");
    expect(taken).toEqual([1, 2, 3, 4]);
  });

  it("continues for the others when a writer has ended", async () => {
    const taken: number[] = [];
    await writeTogether(twoBatches(), [takeOne, takeAll(taken)]);

    expect(taken).toEqual([1, 2, 3, 4]);
  });

  it("withholds no batch from the others when a writer ends while it waits for one", async () => {
    const taken: number[] = [];
    const late: Writer<number> = async (items) => {
      await Promise.resolve();
      await takeAll(taken)(items);
    };

    await writeTogether(twoBatches(), [askAndEnd, late, takeAll([])]);

    expect(taken).toEqual([1, 2, 3, 4]);
  });

  it("rejects with the error of the reading once every writer has received it", async () => {
    const taken: number[] = [];

    const writing = writeTogether(failing(), [takeAll(taken), takeAll([])]);

    await expect(writing).rejects.toThrow("the database is gone");
    expect(taken).toEqual([1]);
  });
});
