import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openToolkit, type ToolkitOptions } from "../src/open-connection.ts";
import { startMarket } from "../src/testing/marketplace-server.ts";
import { RUN_ID, storeRun } from "../src/testing/stored-run.ts";
import { createWorkplace, NOBODY, type Workplace } from "../src/testing/test-connection.ts";

/** Options with which another process would open the same store. */
const besides = ({ folder, clock }: Workplace): ToolkitOptions => ({
  home: join(folder, "home"),
  baseUrl: NOBODY,
  storeId: "s-1",
  credentials: { clientKey: "key", clientSecret: "secret" },
  clock,
  random: () => 0,
});

describe("openToolkit", () => {
  it("creates a home that only its owner can read, and makes no call", async () => {
    const { folder, toolkit } = await createWorkplace();

    expect(existsSync(join(folder, "home", "catalog.db"))).toBe(true);
    expect(statSync(join(folder, "home")).mode & 0o777).toBe(0o700);
    expect(toolkit.meters.calls.counts()).toEqual({ token: 0, read: 0, write: 0 });
    expect(toolkit.meters.calls.meanMs()).toBe(0);
  });

  it("explains a home that cannot be made", async () => {
    const place = await createWorkplace();
    const home = join(place.write("dosya", "x"), "home");

    await expect(openToolkit({ ...besides(place), home })).rejects.toMatchObject({
      name: "StoreError",
      code: "E_DATABASE",
      message: expect.stringContaining(home),
    });
  });

  it("refuses settings that the client refuses", async () => {
    const place = await createWorkplace();

    await expect(
      openToolkit({ ...besides(place), baseUrl: "http://market.example" }),
    ).rejects.toMatchObject({ code: "SETTINGS_ERROR" });
  });

  it("counts the calls by kind", async () => {
    const { baseUrl } = await startMarket();
    const { toolkit } = await createWorkplace({ baseUrl });

    await toolkit.client.login();
    await toolkit.client.category.list({});
    await toolkit.marketplace.countProducts("approved");

    expect(toolkit.meters.calls.counts()).toEqual({ token: 1, read: 2, write: 0 });
  });

  it("remembers the runs of its own store alone", async () => {
    const place = await createWorkplace();
    await storeRun(place.toolkit, { header: ["Ürün Kodu"], rows: [] });

    await using same = await openToolkit(besides(place));
    await using other = await openToolkit({ ...besides(place), storeId: "s-2" });

    expect((await same.runLog.list(9)).map(({ id }) => id)).toEqual([RUN_ID]);
    expect(await other.runLog.list(9)).toEqual([]);
  });
});

describe("the lock of a store", () => {
  it("keeps a second holder out until the first is done", async () => {
    const place = await createWorkplace();
    await using second = await openToolkit(besides(place));
    const held = place.toolkit.locks.store("catalog import");

    expect(() => second.locks.store("catalog plan")).toThrow(
      expect.objectContaining({ code: "E_STORE_BUSY" }),
    );
    held[Symbol.dispose]();
    second.locks.store("catalog plan")[Symbol.dispose]();
  });

  it("does not lock another store", async () => {
    const place = await createWorkplace();
    await using other = await openToolkit({ ...besides(place), storeId: "s-2" });
    await using elsewhere = await openToolkit({
      ...besides(place),
      baseUrl: "http://127.0.0.1:10",
    });
    using _lock = place.toolkit.locks.store("catalog import");

    expect(() => other.locks.store("catalog import")[Symbol.dispose]()).not.toThrow();
    expect(() => elsewhere.locks.store("catalog import")[Symbol.dispose]()).not.toThrow();
  });
});

describe("a connection that uses no stored token", () => {
  it("requests a new token and stores it for other processes", async () => {
    const { baseUrl, log } = await startMarket();
    const place = await createWorkplace({ baseUrl });
    await place.toolkit.client.login();

    await using fresh = await openToolkit({ ...besides(place), baseUrl, freshToken: true });
    await fresh.client.login();
    await using other = await openToolkit({ ...besides(place), baseUrl });
    await other.client.login();

    expect(log).toEqual(["/app/auth/access", "/app/auth/access"]);
  });
});

describe("checkDatabase", () => {
  it("finds nothing wrong with a new database", async () => {
    const { toolkit } = await createWorkplace();

    expect(toolkit.checkDatabase()).toEqual([]);
  });
});
