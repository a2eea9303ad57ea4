import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, goodRows, writeText, writeCsv } from "../../helpers/product-sheet.ts";

describe("the same data again", { timeout: 120_000 }, () => {
  it("refuses again what was refused for its notation, however few rows are left", async () => {
    const shop = await openTestStore();
    const prices = ["1.234,56", "99,90", "7,5", "1,299.90"];
    const rows = prices.map((price, index) => goodRow(index + 1, { "Fiyat *": price }));
    const file = writeCsv(shop.folder, "fiyat.csv", rows);
    const first = JSON.parse((await shop.run("import", file, "--yes", "--json")).out);

    const again = await shop.run("import", first.files.failed, "--yes", "--json");

    expect(first.counts).toMatchObject({ added: 3, invalid: 1 });
    expect(again.code).toBe(3);
    expect(JSON.parse(again.out).counts).toMatchObject({ added: 0, invalid: 1 });
  });

  it("holds a product that was added elsewhere since the plan", async () => {
    const breaks = { "early-token": "the colleague's machine has a token of its own" };
    const shop = await openTestStore({ breaks });
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(3));
    const plan = JSON.parse((await shop.run("plan", file, "--json")).out);
    const colleague = { ...shop.env, CATALOG_HOME: join(shop.folder, "other-home") };
    await callCatalog(["import", file, "--yes"], { cwd: shop.folder, env: colleague });

    const resumed = await shop.run("resume", plan.run, "--json");

    expect(resumed.code).toBe(5);
    expect(JSON.parse(resumed.out).counts).toMatchObject({ added: 0, held: 3 });
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

describe("a marketplace that becomes unreachable", { timeout: 120_000 }, () => {
  it("leaves a report, the reason and a run that can be resumed", async () => {
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
    const plan = JSON.parse((await shop.run("plan", file, "--json")).out);
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
    const { run } = JSON.parse((await shop.run("import", file, "--yes", "--json")).out);

    const report = JSON.parse((await shop.run("report", run, "--json")).out);

    const { readFileSync } = await import("node:fs");
    const kept = JSON.parse(readFileSync(report.files.summary, "utf8"));
    expect(report).toMatchObject({ command: "report", exit: 0 });
    expect(kept).toMatchObject({ command: "import", exit: 5 });
  });
});
