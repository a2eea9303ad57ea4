import { savePriceUnitSetting, type Connection } from "@catalog/connection";
import { createIssue, createTestConnection, RUN_ID, storeRun } from "@catalog/connection/testing";
import { endpoints, type ProductChanges, productId, type StoreProduct } from "@catalog/contract";
import type { RowRecord, RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { recheckPriceGuards } from "../../../src/apply/recheck/recheck-price-guards.ts";
import { releaseRow } from "../../../src/apply/release/release-row.ts";

const CUP = { id: productId.parse("p-1"), product_code: "K1", price: 100 };

interface Fixture {
  readonly connection: Connection;
  /** Runs the guards as a new process would, and reads the row. */
  readonly look: () => Promise<RowRecord | undefined>;
  /** Restores the facts of the plan, as after a crash just before they were updated. */
  readonly die: () => Promise<void>;
}

interface Planned {
  readonly fields: ProductChanges;
  /** Whether the unit is known when the guards run again. @default true */
  readonly isKnown?: boolean;
  /** Codes for which the plan held the row. @default the row is ready */
  readonly held?: readonly string[];
  readonly facts?: Partial<NonNullable<RunRecord["facts"]>>;
  /** The product as the run's own plan has read it. @default none */
  readonly before?: StoreProduct;
  /** The product as the listing of a later plan shows it. @default none */
  readonly listed?: StoreProduct;
}

/** A run of one update, planned while the unit of prices was unknown. */
async function openFixture(plan: Planned): Promise<Fixture> {
  const { fields, before, listed, isKnown = true, held } = plan;
  const { connection } = await createTestConnection();
  const { journal, verificationLog, runs } = connection;
  const payload = endpoints.product.update.input.parse({ ...fields, product_id: CUP.id });
  const state = held === undefined ? "ready" : "held";
  const issues = (held ?? []).map((code) => createIssue({ code }));
  const row = { cells: ["K1"], payload, state, issues, action: "update" } as const;
  await storeRun(connection, { header: ["Ürün Kodu"], rows: [row] });
  if (before !== undefined) await verificationLog.saveBefore(RUN_ID, [{ row: 2, product: before }]);
  await journal.clearSeen();
  if (listed !== undefined) {
    await journal.saveSeen([{ codeKey: "k1", status: "approved", product: listed }]);
  }
  const planned = { add: 0, update: 1, unchanged: 0, invalid: 0, duplicate: 0, held: 0 };
  const costs = { ...planned, requests: 1, seconds: 1 };
  const facts = { readBy: "lookups", priceUnit: "unknown", planned: costs, ...plan.facts } as const;
  const die = async (): Promise<void> => await runs.update(RUN_ID, { state: "planned", facts });
  await die();
  if (isKnown) await savePriceUnitSetting(connection, "major", "sent");
  const look = async (): Promise<RowRecord | undefined> => {
    await recheckPriceGuards(connection, await readRun(connection));
    return (await journal.readRows(RUN_ID, { limit: 1 }))[0];
  };
  return { connection, look, die };
}

async function readRun({ runs }: Connection): Promise<RunRecord> {
  const run = await runs.read(RUN_ID);
  if (run === undefined) throw new Error("the run is gone");
  return run;
}

const toFields = (fields: object): ProductChanges =>
  endpoints.product.update.input.parse({ ...fields, product_id: CUP.id });

/** A price of 10,000.00 where the store has 100.00. */
const SLIPPED = toFields({ price: 1_000_000 });

describe("recheckPriceGuards", () => {
  it("compares a price with the product that the run's own plan has read, after a later listing", async () => {
    const { look } = await openFixture({ fields: SLIPPED, before: CUP });

    expect(await look()).toMatchObject({
      state: "held",
      issues: [{ code: "E_GUARD_PRICE_SCALE", guard: { old: 10_000, new: 1_000_000 } }],
    });
  });

  it("prefers the product that the plan has read to the one of a later listing", async () => {
    const listed = { ...CUP, price: 10_000 };
    const { look } = await openFixture({ fields: SLIPPED, before: CUP, listed });

    expect((await look())?.state).toBe("held");
  });

  it("compares a price with the last listing where the plan has read no product", async () => {
    const { look } = await openFixture({ fields: SLIPPED, listed: { ...CUP, price: 10_000 } });

    expect((await look())?.state).toBe("ready");
  });

  it.each([
    ["a price", { price: 10_000 }],
    ["a discount", { has_discount: true, discount_type: 3, discount_value: 100 }],
  ])("holds %s where the old price is unknown, and says so", async (_name, fields) => {
    const { look } = await openFixture({ fields: toFields(fields) });

    const row = await look();

    expect(row?.state).toBe("held");
    expect(row?.issues.map(({ code, message }) => `${code} ${message.en}`)).toEqual([
      "E_GUARD_PRICE_SCALE The old price of the product is not known, so the new one could not be compared; the row is held.",
    ]);
  });

  it.each([
    ["a stock", { stock_count: 5 }],
    ["the end of a discount", { has_discount: false }],
  ])("lets %s pass where the old price is unknown", async (_name, fields) => {
    const { look } = await openFixture({ fields: toFields(fields) });

    expect((await look())?.state).toBe("ready");
  });

  it("lets a released row pass, although the process died before it stored that the guards ran", async () => {
    const { connection, look, die } = await openFixture({ fields: SLIPPED, before: CUP });
    const record = await look();
    if (record === undefined) throw new Error("the row is gone");
    await die();
    const run = await readRun(connection);
    await releaseRow(connection, { run, record, release: { kind: "approve" }, by: "ayşe" });

    expect((await look())?.state).toBe("ready");
    expect((await readRun(connection)).facts?.priceUnit).toBe("major");
  });

  it("runs the guards on a row that a person released before its price could be compared", async () => {
    const { connection, look } = await openFixture({ fields: SLIPPED, before: CUP });
    const key = { runId: RUN_ID, row: 2 } as const;
    await connection.journal.recordOutcome(
      { ...key, from: "ready" },
      { to: "held", cause: "guard" },
    );
    await connection.journal.recordOutcome(
      { ...key, from: "held" },
      { to: "ready", cause: "released-approve" },
    );

    expect((await look())?.state).toBe("held");
  });

  const UNIT = "E_GUARD_PRICE_UNIT";

  it("holds a price while the unit is unknown, and not again once a person has released it", async () => {
    const fields = toFields({ price: 10_000 });
    const { connection, look } = await openFixture({ fields, before: CUP, isKnown: false });

    expect(await look()).toMatchObject({ state: "held", issues: [{ code: UNIT }] });

    await connection.journal.recordOutcome(
      { runId: RUN_ID, row: 2, from: "held" },
      { to: "ready", cause: "released-approve" },
    );
    expect((await look())?.state).toBe("ready");
  });

  it.each([
    ["ready once the unit is known and no guard trips", { price: 11_000 }, [UNIT], "ready", []],
    [
      "held where a guard trips once the unit is known",
      { price: 1_000_000 },
      [UNIT],
      "held",
      ["E_GUARD_PRICE_SCALE"],
    ],
    ["unchanged where the store has that price", { price: 10_000 }, [UNIT], "unchanged", []],
    [
      "ready where the store has that price and another field differs",
      { price: 10_000, title: "Blue cup" },
      [UNIT],
      "ready",
      [],
    ],
    [
      "held by another guard alone where the price is near the old one",
      { price: 11_000, stock_count: 0 },
      [UNIT, "E_GUARD_ZERO_STOCK"],
      "held",
      ["E_GUARD_ZERO_STOCK"],
    ],
    [
      "held by another guard and by that of its price",
      { price: 1_000_000, stock_count: 0 },
      [UNIT, "E_GUARD_ZERO_STOCK"],
      "held",
      ["E_GUARD_ZERO_STOCK", "E_GUARD_PRICE_SCALE"],
    ],
  ] as const)(
    "makes a row that waits for the unit %s",
    async (...[, fields, held, state, codes]) => {
      const { look } = await openFixture({ fields: toFields(fields), before: CUP, held });

      const row = await look();

      expect([row?.state, row?.issues.map(({ code }) => code)]).toEqual([state, codes]);
    },
  );
});
