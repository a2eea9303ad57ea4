import { systemClock } from "@catalog/clock";
import { describe, expect, it, onTestFinished } from "vitest";

import { createJournal } from "../../src/journal/journal.ts";
import { createPriceRepository, type PriceRepository } from "../../src/repositories/prices.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import type { Database } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { hasPostgres } from "../../src/testing/index.ts";
import { openTestPostgres } from "../helpers/open-test-postgres.ts";
import { newRun, planToSend, STORE, toProductId } from "../helpers/runs-and-rows.ts";

async function openFile(): Promise<Database> {
  const database = await openDatabase(":memory:");
  onTestFinished(() => database.close());
  return database;
}

const DATABASES = [
  ["a file", openFile],
  ["PostgreSQL", async () => (await openTestPostgres()).database],
] as const;

type Base = Parameters<PriceRepository["saveBases"]>[0][number];

const baseOf = (productId: string, made: readonly number[]): Base => ({
  productId: toProductId(productId),
  price: 10_000,
  atMs: 7,
  made,
});

type Cost = Parameters<PriceRepository["saveCosts"]>[0][number];

const costOf = (codeKey: string, cost = 100): Cost => ({
  codeKey,
  code: codeKey.toUpperCase(),
  cost,
});

describe.each(DATABASES)("the prices of a store in %s", (place, openPlace) => {
  const test = it.skipIf(place === "PostgreSQL" && !hasPostgres());

  test("lose no change of two that are made at once, and keep the day of the rules", async () => {
    let now = 1;
    const clock = { ...systemClock, now: () => now };
    const prices = createPriceRepository({ database: await openPlace(), clock, store: STORE });

    const versions = await Promise.all([1, 2, 3, 4].map((n) => prices.saveRules([{ number: n }])));
    now = 2;
    await Promise.all(["a", "b", "c"].map((key) => prices.saveCosts([costOf(key)])));

    expect(versions.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4]);
    expect(await prices.readRules()).toMatchObject({ version: 4, costsVersion: 3, savedAtMs: 1 });
  });

  test("have versions that grow with rules and with costs", async () => {
    const prices = createPriceRepository({
      database: await openPlace(),
      clock: systemClock,
      store: STORE,
    });
    const none = await prices.readRules();

    const first = await prices.saveRules([{ number: 1 }]);
    await prices.saveCosts([costOf("b", 200), costOf("a")]);
    await prices.saveCosts([costOf("a", 150)]);
    const second = await prices.saveRules([{ number: 1 }, { number: 2 }]);

    expect([none.version, none.rules, first, second]).toEqual([0, [], 1, 2]);
    expect(await prices.readRules()).toMatchObject({
      version: 2,
      costsVersion: 2,
      rules: [{ number: 1 }, { number: 2 }],
    });
    expect(await prices.listCosts()).toEqual([costOf("a", 150), costOf("b", 200)]);
    expect(await prices.removeCosts()).toBe(2);
    expect(await prices.readRules()).toMatchObject({ costsVersion: 3 });
  });

  test("remember the base of each product until all are forgotten", async () => {
    const database = await openPlace();
    const prices = createPriceRepository({ database, clock: systemClock, store: STORE });

    await prices.saveBases([baseOf("p1", [11_200]), baseOf("p2", [])]);
    await prices.saveBases([baseOf("p1", [11_500, 11_200])]);

    const found = (await prices.listBases()).toSorted((a, b) =>
      a.productId.localeCompare(b.productId),
    );
    expect(found).toEqual([
      { ...baseOf("p1", [11_500, 11_200]), wasSent: false },
      { ...baseOf("p2", []), wasSent: false },
    ]);
    const { costsVersion } = await prices.readRules();
    expect(await prices.forgetBases()).toBe(2);
    expect(await prices.listBases()).toEqual([]);
    expect(await prices.readRules()).toMatchObject({ costsVersion: costsVersion + 1 });
  });

  test.each([
    ["was begun since", { price: 9_000, begun_at_ms: 7 }, true],
    ["has a price that a rule made", { price: 11_200, begun_at_ms: 6 }, true],
    ["has the price of before", { price: 10_000, begun_at_ms: 6 }, false],
    ["has no price", { price: null, begun_at_ms: 8 }, false],
    [
      "is of another product",
      { price: 11_200, begun_at_ms: 8, product_id: toProductId("p2") },
      false,
    ],
  ])("know whether a request %s", async (_, request, wasSent) => {
    const database = await openPlace();
    const options = { database, clock: systemClock, store: STORE };
    const prices = createPriceRepository(options);
    await createRunRepository(options).create(newRun("run-1"));
    await planToSend(createJournal(options), { runId: "run-1", row: 1, productId: "p1" });
    const op = { kind: "update", state: "ambiguous", code_key: null, payload_json: "{}" } as const;
    const key = { run_id: "run-1", row_no: 1, store: database.storeKey(STORE) };
    const product = { product_id: toProductId("p1"), settled_at_ms: null };
    const values = { ...key, ...op, ...product, ...request };
    await database.execute(database.run(database.build.insertInto("op").values(values)));

    await prices.saveBases([baseOf("p1", [11_200])]);

    expect(await prices.listBases()).toEqual([{ ...baseOf("p1", [11_200]), wasSent }]);
  });
});
