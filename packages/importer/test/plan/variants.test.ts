import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import {
  createTestConnection,
  startMarketplaceServer,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { productId } from "@catalog/contract";
import type { RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { parseVariantTitle } from "../../src/columns/parse-variant-title.ts";
import type { PlanFileOptions } from "../../src/plan/plan-file-options.ts";
import { planFile } from "../../src/plan/plan-file.ts";
import { planRetry } from "../../src/plan/plan-retry.ts";

const HEADER = "Handle;Title;Body (HTML);Option1 Value;Variant SKU;Variant Inventory Qty;Image Src";

const FILE = [
  HEADER,
  "kod;Kazak;<p onclick='x()'>Yün</p>;S;KOD-1;7;https://o.example/1.jpg",
  "kod;;;M;KOD-2;8;https://o.example/2.jpg",
  "kod;;;;;;https://o.example/3.jpg",
  "tek;Atkı;İpek;Default Title;KOD-3;9;https://o.example/4.jpg",
].join("\n");

async function openPlanner() {
  const { baseUrl } = await startMarketplaceServer();
  const test = await createTestConnection({ baseUrl });
  const plan = async (text: string, more: Partial<PlanFileOptions> = {}): Promise<RunRecord> =>
    await planFile(test.connection, {
      path: test.write("shop.csv", text),
      command: "plan",
      lang: "tr",
      mode: "upsert",
      reportDir: join(test.folder, "{run}"),
      ...more,
    });
  return { ...test, plan };
}

const notesOf = (run: RunRecord): readonly string[] =>
  run.facts?.reading?.notes.map(({ tr }) => tr) ?? [];

describe("a file of products with variants", () => {
  it("tells in its plan how many there are, and what was taken from parent rows", async () => {
    const { plan } = await openPlanner();

    const run = await plan(FILE);

    expect(run.facts?.reading?.columns.used).toEqual(
      "variants title description variants product_code stock image_1".split(" "),
    );
    expect(notesOf(run)).toEqual(
      expect.arrayContaining([
        "1 ürün, 2 varyant satırı: her varyant ayrı bir ürün olur, başlığı “{title} {options}” kalıbıyla kurulur (--variant-title). Varyantsız: 1 ürün.",
        "Varyant satırlarında boş olup ana satırdan alınan sütunlar: Title, Body (HTML).",
        "Kendisi ürün olmayan satırlar (atlandı sayılır): 1 görsel satırı.",
        "Açıklamalar dosyadakinden farklı gönderiliyor: 2 satırda betik, stil, olay kodu gibi parçalar çıkarıldı.",
      ]),
    );
  });

  it("does not name a column as taken from parent rows that is not used", async () => {
    const { plan } = await openPlanner();
    const [header = "", ...lines] = FILE.split("\n");
    const text = [`${header};Type`, ...lines.map((line) => `${line};`)].join("\n");

    const run = await plan(text.replace("/1.jpg;", "/1.jpg;Kazak"));

    expect(notesOf(run)).toContain(
      "Varyant satırlarında boş olup ana satırdan alınan sütunlar: Title, Body (HTML).",
    );
  });

  it("keeps every row of the file once, as the file says", async () => {
    const { plan, connection } = await openPlanner();

    const run = await plan(FILE);

    const rows = await connection.journal.readRows(run.id, { limit: 9 });
    expect(rows.map(({ row, cells }) => [row, cells.join(";")])).toEqual(
      FILE.split("\n")
        .slice(1)
        .map((line, index) => [index + 2, line]),
    );
    expect(rows.map(({ code, state }) => [code, state])).toMatchObject([
      ["KOD-1", expect.any(String)],
      ["KOD-2", expect.any(String)],
      [null, "skipped"],
      ["KOD-3", expect.any(String)],
    ]);
  });

  it("says nothing of variants where it has none", async () => {
    const { plan } = await openPlanner();

    const notes = notesOf(
      await plan(`${HEADER}\ntek;Atkı;İpek;Default Title;KOD-3;9;https://o.example/4.jpg`),
    );

    expect(notes.filter((note) => /varyant|ana satır/iu.test(note))).toEqual([]);
  });

  it("remembers with its run how titles and descriptions were made", async () => {
    const { plan } = await openPlanner();
    const settings = { variantTitle: "{title}, {option1}", descriptions: "text" } as const;

    const run = await plan(FILE, settings);

    expect(run.progress.reading).toMatchObject(settings);
  });

  it("is retried row by row, with the values that a row took before", async () => {
    const { connection, folder } = await openPlanner();
    const refused: StoredRow = {
      cells: ["KOD-1", "", "M", "kod"],
      joined: { role: "variant", parentRow: 9, cells: { 1: { row: 9, value: "Kazak" } } },
      payload: { product_id: productId.parse("p-1"), title: "Kazak, M" },
      outcome: { to: "rejected", cause: "answer" },
    };
    const header = ["Variant SKU", "Title", "Option1 Value", "Handle"];
    const run = await storeRun(connection, { header, rows: [refused] });
    const reading = { platform: "shopify", variantTitle: "{title}, {option1}" };
    const stored = { ...run, progress: { ...run.progress, reading } };
    const reportDir = join(folder, "{run}");

    const again = await planRetry(connection, {
      run: stored,
      command: "retry",
      lang: "tr",
      reportDir,
    });

    const [row] = await connection.journal.readRows(again.id, { limit: 1 });
    expect(row?.payload).toEqual({ product_id: "p-1", title: "Kazak, M" });
    expect(again.progress.reading).toMatchObject(reading);
  });
});

const unpublishedOf = ({ warnings }: RunRecord): readonly string[] =>
  warnings.filter(({ code }) => code === "W_UNPUBLISHED_ROWS").map(({ message: { tr } }) => tr);

const STATUS_FILE = [
  `${HEADER};Status`,
  "kod;Kazak;Yün;S;KOD-1;7;https://o.example/1.jpg;draft",
  "kod;;;M;KOD-2;8;https://o.example/2.jpg;",
  "kod;;;;;;https://o.example/3.jpg;",
  "tek;Atkı;İpek;Default Title;KOD-3;9;https://o.example/4.jpg;active",
].join("\n");

const WOO_HEADER =
  "ID;Type;SKU;Name;Published;Visibility in catalog;Tax status;Tax class;Stock;Parent";

describe("a file with products that are not on sale where it comes from", () => {
  it("keeps the other rows, and counts all rows of a product that is left out", async () => {
    const { plan, connection } = await openPlanner();

    const run = await plan(STATUS_FILE);

    const rows = await connection.journal.readRows(run.id, { limit: 9 });
    expect(rows.map(({ row, code }) => [row, code])).toEqual([[5, "KOD-3"]]);
    expect(unpublishedOf(run)).toEqual([
      expect.stringContaining("3 satır atlandı (“Status”: draft): H2 (KOD-1), H2 (KOD-2), H2."),
    ]);
    expect(notesOf(run).filter((note) => /varyant|ana satır/iu.test(note))).toEqual([]);
  });

  it("keeps every row where a person leaves the column out", async () => {
    const { plan, connection } = await openPlanner();

    const run = await plan(STATUS_FILE, { columns: new Map([["Status", "-"]]) });

    expect(await connection.journal.readRows(run.id, { limit: 9 })).toHaveLength(4);
    expect(unpublishedOf(run)).toEqual([]);
  });

  it("has a plan without rows where none of them is on sale", async () => {
    const { plan, connection } = await openPlanner();

    const run = await plan(STATUS_FILE.replace("active", "archived"));

    expect(await connection.journal.readRows(run.id, { limit: 9 })).toEqual([]);
    expect(run.state).toBe("planned");
    expect(unpublishedOf(run)).toEqual([expect.stringContaining("4 satır atlandı")]);
  });

  it("leaves out variants far below their parent", async () => {
    const { plan, connection } = await openPlanner();
    const others = Array.from({ length: 300 }, (_, n) => `${n + 9};variable;P-${n};Ürün;1;;;;;`);

    const run = await plan(
      [
        WOO_HEADER,
        "1;variable;K;Kazak;-1;;;;;",
        ...others,
        "400;variation;K-S;Kazak S;1;;;;5;K",
        "401;variation;P-7-S;Ürün S;1;;;;5;P-7",
      ].join("\n"),
    );

    const rows = await connection.journal.readRows(run.id, { limit: 999 });
    expect(rows.map(({ code }) => code).filter((code) => code !== null)).toEqual(["P-7-S"]);
    expect(rows).toHaveLength(301);
    expect(unpublishedOf(run)).toEqual([expect.stringContaining("E2 (K), E2 (K-S).")]);
  });
});

describe("a file whose rows are stored while it is read", () => {
  it("takes cells from a parent that is being stored", async () => {
    const { connection, write, folder } = await openPlanner();
    const parents = Array.from({ length: 200 }, (_, n) => `${n};variable;P-${n};Ürün ${n};1;;;;;`);
    const text = [WOO_HEADER, ...parents, "900;variation;P-3-S;;1;;;;5;P-3"].join("\n");
    const journal: typeof connection.journal = {
      ...connection.journal,
      async appendRows(runId, rows) {
        await setTimeout(50);
        await connection.journal.appendRows(runId, rows);
      },
    };

    const run = await planFile(
      { ...connection, journal },
      {
        path: write("shop.csv", text),
        command: "plan",
        lang: "tr",
        mode: "upsert",
        reportDir: folder,
      },
    );

    const [last] = await connection.journal.readRows(run.id, { after: 201, limit: 9 });
    expect(last).toMatchObject({
      code: "P-3-S",
      joined: { parentRow: 5, cells: { 3: { row: 5, value: "Ürün 3" } } },
    });
  });
});

describe("the pattern of titles that a person types", () => {
  it.each(["{title} {options}", "{title} - {option1} / {option2}"])("is taken: %s", (pattern) => {
    expect(parseVariantTitle(pattern)).toBe(pattern);
  });

  it.each(["{options}", "{title} {colour}", "Kazak"])("is refused: %s", (pattern) => {
    expect(() => parseVariantTitle(pattern)).toThrow(/not understood/u);
  });
});
