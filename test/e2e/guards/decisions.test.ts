import { join } from "node:path";

import { parseFault } from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { hasTerminal, startOnTerminal } from "../../helpers/processes/terminal-process.ts";
import {
  goodRow,
  goodRows,
  writeCsv,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";
import { openObedientProgram } from "../../safety/kill/obedient-program.ts";

/** Plans a sheet of good rows, and returns its path and the run. */
async function planRows(
  shop: TestStore,
  rows: number,
  ...flags: readonly string[]
): Promise<{ readonly file: string; readonly run: string }> {
  const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(rows));
  const document = await shop.json("plan", file, ...flags);
  return { file, run: document.run };
}

describe("catalog apply", () => {
  it("sends a plan once, as it was shown", async () => {
    const shop = await openTestStore();
    const { run } = await planRows(shop, 3);

    const applied = await shop.json("apply", run);
    const again = await shop.json("apply", run);

    expect(applied).toMatchObject({
      command: "apply",
      exit: 0,
      counts: { added: 3 },
    });
    expect(again.exit).toBe(2);
    expect(again).toMatchObject({ error: { code: "E_RUN_BEGUN" } });
    expect(shop.sandbox.stats().products).toBe(3);
  });

  it("refuses a plan whose file has changed, and sends it when told to check again", async () => {
    const shop = await openTestStore();
    const { run } = await planRows(shop, 2);
    await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(5));

    const refused = await shop.json("apply", run);
    expect(refused.exit).toBe(3);
    expect(refused).toMatchObject({ error: { code: "E_PLAN_FILE" } });
    expect(shop.sandbox.stats().adds).toBe(0);
    const applied = await shop.json("apply", run, "--recheck");

    expect(applied).toMatchObject({ exit: 0, counts: { rows: 2, added: 2 } });
  });

  it("respects the plan's limits", async () => {
    const shop = await openTestStore();
    const rows = [goodRow(1), goodRow(2, { "Fiyat *": "x" })];
    const file = await writeWorkbook(shop.folder, "a.xlsx", rows);
    const { run } = await shop.json("plan", file, "--strict");

    const applied = await shop.run("apply", run);

    expect(applied.code).toBe(3);
    expect(applied.err).toContain("--strict");
    expect(shop.sandbox.stats().adds).toBe(0);
  });

  it("holds an update whose product was changed since the plan, and sends the others", async () => {
    const shop = await openTestStore();
    const first = await writeWorkbook(shop.folder, "a.xlsx", goodRows(2));
    await shop.run("import", first, "--yes");
    const later = [goodRow(1, { "Stok *": 77 }), goodRow(2, { "Stok *": 77 })];
    const second = await writeWorkbook(shop.folder, "b.xlsx", later);
    const { run } = await shop.json("plan", second);
    const colleague = [goodRow(1, { "Stok *": 55 })];
    const third = await writeWorkbook(shop.folder, "c.xlsx", colleague);
    await shop.run("import", third, "--yes");

    const applied = await shop.json("apply", run, "--recheck");

    expect(applied).toMatchObject({
      exit: 5,
      counts: { updated: 1, held: 1 },
      issues: [{ code: "E_CHANGED", row: 2 }],
    });
    const stocks = shop.sandbox.products().map(({ stock_count }) => stock_count);
    expect(new Set(stocks)).toEqual(new Set([55, 77]));
  });
});

describe("catalog resume", () => {
  it("makes no write and no lookup for a run that has ended", async () => {
    const shop = await openTestStore();
    const { run } = await planRows(shop, 2);
    await shop.run("apply", run);
    const before = shop.sandbox.stats();

    const resumed = await shop.json("resume", run);

    expect(resumed).toMatchObject({ exit: 0, counts: { added: 2 } });
    expect(shop.sandbox.stats().adds).toBe(before.adds);
  });
});

describe("catalog retry", () => {
  it("does nothing when no row was rejected", async () => {
    const shop = await openTestStore();
    const { run } = await planRows(shop, 1);

    const { code, err } = await shop.run("retry", run, "--yes", "--lang", "en");

    expect(code).toBe(0);
    expect(err).toContain("no rejected rows");
  });
});

/** Imports with the waits between the lookups of a lost add cut to a fiftieth. */
async function importHurried(shop: TestStore, file: string): Promise<ImportDocument> {
  const start = await openObedientProgram();
  const importing = start({}, ["import", file, "--yes", "--json"], {
    env: shop.env,
    cwd: shop.folder,
  });
  return JSON.parse((await importing.finished).out);
}

interface ImportDocument {
  readonly run: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** A run of two rows in which the second add got no answer and was not carried out. */
async function holdOne(): Promise<TestStore & { readonly held: string }> {
  const shop = await openTestStore({ faults: [parseFault("reset-before:product.add:nth=2")] });
  const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(2));
  const { run, counts } = await importHurried(shop, file);
  expect(counts).toMatchObject({ added: 1, held: 1 });
  return { ...shop, held: run };
}

/**
 * Three rows in a store that shows products only after approval: all were added, and two answers
 * lost.
 */
async function holdHidden(): Promise<TestStore & { readonly held: string }> {
  const lost = ["nth=2", "nth=3"].map((nth) => parseFault(`reset-after:product.add:${nth}`));
  const shop = await openTestStore({
    faults: lost,
    personality: { "new-product": "after-approval" },
  });
  const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(3));
  const { run, counts } = await importHurried(shop, file);
  expect(counts).toMatchObject({ added: 1, held: 2 });
  return { ...shop, held: run };
}

describe("catalog release", () => {
  it("lists the held rows with reasons, and changes nothing", async () => {
    const { run, held } = await holdOne();

    const listed = await run("release", held);

    expect(listed.code).toBe(0);
    expect(listed.out).toContain("Satır 3  TST-00002");
    expect(listed.err).toContain(`catalog release ${held} --rows 3 --resend`);
    expect(JSON.parse((await run("runs", held, "--json")).out).counts.held).toBe(1);
  });

  it("sends a row that the store does not show, and records who released it", async () => {
    const { run, held, sandbox } = await holdOne();

    const flags = ["--rows", "3", "--resend", "--yes", "--reason", "panelde yok"];
    const released = await run("release", held, ...flags, "--json");

    expect(JSON.parse(released.out)).toMatchObject({ exit: 0, counts: { added: 2, held: 0 } });
    expect(released.err.replaceAll(/\s+/gu, " ")).toContain("15 dakikadan kısa süre önce gitti");
    expect(sandbox.stats().products).toBe(2);
    const explained = JSON.parse((await run("explain", held, "3", "--json")).out);
    expect(explained).toMatchObject({ state: "done" });
    const causes = explained.events.map(({ cause }: { readonly cause: string }) => cause);
    expect(causes).toEqual(
      expect.arrayContaining(["plan", "begin", "lost", "released-resend", "answer"]),
    );
    expect(JSON.stringify(explained.events)).toContain("panelde yok");
  });

  it.skipIf(!hasTerminal)(
    "sends no add again in a store that hides new products, unless its code is typed or --resend-blind given",
    async () => {
      const shop = await holdHidden();
      const { run, held, sandbox } = shop;
      const adds = (): number => sandbox.stats().adds;

      const refused = await run("release", held, "--resend", "--yes", "--lang", "tr");
      const typing = ["release", held, "--rows", "3", "--resend", "--yes", "--lang", "tr"];
      const wrong = startOnTerminal(shop, ...typing);
      wrong.type("TST-00002\r");
      await wrong.shows("ürün kodunu yazın");
      wrong.type("evet\r");
      const { code } = await wrong.finished;
      const before = adds();
      const right = startOnTerminal(shop, ...typing);
      await right.shows("ürün kodunu yazın");
      right.type("TST-00002\r");
      await right.finished;
      const between = adds();
      const unproven = await run(
        "release",
        held,
        "--rows",
        "4",
        "--resend-blind",
        "--yes",
        "--json",
      );

      const output = `${refused.out}${refused.err}`.replaceAll(/\s+/gu, " ");
      expect(output).toContain("Bu mağazanın eklenen ürünleri gösterdiği henüz görülmedi");
      expect(output).toContain("--resend-blind");
      expect([refused.code, code, before, between, adds()]).toEqual([5, 5, 3, 4, 5]);
      expect(JSON.parse(unproven.out)).toMatchObject({ counts: { added: 3, held: 0 } });
    },
  );

  it("marks a row as done only with the id of a product with its code", async () => {
    const { run, held, sandbox } = await holdOne();
    const [product] = sandbox.products();

    const other = await run(
      "release",
      held,
      "--rows",
      "3",
      "--as-done",
      product?.id ?? "",
      "--yes",
    );
    const unknown = await run("release", held, "--rows", "3", "--as-done", "yok", "--yes");

    expect([other.code, unknown.code]).toEqual([5, 5]);
    expect(other.out).toContain("TST-00001");
    expect(unknown.out).toContain("yok kimlikli bir ürün göstermiyor");
  });

  it("cancels a row, and allows its code to be imported later", async () => {
    const { run, held, folder, sandbox } = await holdOne();

    const released = await run("release", held, "--cancel", "--yes", "--json");
    const again = await run("import", `${folder}/a.xlsx`, "--yes", "--json");

    expect(JSON.parse(released.out)).toMatchObject({ exit: 0, counts: { cancelled: 1, held: 0 } });
    expect(JSON.parse(again.out).counts).toMatchObject({ added: 1, unchanged: 1 });
    expect(sandbox.stats().products).toBe(2);
  });
});

describe("catalog explain", () => {
  it("shows what was read, planned and done, in at most 80 columns", async () => {
    const shop = await openTestStore();
    const { run } = await planRows(shop, 1);
    await shop.run("apply", run);

    const { out, code } = await shop.run("explain", run, "2");
    const missing = await shop.run("explain", run, "99");

    expect(code).toBe(0);
    for (const text of [
      "TST-00001",
      "Deneme ürünü 1",
      "20,99",
      "Anadolu Bakır (ID ",
      "Pazaryeri kabul etti",
      "tamamlandı",
    ]) {
      expect(out).toContain(text);
    }
    expect(missing.code).toBe(2);
    expect(missing.err).toContain("99. satır yok");
  });
});

describe("data that is imported a second time", () => {
  it("refuses an ambiguous number again, however few rows remain", async () => {
    const shop = await openTestStore();
    const prices = ["1.234,56", "99,90", "7,5", "1,299.90"];
    const rows = prices.map((price, index) => goodRow(index + 1, { "Fiyat *": price }));
    const file = writeCsv(shop.folder, "fiyat.csv", rows);
    const first = await shop.json("import", file, "--yes");

    const again = await shop.json("import", first.files.failed, "--yes");

    expect(first.counts).toMatchObject({ added: 3, invalid: 1 });
    expect(again.exit).toBe(3);
    expect(again.counts).toMatchObject({ added: 0, invalid: 1 });
  });

  it("holds a product that was added elsewhere since the plan", async () => {
    const breaks = { "early-token": "the colleague's machine has a token of its own" };
    const shop = await openTestStore({ breaks });
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(3));
    const plan = await shop.json("plan", file);
    const colleague = { ...shop.env, CATALOG_HOME: join(shop.folder, "other-home") };
    await callCatalog(["import", file, "--yes"], { cwd: shop.folder, env: colleague });

    const resumed = await shop.json("resume", plan.run);

    expect(resumed.exit).toBe(5);
    expect(resumed.counts).toMatchObject({ added: 0, held: 3 });
    expect(shop.sandbox.stats().products).toBe(3);
  });

  it("needs the right secret even while a token is stored", async () => {
    const shop = await openTestStore();
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(1));
    await shop.run("import", file, "--yes");

    const { code } = await callCatalog(["import", file, "--yes"], {
      cwd: shop.folder,
      env: { ...shop.env, CATALOG_CLIENT_SECRET: "wrong" },
    });

    expect(code).toBe(4);
  });
});

describe("a marketplace that becomes unreachable", () => {
  it("ends with a report, the reason and a run that can be resumed", async () => {
    const shop = await openTestStore({ latencyMs: 5 });
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(60));
    const { finished } = shop.start("import", file, "--yes", "--json");
    await expect.poll(() => shop.sandbox.stats().adds, { timeout: 120_000 }).toBeGreaterThan(5);
    await shop.sandbox.close();

    const { code, out, err } = await finished;

    const document = JSON.parse(out);
    expect(code).toBe(6);
    expect(document).toMatchObject({ state: "stopped", error: { code: "E_BREAKER" } });
    expect(document.counts.rows).toBe(60);
    expect(document.files.result).not.toBeNull();
    expect(err).toContain(`catalog resume ${document.run}`);
  });
});

describe("the command line", () => {
  it("ends a wait for the hourly limit at Ctrl-C", async () => {
    const shop = await openTestStore();
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(3));
    const plan = await shop.json("plan", file);
    const before = shop.sandbox.stats().requests;
    const { child, finished } = shop.start(
      "resume",
      plan.run,
      "--requests-per-hour",
      "4",
      "--json",
    );
    const requests = (): number => shop.sandbox.stats().requests;
    await expect.poll(requests, { timeout: 120_000 }).toBeGreaterThan(before);

    child.kill("SIGINT");

    expect((await finished).code).toBe(130);
  });

  it("refuses a column in --map that the file does not have", async () => {
    const shop = await openTestStore();
    const file = writeText(shop.folder, "a.csv", "Ürün Kodu;Fiyat\nA;10,00\n");

    const { code, err } = await shop.run("import", file, "--yes", "--map", "Yok=price");

    expect(code).toBe(3);
    expect(err).toContain("Yok");
  });

  it("writes the end of the import to summary.json", async () => {
    const shop = await openTestStore();
    const rows = [goodRow(1), goodRow(2, { "Fiyat *": "x" })];
    const file = writeCsv(shop.folder, "a.csv", rows);
    const { run } = await shop.json("import", file, "--yes");

    const report = await shop.json("report", run);

    const { readFileSync } = await import("node:fs");
    const kept = JSON.parse(readFileSync(report.files.summary, "utf8"));
    expect(report).toMatchObject({ command: "report", exit: 0 });
    expect(kept).toMatchObject({ command: "import", exit: 5 });
  });
});
