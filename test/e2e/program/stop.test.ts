import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { pauseProcess } from "../../helpers/processes/pause-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(2);
}

const codesOf = ({ sandbox }: TestStore): string[] =>
  sandbox
    .products()
    .map(({ product_code }) => product_code)
    .toSorted();

const CODES = goodRows(20).map((row) => String(row["Ürün Kodu *"]));

describe.each(["SIGTERM", "SIGHUP"] as const)("%s", { timeout: 120_000 }, (signal) => {
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

describe("a download that is waited for", { timeout: 120_000 }, () => {
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

describe("a signal that comes twice", { timeout: 120_000 }, () => {
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

describe("Ctrl-C twice", { timeout: 120_000 }, () => {
  it("ends the program at once, and nothing is lost or duplicated", async () => {
    const shop = await openTestStore({ latencyMs: 400 });
    const file = writeCsv(shop.folder, "a.csv", goodRows(20));
    const { child, finished } = shop.start("import", file, "--yes", "--json");
    await until(() => shop.sandbox.stats().adds > 2);

    child.kill("SIGINT");
    await wait(50);
    child.kill("SIGINT");

    expect((await finished).code).toBe(130);
    const [{ run }] = JSON.parse((await shop.run("runs", "--json")).out).runs;
    const resumed = JSON.parse((await shop.run("resume", run, "--json")).out);
    const { added, held, rows } = resumed.counts;
    expect(added + held).toBe(rows);
    expect(new Set(codesOf(shop)).size).toBe(codesOf(shop).length);
    expect(codesOf(shop).length).toBeGreaterThanOrEqual(added);
  });
});

describe("the lock of a store", { timeout: 120_000 }, () => {
  it("names command, process and run, and is released at once by kill -9", async () => {
    const shop = await openTestStore({ latencyMs: 20 });
    const file = writeCsv(shop.folder, "a.csv", goodRows(20));
    const { run } = JSON.parse((await shop.run("plan", file, "--json")).out);
    const { child, finished } = shop.start("apply", run, "--json");
    await until(() => shop.sandbox.stats().adds > 0);
    await pauseProcess(child, join(shop.folder, "home"));

    const second = await shop.run("resume", run, "--json", "--lang", "en");
    child.kill("SIGKILL");
    await finished;
    const third = await shop.run("resume", run, "--json");

    expect(second.code).toBe(75);
    expect(second.err).toContain(`catalog apply ${run}, process ${child.pid}, since `);
    expect([0, 5]).toContain(third.code);
    expect(new Set(codesOf(shop)).size).toBe(codesOf(shop).length);
  });
});
