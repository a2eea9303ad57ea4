import { systemClock } from "@catalog/clock";
import { describe, expect, it, onTestFinished } from "vitest";

import { createPriceRepository, type PriceRepository } from "../../src/repositories/prices.ts";
import type { Database } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { hasPostgres } from "../../src/testing/index.ts";
import { openTestPostgres } from "../helpers/open-test-postgres.ts";
import { STORE } from "../helpers/runs-and-rows.ts";

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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an id of a test
  productId: productId as Base["productId"],
  price: 10_000,
  atMs: 7,
  made,
});

describe.each(DATABASES)("the prices of a store in %s", (place, openPlace) => {
  const test = it.skipIf(place === "PostgreSQL" && !hasPostgres());

  test("lose no change of two that are made at once, and keep the day of the rules", async () => {
    let now = 1;
    const clock = { ...systemClock, now: () => now };
    const prices = createPriceRepository({ database: await openPlace(), clock, store: STORE });

    const versions = await Promise.all([1, 2, 3, 4].map((n) => prices.saveRules([{ number: n }])));
    now = 2;
    await Promise.all([1, 2, 3].map(() => prices.saveCosts([])));

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
    await prices.saveCosts([
      { codeKey: "b", code: "B", cost: 200 },
      { codeKey: "a", code: "A", cost: 100 },
    ]);
    await prices.saveCosts([{ codeKey: "a", code: "A", cost: 150 }]);
    const second = await prices.saveRules([{ number: 1 }, { number: 2 }]);

    expect([none.version, none.rules, first, second]).toEqual([0, [], 1, 2]);
    expect(await prices.readRules()).toMatchObject({
      version: 2,
      costsVersion: 2,
      rules: [{ number: 1 }, { number: 2 }],
    });
    expect(await prices.listCosts()).toEqual([
      { codeKey: "a", code: "A", cost: 150 },
      { codeKey: "b", code: "B", cost: 200 },
    ]);
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
    expect(await prices.forgetBases()).toBe(2);
    expect(await prices.listBases()).toEqual([]);
  });
});
