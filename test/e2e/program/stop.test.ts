import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setImmediate as afterEvents, setTimeout as wait } from "node:timers/promises";

import { describe, expect, it, onTestFinished } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { pauseProcess } from "../../helpers/processes/pause-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";
import { openObedientProgram } from "../../safety/kill/obedient-program.ts";

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(2);
}

const codesOf = ({ sandbox }: TestStore): string[] =>
  sandbox
    .products()
    .map(({ product_code }) => product_code)
    .toSorted();

const CODES = goodRows(20).map((row) => String(row["Ürün Kodu *"]));

describe.each(["SIGTERM", "SIGHUP"] as const)("%s", (signal) => {
  it("works like Ctrl-C: calls under way finish, and the run can be resumed", async () => {
    const shop = await openTestStore({ latencyMs: 30 });
    const file = writeCsv(shop.folder, "a.csv", goodRows(20));
    const { child, finished } = shop.start("import", file, "--yes", "--json");
    await until(() => shop.sandbox.stats().adds > 3);

    child.kill(signal);

    const { code, out, err } = await finished;
    const document = JSON.parse(out);
    expect(code).toBe(130);
    expect(document.counts).toMatchObject({ added: shop.sandbox.stats().adds, unknown: 0 });
    expect(err).toContain(`catalog resume ${document.run}`);
    await shop.run("resume", document.run);
    expect(codesOf(shop)).toEqual(CODES);
  });

  it("ends a plan before anything is sent", async () => {
    const shop = await openTestStore({ latencyMs: 200 });
    const file = writeCsv(shop.folder, "a.csv", goodRows(20));
    const { child, finished } = shop.start("import", file, "--yes", "--json");
    await until(() => shop.sandbox.stats().requests > 2);

    child.kill(signal);

    const { code, out } = await finished;
    expect(code).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "E_INTERRUPTED" } });
    expect(shop.sandbox.stats().adds).toBe(0);
  });
});

describe("a download that is waited for", () => {
  it("ends at once when the sync is interrupted", async () => {
    const shop = await openTestStore();
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(503, { "retry-after": "200" }).end();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const { child, finished } = shop.start("sync", `http://${host}/a.csv`, "--allow-host", host);
    await until(() => requests > 0);
    await wait(200);

    child.kill("SIGINT");

    expect([(await finished).code, requests]).toEqual([130, 1]);
  });
});

describe("a signal that comes twice", () => {
  it.each([
    ["SIGTERM", "SIGTERM"],
    ["SIGHUP", "SIGHUP"],
    ["SIGINT", "SIGTERM"],
  ] as const)("lets calls under way finish: %s, %s", async (first, second) => {
    const shop = await openTestStore({ latencyMs: 150 });
    const file = writeCsv(shop.folder, "a.csv", goodRows(20));
    const { child, finished } = shop.start("import", file, "--yes", "--json");
    await until(() => shop.sandbox.stats().adds > 2);

    child.kill(first);
    await wait(50);
    child.kill(second);

    const { code, out } = await finished;
    expect(code).toBe(130);
    expect(JSON.parse(out).counts).toMatchObject({ added: shop.sandbox.stats().adds, unknown: 0 });
  });
});

describe("Ctrl-C twice", () => {
  it("ends the program at once, and nothing is lost or duplicated", async () => {
    const shop = await openTestStore({ latencyMs: 400 });
    const file = writeCsv(shop.folder, "a.csv", goodRows(20));
    const { child, finished } = shop.start("import", file, "--yes", "--json");
    await until(() => shop.sandbox.stats().adds > 2);

    child.kill("SIGINT");
    await wait(50);
    child.kill("SIGINT");

    expect((await finished).code).toBe(130);
    const [{ run }] = (await shop.json("runs")).runs;
    const resumed = await shop.json("resume", run);
    const { added, held, rows } = resumed.counts;
    expect(added + held).toBe(rows);
    expect(new Set(codesOf(shop)).size).toBe(codesOf(shop).length);
    expect(codesOf(shop).length).toBeGreaterThanOrEqual(added);
  });
});

describe("the lock of a store", () => {
  it("names command, process and run, and is released at once by kill -9", async () => {
    const shop = await openTestStore({ latencyMs: 20 });
    const file = writeCsv(shop.folder, "a.csv", goodRows(20));
    const { run } = await shop.json("plan", file);
    const { child, finished } = shop.start("apply", run, "--json");
    await until(() => shop.sandbox.stats().adds > 0);
    await pauseProcess(child, join(shop.folder, "home"));

    const second = await shop.json("resume", run, "--lang", "en");
    child.kill("SIGKILL");
    await finished;
    const third = await shop.json("resume", run);

    expect(second.exit).toBe(75);
    expect(second.err).toContain(`catalog apply ${run}, process ${child.pid}, since `);
    expect([0, 5]).toContain(third.exit);
    expect(new Set(codesOf(shop)).size).toBe(codesOf(shop).length);
  });
});

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

describe("kill -9 in the middle of an import", () => {
  for (const killAfter of [1, 7, 23, 41, 58]) {
    it(`loses and duplicates nothing after ${killAfter} adds when the run is resumed`, async () => {
      const shop = await openTestStore({ latencyMs: 5 });
      const file = writeCsv(shop.folder, "urunler.csv", goodRows(ROWS));
      const { child, finished } = shop.start("import", file, "--yes", "--json");
      await untilAdds(shop, killAfter);
      child.kill("SIGKILL");
      await finished;
      const [{ run }] = (await shop.json("runs")).runs;

      const resumed = await shop.json("resume", run);

      const document: Document = resumed;
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

    const again = await shop.json("import", file, "--yes");

    const document: Document = again;
    const held = heldCodes(document);
    expect(timesByCode(shop)).toEqual(onceEachBut(held));
    const { added = 0, unchanged = 0 } = document.counts;
    expect(added + unchanged).toBe(ROWS - held.length);
    expect(sumOf(document.counts)).toBe(ROWS);
  });
});

describe("Ctrl-C", () => {
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
    const resumed = await shop.json("resume", document.run);
    expect(resumed).toMatchObject({ exit: 0, counts: { added: ROWS } });
    expect(timesByCode(shop)).toEqual(onceEachBut([]));
  });
});

describe("a second process on the same store", () => {
  it("is refused with the command that holds the lock", async () => {
    const shop = await openTestStore({ latencyMs: 5 });
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(20));
    const { child, finished } = shop.start("import", file, "--yes", "--json");
    await untilAdds(shop, 1);
    // The process keeps its lock while it is suspended.
    await pauseProcess(child, join(shop.folder, "home"));

    const second = await shop.json("import", file, "--yes");
    child.kill("SIGCONT");

    expect(second.exit).toBe(75);
    expect(second).toMatchObject({ exit: 75, error: { code: "E_STORE_BUSY" } });
    expect(second.err).toContain("catalog import");
    expect((await finished).code).toBe(0);
    expect(shop.sandbox.stats().products).toBe(20);
  });
});

/** Resolves once the system says that the process is suspended. */
async function untilSuspended(pid: number): Promise<void> {
  while (!/\) T /u.test(readFileSync(`/proc/${pid}/stat`, "latin1"))) await afterEvents();
}

describe("a command while another one is suspended", () => {
  it("names the one that stays in the middle of a commit, with exit code 75", async () => {
    const { env, folder: cwd } = await openTestStore();
    const file = writeCsv(cwd, "urunler.csv", goodRows(2));
    const crash = { point: "begin-half-written", nth: 1, isSuspended: true };
    const start = await openObedientProgram();
    const first = start({ crash }, ["import", file, "--yes", "--json"], { env, cwd });
    const pid = first.child.pid ?? 0;
    await untilSuspended(pid);

    const second = await callCatalog(["runs", "--json"], { env, cwd });
    first.child.kill("SIGCONT");
    const { code, out } = await first.finished;

    expect(second.code).toBe(75);
    const { error } = JSON.parse(second.out);
    expect(error.code).toBe("E_DATABASE_BUSY");
    expect(error.message).toContain(`catalog import ${JSON.parse(out).run}, işlem no ${pid},`);
    expect(error.message).toContain("; duraklatılmış)");
    expect(code).toBe(0);
  });

  it("names the one that works on the same store, with exit code 75", async () => {
    const { env, folder: cwd } = await openTestStore();
    const file = writeCsv(cwd, "urunler.csv", goodRows(2));
    const crash = { point: "before-begin", nth: 1, isSuspended: true };
    const start = await openObedientProgram();
    const first = start({ crash }, ["import", file, "--yes", "--json"], { env, cwd });
    await untilSuspended(first.child.pid ?? 0);

    const second = await callCatalog(["import", file, "--yes", "--json"], { env, cwd });
    first.child.kill("SIGCONT");
    await first.finished;

    expect(second.code).toBe(75);
    const { error } = JSON.parse(second.out);
    expect(error.code).toBe("E_STORE_BUSY");
    expect(error.message).toContain(`işlem no ${first.child.pid},`);
    expect(error.message).toContain("; duraklatılmış)");
  });
});
