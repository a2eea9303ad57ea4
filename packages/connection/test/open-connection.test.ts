import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import type { ConnectionOptions } from "../src/connection-options.ts";
import { openConnection } from "../src/open-connection.ts";
import { startMarketplaceServer } from "../src/testing/marketplace-server.ts";
import { RUN_ID, storeRun } from "../src/testing/stored-run.ts";
import {
  createTestConnection,
  CLOSED_ADDRESS,
  type TestConnection,
} from "../src/testing/test-connection.ts";

const START_MS = Date.UTC(2026, 10, 21);

/** Options with which another process would open the same store. */
const besides = ({ folder, clock }: TestConnection): ConnectionOptions => ({
  home: join(folder, "home"),
  baseUrl: CLOSED_ADDRESS,
  storeId: "s-1",
  credentials: { clientKey: "key", clientSecret: "secret" },
  clock,
  random: () => 0,
});

describe("openConnection", () => {
  it("creates a home that only its owner can read, and makes no call", async () => {
    const { folder, connection } = await createTestConnection();

    expect(existsSync(join(folder, "home", "catalog.db"))).toBe(true);
    expect(statSync(join(folder, "home")).mode & 0o777).toBe(0o700);
    expect(connection.meters.calls.counts()).toEqual({ token: 0, read: 0, write: 0 });
    expect(connection.meters.calls.meanMs()).toBe(0);
  });

  it("explains a home that cannot be made", async () => {
    const test = await createTestConnection();
    const home = join(test.write("dosya", "x"), "home");

    await expect(openConnection({ ...besides(test), home })).rejects.toMatchObject({
      name: "StoreError",
      code: "E_DATABASE",
      message: expect.stringContaining(home),
    });
  });

  it("refuses settings that the client refuses", async () => {
    const test = await createTestConnection();

    await expect(
      openConnection({ ...besides(test), baseUrl: "http://market.example" }),
    ).rejects.toMatchObject({ code: "SETTINGS_ERROR" });
  });

  it.each([
    { name: "a file", limitMs: 60_000, open: async () => undefined },
    { name: "PostgreSQL", limitMs: 30_000, open: createTestDatabase },
  ])("gives up a request on $name after $limitMs ms", async ({ name, limitMs, open }) => {
    if (name === "PostgreSQL" && !hasPostgres()) return;
    const server = await open();
    onTestFinished(() => server?.[Symbol.asyncDispose]());
    const { baseUrl } = await startMarketplaceServer();
    const waits: number[] = [];
    const clock = createFakeClock(START_MS);
    const { connection } = await createTestConnection({
      baseUrl,
      databaseUrl: server?.url,
      clock: {
        now: () => clock.now(),
        sleep: async (ms, signal) => {
          waits.push(ms);
          await clock.sleep(ms, signal);
        },
      },
    });

    await connection.client.login();

    expect(Math.max(...waits)).toBe(limitMs);
  });

  it.skipIf(!hasPostgres())("starts jobs by the clock of the server", async () => {
    const server = await createTestDatabase();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const { connection } = await createTestConnection({
      databaseUrl: server.url,
      clock: createFakeClock(START_MS),
    });

    const [{ ms } = { ms: 0 }] = await server.query(
      "SELECT extract(epoch FROM now()) * 1000 AS ms",
    );
    expect(connection.memory.jobs.nowMs()).toBeGreaterThan(Number(ms) - 60_000);
  });

  it("counts the calls by kind", async () => {
    const { baseUrl } = await startMarketplaceServer();
    const { connection } = await createTestConnection({ baseUrl });

    await connection.client.login();
    await connection.client.category.list({});
    await connection.marketplace.countProducts("approved");

    expect(connection.meters.calls.counts()).toEqual({ token: 1, read: 2, write: 0 });
  });

  it("remembers the runs of its own store alone", async () => {
    const test = await createTestConnection();
    await storeRun(test.connection, { header: ["Ürün Kodu"], rows: [] });

    await using same = await openConnection(besides(test));
    await using other = await openConnection({ ...besides(test), storeId: "s-2" });

    expect((await same.runs.list(9)).map(({ id }) => id)).toEqual([RUN_ID]);
    expect(await other.runs.list(9)).toEqual([]);
  });
});

describe("the lock of a store", () => {
  it("keeps a second holder out until the first is done", async () => {
    const test = await createTestConnection();
    await using second = await openConnection(besides(test));
    const held = await test.connection.locks.store("catalog import");

    await expect(second.locks.store("catalog plan")).rejects.toMatchObject({
      code: "E_STORE_BUSY",
    });
    await held[Symbol.asyncDispose]();
    await using _lock = await second.locks.store("catalog plan");
  });

  it("does not lock another store", async () => {
    const test = await createTestConnection();
    await using other = await openConnection({ ...besides(test), storeId: "s-2" });
    await using elsewhere = await openConnection({
      ...besides(test),
      baseUrl: "http://127.0.0.1:10",
    });
    await using _lock = await test.connection.locks.store("catalog import");

    for (const { locks } of [other, elsewhere]) {
      const held = await locks.store("catalog import");
      await held[Symbol.asyncDispose]();
    }
  });
});

it("a connection that uses no stored token requests a new token and stores it for other processes", async () => {
  const { baseUrl, log } = await startMarketplaceServer();
  const test = await createTestConnection({ baseUrl });
  await test.connection.client.login();

  await using fresh = await openConnection({ ...besides(test), baseUrl, freshToken: true });
  await fresh.client.login();
  await using other = await openConnection({ ...besides(test), baseUrl });
  await other.client.login();

  expect(log).toEqual(["/app/auth/access", "/app/auth/access"]);
});

it("checkDatabase finds nothing wrong with a new database", async () => {
  const { connection } = await createTestConnection();

  expect(await connection.checkDatabase()).toEqual([]);
});

it("a connection knows the stores that were named after it was opened", async () => {
  const named = [{ name: "ankara", baseUrl: CLOSED_ADDRESS, storeId: "s-1" }];
  const { connection } = await createTestConnection({ namedStores: () => named });

  named.push({ name: "merkez", baseUrl: CLOSED_ADDRESS, storeId: "s-2" });

  expect(connection.storeName).toBe("ankara");
  expect(connection.namedStores.map(({ name }) => name)).toEqual(["ankara", "merkez"]);
});
