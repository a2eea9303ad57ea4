import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { pauseProcess } from "../../helpers/processes/pause-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";

const ROWS = 60;

/**
 * Waits until the marketplace has counted this many adds, so that the process is in the middle of
 * sending.
 */
async function untilAdds({ sandbox }: TestStore, count: number): Promise<void> {
  while (sandbox.stats().adds < count) await wait(2);
}

function timesByCode({ sandbox }: TestStore): Record<string, number> {
  const codes = sandbox.products().map(({ product_code }) => product_code);
  return Object.fromEntries(
    Map.groupBy(codes, (code) => code)
      .entries()
      .map(([code, all]) => [code, all.length]),
  );
}

const codes = goodRows(ROWS).map((row) => String(row["Ürün Kodu *"]));

/** Every code once, except for rows that are held because it is unknown whether they were sent. */
function onceEachBut(held: readonly string[]): Record<string, number> {
  return Object.fromEntries(codes.filter((code) => !held.includes(code)).map((code) => [code, 1]));
}

interface Document {
  readonly counts: Counts;
  readonly issues: readonly { readonly code: string; readonly value: string }[];
}

const heldCodes = ({ issues }: Document): string[] =>
  issues
    .filter(({ code }) => code === "E_OUTCOME_UNKNOWN" || code === "E_ADD_OPEN")
    .map(({ value }) => value);

interface Counts {
  readonly rows: number;
  readonly [name: string]: number;
}

function sumOf({ rows: _rows, ...classes }: Counts): number {
  return Object.values(classes).reduce((sum, count) => sum + count, 0);
}

describe("kill -9 in the middle of an import", { timeout: 120_000 }, () => {
  for (const killAfter of [1, 7, 23, 41, 58]) {
    it(`loses and duplicates nothing after ${killAfter} adds when the run is resumed`, async () => {
      const shop = await openTestStore({ latencyMs: 5 });
      const file = writeCsv(shop.folder, "urunler.csv", goodRows(ROWS));
      const { child, finished } = shop.start("import", file, "--yes", "--json");
      await untilAdds(shop, killAfter);
      child.kill("SIGKILL");
      await finished;
      const [{ run }] = JSON.parse((await shop.run("runs", "--json")).out).runs;

      const resumed = await shop.run("resume", run, "--json");

      const document: Document = JSON.parse(resumed.out);
      const held = heldCodes(document);
      const { counts } = document;
      expect(timesByCode(shop)).toEqual(onceEachBut(held));
      expect(counts).toMatchObject({ rows: ROWS, added: ROWS - held.length, held: held.length });
      expect(sumOf(counts)).toBe(ROWS);
    });
  }

  it("loses and duplicates nothing when the same file is imported again instead", async () => {
    const shop = await openTestStore({ latencyMs: 5 });
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(ROWS));
    const { child, finished } = shop.start("import", file, "--yes", "--json");
    await untilAdds(shop, 20);
    child.kill("SIGKILL");
    await finished;

    const again = await shop.run("import", file, "--yes", "--json");

    const document: Document = JSON.parse(again.out);
    const held = heldCodes(document);
    expect(timesByCode(shop)).toEqual(onceEachBut(held));
    const { added = 0, unchanged = 0 } = document.counts;
    expect(added + unchanged).toBe(ROWS - held.length);
    expect(sumOf(document.counts)).toBe(ROWS);
  });
});

describe("Ctrl-C", { timeout: 120_000 }, () => {
  it("lets the calls under way finish, reports, and can be resumed", async () => {
    const shop = await openTestStore({ latencyMs: 5 });
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(ROWS));
    const { child, finished } = shop.start("import", file, "--yes", "--json");
    await untilAdds(shop, 10);
    child.kill("SIGINT");
    const stopped = await finished;
    const document = JSON.parse(stopped.out);

    expect(stopped.code).toBe(130);
    expect(document).toMatchObject({ state: "stopped", exit: 130, counts: { unknown: 0 } });
    expect(document.counts.added).toBe(shop.sandbox.stats().adds);
    const resumed = await shop.run("resume", document.run, "--json");
    expect(JSON.parse(resumed.out)).toMatchObject({ exit: 0, counts: { added: ROWS } });
    expect(timesByCode(shop)).toEqual(onceEachBut([]));
  });
});

describe("a second process on the same store", { timeout: 120_000 }, () => {
  it("is refused with the command that holds the lock", async () => {
    const shop = await openTestStore({ latencyMs: 5 });
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(20));
    const { child, finished } = shop.start("import", file, "--yes", "--json");
    await untilAdds(shop, 1);
    // The process keeps its lock while it is suspended.
    await pauseProcess(child, join(shop.folder, "home"));

    const second = await shop.run("import", file, "--yes", "--json");
    child.kill("SIGCONT");

    expect(second.code).toBe(75);
    expect(JSON.parse(second.out)).toMatchObject({ exit: 75, error: { code: "E_STORE_BUSY" } });
    expect(second.err).toContain("catalog import");
    expect((await finished).code).toBe(0);
    expect(shop.sandbox.stats().products).toBe(20);
  });
});
