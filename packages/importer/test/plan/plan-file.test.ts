import { join } from "node:path";

import {
  createTestConnection,
  type MarketplaceServer,
  startMarketplaceServer,
  type TestConnection,
} from "@catalog/connection/testing";
import type { RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import type { PlanFileOptions } from "../../src/plan/plan-file-options.ts";
import { planFile } from "../../src/plan/plan-file.ts";

interface Planned extends TestConnection {
  readonly market: MarketplaceServer;
  readonly plan: (text: string, options?: Partial<PlanFileOptions>) => Promise<RunRecord>;
}

async function createPlanner(): Promise<Planned> {
  const market = await startMarketplaceServer();
  const test = await createTestConnection({ baseUrl: market.baseUrl });
  return {
    ...test,
    market,
    plan: (text, options = {}) =>
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
