import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import {
  createTestConnection,
  startMarketplaceServer,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import type { RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { parseVariantTitle } from "../../src/columns/resolve-columns.ts";
import { planFile, planRetry } from "../../src/plan/plan-file.ts";
import type { PlanFileOptions } from "../../src/plan/plan-options.ts";

async function createPlanner(names: readonly string[] = []) {
  const market = await startMarketplaceServer();
  // The first name is that of the store.
  const namedStores = names.map((name, at) => {
    return { name, baseUrl: market.baseUrl, storeId: `s-${at + 1}` };
  });
  const test = await createTestConnection({ baseUrl: market.baseUrl, namedStores });
  return {
    ...test,
    market,
    plan: (text: string, options: Partial<PlanFileOptions> = {}) =>
      planFile(test.connection, {
        path: test.write("stok.csv", text),
        command: "plan",
        lang: "tr",
        mode: "upsert",
        reportDir: join(test.folder, "sonuc", "{run}"),
        ...options,
      }),
  };
}

const SHEET = "Ürün Kodu;Stok;Başlık\nKOD-1;7;Fincan\nKOD-2;9;Tabak\nKOD-3;beş;\n";

const item = (code: string, stock: string, title: string): string =>
  `<Urun><Urun_Kodu>${code}</Urun_Kodu><Stok>${stock}</Stok><Baslik>${title}</Baslik></Urun>`;

describe("planFile", () => {
  it("stores the decision for every row, and sends nothing", async () => {
    const { plan, connection, market } = await createPlanner();

    const run = await plan(SHEET);

    expect(run).toMatchObject({
      command: "plan",
      state: "planned",
      mode: "upsert",
      lang: "tr",
      file: {
        name: "stok.csv",
        kind: "csv",
        headerRow: 1,
        header: ["Ürün Kodu", "Stok", "Başlık"],
      },
      facts: { planned: { add: 0, update: 1, unchanged: 1, invalid: 1, requests: 3 } },
      warnings: [],
    });
    const rows = await connection.journal.readRows(run.id, { limit: 9 });
    expect(rows.map(({ row, state, payload }) => [row, state, payload])).toEqual([
      [2, "ready", { product_id: "p-1", stock_count: 7 }],
      [3, "unchanged", null],
      [4, "invalid", null],
    ]);
    expect(market.log.filter((path) => /add|update/u.test(path))).toEqual([]);
  });

  it("takes the cells of its store's columns, and leaves the file's rows as they are", async () => {
    const { plan, connection } = await createPlanner(["ankara", "merkez"]);

    const run = await plan(
      "Ürün Kodu;Stok;Stok [ankara];Stok [merkez];Başlık\nKOD-1;5;7;4;Fincan\nKOD-2;8;;4;Tabak\nKOD-3;7;beş;4;Kase\n",
    );

    const rows = await connection.journal.readRows(run.id, { limit: 9 });
    expect(
      rows.map(({ state, payload, cells, issues }) => [
        state,
        payload,
        cells.slice(1, 4),
        issues.filter(({ code }) => code === "E_NOT_A_NUMBER").map(({ cell }) => cell),
      ]),
    ).toEqual([
      ["ready", { product_id: "p-1", stock_count: 7 }, ["5", "7", "4"], []],
      ["ready", { product_id: "p-2", stock_count: 8 }, ["8", null, "4"], []],
      ["invalid", null, ["7", "beş", "4"], ["C4"]],
    ]);
    expect(run.facts?.reading?.columns.used).toEqual([
      "product_code",
      "stock",
      "only:stock",
      "other:stock",
      "title",
    ]);
    expect(run.facts?.reading?.notes.map(({ tr }) => tr)).toEqual(
      expect.arrayContaining([
        "Yalnız “ankara” mağazası için olan sütunlar, dolu hücrelerinde ortak sütunun yerine geçti: “Stok [ankara]”.",
        "Başka mağazaların sütunları burada kullanılmaz: “Stok [merkez]”.",
      ]),
    );
  });

  it("refuses a column whose store is not known", async () => {
    const { plan } = await createPlanner(["ankara", "merkez"]);

    await expect(plan("Ürün Kodu;Stok;Stok [izmir]\nKOD-1;7;5\n")).rejects.toMatchObject({
      code: "E_FILE_COLUMNS",
      issues: [{ code: "E_COLUMN_STORE", cell: "C1" }],
    });
  });

  it("plans XML as a sheet with the same values", async () => {
    const { plan, write, connection } = await createPlanner();
    const items = [
      item("KOD-1", "7", "Fincan"),
      item("KOD-2", "9", "Tabak"),
      item("KOD-3", "beş", ""),
    ];
    const path = write("stok.xml", `<Urunler>${items.join("\n")}</Urunler>`);

    const run = await plan("", { path });

    expect(run).toMatchObject({
      file: { name: "stok.xml", kind: "xml", sheet: "Urunler/Urun" },
      facts: { planned: { add: 0, update: 1, unchanged: 1, invalid: 1, requests: 3 } },
    });
    const rows = await connection.journal.readRows(run.id, { limit: 9 });
    expect(rows.map(({ row, state, payload }) => [row, state, payload])).toEqual([
      [1, "ready", { product_id: "p-1", stock_count: 7 }],
      [2, "unchanged", null],
      [3, "invalid", null],
    ]);
  });

  it("names the run by its time, and the folder of the results by the run", async () => {
    const { plan, folder } = await createPlanner();

    const { id, reportDir } = await plan(SHEET);

    expect(id).toMatch(/^r-261121-1230-[0-9a-f]{4}$/u);
    expect(reportDir).toBe(join(folder, "sonuc", id));
  });

  it("counts the calls that planning took", async () => {
    const { plan, market } = await createPlanner();

    const { requests } = await plan(SHEET);

    expect(requests).toEqual({ token: 1, read: market.calls() - 1, write: 0 });
    expect(requests.read).toBeGreaterThan(0);
  });

  it("stores different digests for different contents of a file", async () => {
    const { plan } = await createPlanner();

    const hashes = [await plan(SHEET), await plan(SHEET), await plan(SHEET.replace("7", "8"))];

    const [first, again, other] = hashes.map(({ file }) => file.sha256);
    expect(first).toMatch(/^[0-9a-f]{64}$/u);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it("leaves out machine keys, empty rows and remarks", async () => {
    const { plan, connection } = await createPlanner();

    const text = "Ürün Kodu;Stok\nproduct_code;stock\n\n# not;x\nKOD-1;7\n;\n";
    const { id } = await plan(text);

    const rows = await connection.journal.readRows(id, { limit: 9 });
    expect(rows.map(({ cells }) => cells)).toEqual([["KOD-1", "7"]]);
  });

  it("leaves out totals and repeated headers by name, and reads codes that begin with a sharp", async () => {
    const { plan, connection } = await createPlanner();

    const text = "Ürün Kodu;Stok\n#1002;5\nÜrün Kodu;Stok\nKOD-1;7\nTOPLAM;12\n";
    const { id, warnings } = await plan(text);

    const rows = await connection.journal.readRows(id, { limit: 9 });
    expect(rows.map(({ code }) => code)).toEqual(["#1002", "KOD-1"]);
    expect(warnings.map(({ message: { tr } }) => tr)).toEqual([
      expect.stringContaining("A2 “#1002”"),
      expect.stringContaining("A3 “Ürün Kodu”"),
      expect.stringContaining("toplam satırına benziyor ve atlandı: A5 “TOPLAM”."),
    ]);
  });

  it("uses the columns, constants, decimal sign and mode that the caller gives", async () => {
    const { plan, connection } = await createPlanner();

    const { id, mode } = await plan("Kod No;Ücret\nKOD-1;1.234\n", {
      columns: new Map([
        ["Kod No", "product_code"],
        ["Ücret", "price"],
      ]),
      constants: new Map([["stock", "3"]]),
      decimal: "comma",
      mode: "update",
    });

    const [row] = await connection.journal.readRows(id, { limit: 9 });
    expect(mode).toBe("update");
    expect(row).toMatchObject({
      state: "ready",
      payload: { product_id: "p-1", price: 123_400, stock_count: 3 },
    });
  });

  it("warns once of columns that are not mapped, in the run's language", async () => {
    const { plan } = await createPlanner();

    const { warnings } = await plan("Ürün Kodu;Stok;Fiyyat Notu;Barkod\nKOD-1;7;x;1\n");

    expect(warnings).toHaveLength(2);
    expect(warnings.map(({ message }) => message.tr).join("\n")).toContain("Fiyyat Notu");
    expect(warnings.map(({ message }) => message.tr).join("\n")).toContain("Barkod");
  });

  it("does not warn of a column that is a property of a row's category", async () => {
    const { plan } = await createPlanner();

    const { warnings } = await plan("Ürün Kodu;Kategori;Renk\nKOD-1;Ev > Fincan;Mavi\n");

    expect(warnings).toEqual([]);
  });

  it("stores notes on how it read the file", async () => {
    const { plan } = await createPlanner();

    const { facts } = await plan(
      "Ürün Kodu;Fiyat;Kategori;Renk\nKOD-1;1.299,90 TL;Ev > Fincan;Mavi\nKOD-2;5;Fincann;\n",
    );

    expect(facts?.reading?.notes.map(({ tr }) => tr)).toEqual([
      "Dosya okunuşu: kodlama utf-8 (--encoding), ayırıcı ; (--delimiter), başlık 1. satır (--header-row).",
      "Fiyatların gönderilişi (ondalık ayırıcı virgül): 1.299,90 TL → 129990 kuruş · 5 → 500 kuruş",
      expect.stringMatching(/^Özellik sütunları: Renk\..*--properties skip/u),
      "Adlar için 2 liste pazaryerinden okundu.",
    ]);
    expect(facts?.reading?.openNames).toEqual([
      {
        field: "category",
        column: "Kategori",
        value: "Fincann",
        choices: ["Ev > Fincan"],
        rows: 1,
        titles: [],
        suggestions: [{ target: "Ev > Fincan", targetId: "c-1", why: { kind: "words" } }],
      },
    ]);
  });

  it("refuses a short last row of a file that may have been cut off", async () => {
    const { plan } = await createPlanner();
    const text = "Ürün Kodu;Stok;Başlık\nKOD-1;8;Fincan\nKOD-2;1";

    const cut = await plan(text);
    const whole = await plan(`${text}\n`);

    expect(cut.facts?.planned).toMatchObject({ update: 1, invalid: 1 });
    expect(whole.facts?.planned).toMatchObject({ update: 2, invalid: 0 });
  });

  it("finds the headers below the lines and group headers of a report", async () => {
    const { plan } = await createPlanner();
    const above = "Rapor;Stok Listesi\nTarih;01.02.2026\nGenel;;Satış\n";

    const run = await plan(`${above}Ürün Kodu;Başlık;Stok\nKOD-1;Fincan;7\n`);

    expect(run.file).toMatchObject({ headerRow: 4, header: ["Ürün Kodu", "Başlık", "Stok"] });
    expect(JSON.stringify(run.facts?.reading?.notes)).toContain("başlık 4. satır (--header-row)");
  });

  it("finds headers of which a person has named the fields", async () => {
    const { plan } = await createPlanner();
    const columns = new Map([
      ["Sipariş no", "product_code"],
      ["Eldeki", "stock"],
    ]);

    const run = await plan("Rapor;2026\nSipariş no;Eldeki\nKOD-1;7\n", { columns });

    expect(run.file?.headerRow).toBe(2);
  });

  it("learns no notation from rows whose cells have slipped", async () => {
    const { plan, connection } = await createPlanner();
    const good = Array.from({ length: 9 }, (_, index) => `KOD-${index + 10};Ev > Fincan;5;1`);

    const text = ["Ürün Kodu;Kategori;Fiyat;Stok", "KOD-1;Ev;77;7;x", ...good].join("\n");
    const { id, facts } = await plan(text);

    const [row] = await connection.journal.readRows(id, { limit: 1 });
    expect(row?.state).toBe("invalid");
    expect(row?.issues[0]).toMatchObject({ code: "E_COLUMN_COUNT", cell: "A2", value: "5" });
    expect(facts?.reading?.openNames).toEqual([]);
    expect(JSON.stringify(facts?.reading?.notes)).not.toContain("7700");
  });

  it("sends no properties where they are switched off", async () => {
    const { plan, connection } = await createPlanner();
    const text = "Ürün Kodu;Stok;Kategori;Renk\nKOD-1;8;Ev > Fincan;Mavi\n";

    const sent = await plan(text);
    const skipped = await plan(text, { properties: "skip" });

    const told = async ({ id }: RunRecord) =>
      JSON.stringify((await connection.journal.readRows(id, { limit: 1 }))[0]?.issues);
    expect(await told(sent)).toContain("Properties");
    expect(await told(skipped)).not.toContain("Properties");
    expect(JSON.stringify(skipped.facts?.reading?.notes)).not.toContain("Özellik");
  });

  it("refuses codes that only look alike, unless they are allowed", async () => {
    const { plan, connection } = await createPlanner();
    const text = "Ürün Kodu;Stok\nKOD-1;8\nkod-1;8\nKOD-2;8\n";
    const states = async ({ id }: RunRecord) =>
      (await connection.journal.readRows(id, { limit: 9 })).map(({ state, issues }) =>
        issues.map(({ code, cell }) => `${code} ${cell}`).toSpliced(0, 0, state),
      );

    expect(await states(await plan(text))).toEqual([
      ["invalid", "E_CODE_SUSPECT A2"],
      ["invalid", "E_CODE_SUSPECT A3", "E_COLUMN_MISSING A3"],
      ["ready"],
    ]);
    expect((await states(await plan(text, { allowsSuspectCodes: true })))[0]).toEqual(["ready"]);
  });

  it("reports every step by its name", async () => {
    const { plan } = await createPlanner();
    const moments: string[] = [];

    await plan(SHEET, {
      onProgress: ({ step, done, total }) => moments.push(`${step} ${done}/${total ?? "?"}`),
    });

    expect([...new Set(moments.map((moment) => moment.split(" ")[0]))]).toEqual([
      "read",
      "names",
      "store",
      "plan",
    ]);
    expect(moments.at(-1)).toBe("plan 3/3");
  });

  it("rejects with the reason of the signal, and leaves nothing to apply", async () => {
    const { plan, connection } = await createPlanner();
    const stop = new AbortController();

    const planning = plan(SHEET, {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("interrupted")),
    });

    await expect(planning).rejects.toThrow("interrupted");
    expect((await connection.runs.list(9)).map(({ state }) => state)).toEqual(["planning"]);
  });
});

describe("a file that cannot be planned", () => {
  it("is refused when it changes while it is read, and leaves nothing to apply", async () => {
    const { plan, connection, write, market } = await createPlanner();
    const steps: string[] = [];

    const planning = plan(SHEET, {
      onProgress({ step }) {
        steps.push(step);
        write("stok.csv", SHEET.replace("KOD-2;9", "KOD-2;0"));
      },
    });

    await expect(planning).rejects.toMatchObject({ name: "ToolkitError", code: "E_FILE_CHANGED" });
    expect(steps).toEqual(["read"]);
    expect((await connection.runs.list(9)).map(({ state }) => state)).toEqual(["planning"]);
    expect(market.log.filter((path) => /add|update/u.test(path))).toEqual([]);
  });

  it("is described before it is refused", async () => {
    const { plan } = await createPlanner();
    const lines: string[] = [];

    const planning = plan("Fiyat;Stok\n10,00;5\n", { onReading: ({ en }) => lines.push(en) });

    await expect(planning).rejects.toMatchObject({ code: "E_FILE_COLUMNS" });
    expect(lines).toEqual([expect.stringContaining("headers in row 1 (--header-row)")]);
  });

  it.each([
    ["without a column of codes", "Fiyat;Stok\n10,00;5\n", "E_FILE_COLUMNS"],
    ["with two columns for one field", "Ürün Kodu;Stok;Stok\nA;5;6\n", "E_FILE_COLUMNS"],
    ["with headers only", "Ürün Kodu;Stok\n", "E_NO_ROWS"],
    ["with machine keys only", "Ürün Kodu;Stok\nproduct_code;stock\n", "E_NO_ROWS"],
    ["with remarks only", "Ürün Kodu;Stok\n# not;x\n", "E_NO_ROWS"],
  ])("%s is refused before a call, and leaves no run", async (_name, text, code) => {
    const { plan, connection, market } = await createPlanner();

    await expect(plan(text)).rejects.toMatchObject({ name: "ToolkitError", code });

    expect(market.log).toEqual([]);
    expect(await connection.runs.list(9)).toEqual([]);
  });

  it("lists the issues of its columns", async () => {
    const { plan } = await createPlanner();

    await expect(plan("Ürün Kodu;Stok;Stok\nA;5;6\n")).rejects.toMatchObject({
      issues: [{ row: 1 }],
    });
  });

  it("is refused with the reader's error", async () => {
    const { plan, folder } = await createPlanner();

    await expect(plan(SHEET, { path: join(folder, "yok.csv") })).rejects.toMatchObject({
      name: "SheetError",
      code: "E_FILE_MISSING",
    });
  });
});

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
      payload: { product_id: idSchemas.product.parse("p-1"), title: "Kazak, M" },
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

it("a file whose rows are stored while it is read takes cells from a parent that is being stored", async () => {
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

describe("the pattern of titles that a person types", () => {
  it.each(["{title} {options}", "{title} - {option1} / {option2}"])("is taken: %s", (pattern) => {
    expect(parseVariantTitle(pattern)).toBe(pattern);
  });

  it.each(["{options}", "{title} {colour}", "Kazak"])("is refused: %s", (pattern) => {
    expect(() => parseVariantTitle(pattern)).toThrow(/not understood/u);
  });
});
