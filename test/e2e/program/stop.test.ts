/** The program while it is interrupted, killed or suspended, and what the next one finds. */

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setImmediate as afterEvents, setTimeout as wait } from "node:timers/promises";

import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { pauseProcess } from "../../helpers/processes/pause-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";
import { openObedientProgram } from "../../safety/kill/obedient-program.ts";

const ROWS = 30;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(2);
}

/** Starts an import of new products, and waits until the marketplace has added so many of them. */
async function startImport(latencyMs: number, adds: number) {
  const shop = await openTestStore({ latencyMs });
  const file = writeCsv(shop.folder, "a.csv", goodRows(ROWS));
  const { child, finished } = shop.start("import", file, "--yes", "--json");
  await until(() => shop.sandbox.stats().adds >= adds);
  return { shop, file, child, finished };
}

const sorted = (texts: readonly string[]): readonly string[] => texts.toSorted();
const codesOf = ({ sandbox }: TestStore): readonly string[] =>
  sorted(sandbox.products().map(({ product_code }) => product_code));
const CODES = sorted(goodRows(ROWS).map((row) => String(row["Ürün Kodu *"])));

/** The codes of rows that are held because nobody knows whether they were sent. */
const heldCodes = (issues: readonly { readonly code: string; readonly value: string }[]) =>
  issues
    .filter(({ code }) => code === "E_OUTCOME_UNKNOWN" || code === "E_ADD_OPEN")
    .map(({ value }) => value);

describe("an import that is interrupted", () => {
  it.each<readonly [NodeJS.Signals, NodeJS.Signals?]>([
    ["SIGINT"],
    ["SIGTERM"],
    ["SIGHUP"],
    ["SIGTERM", "SIGTERM"],
    ["SIGINT", "SIGTERM"],
  ])("lets the calls under way finish, and can be resumed: %s %s", async (signal, second) => {
    const { shop, child, finished } = await startImport(100, 4);

    child.kill(signal);
    if (second !== undefined) await wait(50);
    if (second !== undefined) child.kill(second);
    const { code, out, err } = await finished;
    const { run, ...stopped } = JSON.parse(out);
    const { adds } = shop.sandbox.stats();
    const resumed = await shop.json("resume", run);

    expect([code, adds < ROWS]).toEqual([130, true]);
    expect(stopped).toMatchObject({ state: "stopped", counts: { added: adds, unknown: 0 } });
    expect(err).toContain(`catalog resume ${run}`);
    expect(resumed).toMatchObject({ exit: 0, counts: { added: ROWS } });
    expect(codesOf(shop)).toEqual(CODES);
  });

  it("sends nothing where it still plans", async () => {
    const shop = await openTestStore({ latencyMs: 200 });
    const file = writeCsv(shop.folder, "a.csv", goodRows(20));
    const { child, finished } = shop.start("import", file, "--yes", "--json");
    await until(() => shop.sandbox.stats().requests > 2);

    child.kill("SIGTERM");

    const { code, out } = await finished;
    expect(code).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "E_INTERRUPTED" } });
    expect(shop.sandbox.stats().adds).toBe(0);
  });

  it("ends at once after a second Ctrl-C, and loses and duplicates nothing", async () => {
    const { shop, child, finished } = await startImport(400, 3);

    child.kill("SIGINT");
    await wait(50);
    child.kill("SIGINT");
    const { code } = await finished;
    const [{ run }] = (await shop.json("runs")).runs;
    const { added, held, rows } = (await shop.json("resume", run)).counts;

    expect([code, added + held]).toEqual([130, rows]);
    expect(new Set(codesOf(shop)).size).toBe(codesOf(shop).length);
    expect(codesOf(shop).length).toBeGreaterThanOrEqual(added);
  });
});

it("a sync that waits for a download ends at once when it is interrupted", async () => {
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

describe("an import that is killed", () => {
  it.each([
    [1, "resume"],
    [12, "resume"],
    [28, "resume"],
    [12, "import"],
  ])("loses and duplicates nothing after %i adds: %s", async (adds, command) => {
    const { shop, file, child, finished } = await startImport(5, adds);
    child.kill("SIGKILL");
    await finished;
    const [{ run }] = (await shop.json("runs")).runs;

    const next = command === "resume" ? ["resume", run] : ["import", file, "--yes"];
    const { counts, issues } = await shop.json(...next);

    const held = heldCodes(issues);
    const { rows, ...classes }: Record<string, number> = counts;
    const sum = Object.values(classes).reduce((all, count) => all + count, 0);
    expect(codesOf(shop)).toEqual(CODES.filter((code) => !held.includes(code)));
    expect([rows, sum, counts.added + counts.unchanged]).toEqual([ROWS, ROWS, ROWS - held.length]);
  });

  it("releases the lock of its store, which names command, process and run", async () => {
    const shop = await openTestStore({ latencyMs: 20 });
    const file = writeCsv(shop.folder, "a.csv", goodRows(20));
    const { run } = await shop.json("plan", file);
    const { child, finished } = shop.start("apply", run, "--json");
    await until(() => shop.sandbox.stats().adds > 0);
    // The process keeps its lock while it is suspended.
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

describe("a command beside an import that is suspended", () => {
  it.each([
    ["in the middle of a commit", "begin-half-written", "E_DATABASE_BUSY", ["runs"]],
    ["while it sends", "before-begin", "E_STORE_BUSY", ["import", "a.csv", "--yes"]],
  ])("names its process, and ends with exit code 75: %s", async (_, point, code, words) => {
    const shop = await openTestStore();
    writeCsv(shop.folder, "a.csv", goodRows(2));
    const crash = { point, nth: 1, isSuspended: true };
    const at = { env: shop.env, cwd: shop.folder };
    const start = await openObedientProgram();
    const { child, finished } = start({ crash }, ["import", "a.csv", "--yes", "--json"], at);
    const stat = `/proc/${child.pid}/stat`;
    while (!/\) T /u.test(readFileSync(stat, "latin1"))) await afterEvents();

    const second = await shop.json(...words);
    child.kill("SIGCONT");
    const first = await finished;

    expect([second.exit, second.error.code, first.code]).toEqual([75, code, 0]);
    expect(second.error.message).toContain("catalog import");
    expect(second.error.message).toContain(`işlem no ${child.pid},`);
    expect(second.error.message).toContain("; duraklatılmış)");
  });
});
