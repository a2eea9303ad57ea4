import { elapse } from "@catalog/clock/testing";
import { type Connection, priceUnitOf } from "@catalog/connection";
import {
  createIssue,
  createTestConnection,
  CUP,
  RUN_ID,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { endpoints, type ProductChanges, type StoreProduct, idSchemas } from "@catalog/contract";
import type { RowRecord, RunRecord, UnprovenAdds } from "@catalog/runs";
import {
  comparePlannedPrices,
  createFakeMarketplace,
  type FakeMarketplace,
  type FakeMarketplaceOptions,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { applyPlan, type ApplyPlanOptions, readRun } from "../../src/apply/apply-plan.ts";
import { findResendRisks, releaseRow } from "../../src/apply/release-rows.ts";
import { toAdd } from "../helpers/to-add.ts";

const UPDATED_CUP = { id: idSchemas.product.parse("p-1"), product_code: "K1", price: 100 };

interface GuardFixture {
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
async function openGuards(plan: Planned): Promise<GuardFixture> {
  const { fields, before, listed, isKnown = true, held } = plan;
  const { connection } = await createTestConnection();
  const { journal, verificationLog, runs } = connection;
  const payload = endpoints.product.update.input.parse({ ...fields, product_id: UPDATED_CUP.id });
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
  if (isKnown) await priceUnitOf(connection).save("major", "sent");
  const look = async (): Promise<RowRecord | undefined> => {
    await comparePlannedPrices({
      runId: RUN_ID,
      journal,
      runs,
      verificationLog,
      warning: "W_PRICE_UNIT_UNKNOWN",
      readKnown: () => priceUnitOf(connection).known(),
      locationOf: () => ({ sheet: "", row: 2, column: "", cell: "", value: "" }),
    });
    return (await journal.readRows(RUN_ID, { limit: 1 }))[0];
  };
  return { connection, look, die };
}

async function readFirstRun({ runs }: Connection): Promise<RunRecord> {
  const run = await runs.read(RUN_ID);
  if (run === undefined) throw new Error("the run is gone");
  return run;
}

const toFields = (fields: object): ProductChanges =>
  endpoints.product.update.input.parse({ ...fields, product_id: UPDATED_CUP.id });

/** A price of 10,000.00 where the store has 100.00. */
const SLIPPED = toFields({ price: 1_000_000 });

describe("comparePlannedPrices", () => {
  it("compares a price with the product that the run's own plan has read, after a later listing", async () => {
    const { look } = await openGuards({ fields: SLIPPED, before: UPDATED_CUP });

    expect(await look()).toMatchObject({
      state: "held",
      issues: [{ code: "E_GUARD_PRICE_SCALE", guard: { old: 10_000, new: 1_000_000 } }],
    });
  });

  it("prefers the product that the plan has read to the one of a later listing", async () => {
    const listed = { ...UPDATED_CUP, price: 10_000 };
    const { look } = await openGuards({ fields: SLIPPED, before: UPDATED_CUP, listed });

    expect((await look())?.state).toBe("held");
  });

  it("compares a price with the last listing where the plan has read no product", async () => {
    const { look } = await openGuards({
      fields: SLIPPED,
      listed: { ...UPDATED_CUP, price: 10_000 },
    });

    expect((await look())?.state).toBe("ready");
  });

  it.each([
    ["a price", { price: 10_000 }],
    ["a discount", { has_discount: true, discount_type: 3, discount_value: 100 }],
  ])("holds %s where the old price is unknown, and says so", async (_name, fields) => {
    const { look } = await openGuards({ fields: toFields(fields) });

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
    const { look } = await openGuards({ fields: toFields(fields) });

    expect((await look())?.state).toBe("ready");
  });

  it("lets a released row pass, although the process died before it stored that the guards ran", async () => {
    const { connection, look, die } = await openGuards({ fields: SLIPPED, before: UPDATED_CUP });
    const record = await look();
    if (record === undefined) throw new Error("the row is gone");
    await die();
    const run = await readFirstRun(connection);
    await releaseRow(connection, { run, record, release: { kind: "approve" }, by: "ayşe" });

    expect((await look())?.state).toBe("ready");
    expect((await readFirstRun(connection)).facts?.priceUnit).toBe("major");
  });

  it("runs the guards on a row that a person released before its price could be compared", async () => {
    const { connection, look } = await openGuards({ fields: SLIPPED, before: UPDATED_CUP });
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
    const { connection, look } = await openGuards({ fields, before: UPDATED_CUP, isKnown: false });

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
      const { look } = await openGuards({ fields: toFields(fields), before: UPDATED_CUP, held });

      const row = await look();

      expect([row?.state, row?.issues.map(({ code }) => code)]).toEqual([state, codes]);
    },
  );
});

const MINUTE_MS = 60_000;
const FIRST = idSchemas.product.parse("p-1");

const SENT: StoredRow = {
  ...toAdd("KOD-1"),
  outcome: { to: "done", cause: "answer", productId: FIRST },
};

interface Fixture {
  readonly connection: Connection;
  readonly marketplace: FakeMarketplace;
  readonly wait: (ms: number) => Promise<void>;
  readonly resume: (more?: Partial<ApplyPlanOptions>) => Promise<RunRecord>;
  /** States of the rows, in the order of the sheet. */
  readonly states: () => Promise<readonly string[]>;
  readonly added: () => number;
}

/** A run whose first add was sent, in a store that hides new products. */
async function openFixture(
  options: FakeMarketplaceOptions & { readonly rows?: readonly StoredRow[] } = {},
): Promise<Fixture> {
  const { rows = [SENT, toAdd("KOD-2"), toAdd("KOD-3")], ...store } = options;
  const { connection: opened, clock } = await createTestConnection();
  const placement = "hidden";
  const serverTimeMs = (): number => clock.now();
  const marketplace = createFakeMarketplace({ placement, serverTimeMs, ...store });
  const connection = { ...opened, marketplace };
  await storeRun(connection, { header: ["Ürün Kodu"], rows });
  await connection.runs.update(RUN_ID, { state: "stopped" });
  const resume = async (more: Partial<ApplyPlanOptions> = {}): Promise<RunRecord> => {
    const applied = {
      runId: RUN_ID,
      recheck: "adds",
      settings: { noVerify: true },
      ...more,
    } as const;
    return (await elapse(clock, applyPlan(connection, applied))).run;
  };
  const states = async (): Promise<readonly string[]> =>
    (await connection.journal.readRows(RUN_ID, { limit: 9 })).map(({ state }) => state);
  const added = (): number => marketplace.log.filter((call) => call.startsWith("ADD")).length;
  return { connection, marketplace, wait: (ms) => clock.advance(ms), resume, states, added };
}

describe("a run that is resumed after a pause, in a store that hides new products", () => {
  it("holds its unsent adds after more than 15 minutes, with advice", async () => {
    const { connection, wait, resume, states, added } = await openFixture();
    await wait(15 * MINUTE_MS + 1);

    await resume();

    const [held] = await connection.journal.readRows(RUN_ID, { states: ["held"], limit: 1 });
    expect(await states()).toEqual(["done", "held", "held"]);
    expect(added()).toBe(0);
    expect(held?.issues[0]).toMatchObject({ code: "E_ADD_UNSEEN", value: "KOD-2" });
    expect(held?.issues[0]?.suggestion?.tr).toContain("--resend-blind");
  });

  it("sends its adds within 15 minutes", async () => {
    const { wait, resume, states } = await openFixture({ placement: "approved" });
    await wait(15 * MINUTE_MS - 1);

    await resume();

    expect(await states()).toEqual(["done", "done", "done"]);
  });

  it("holds its adds after 15 minutes of the marketplace's clock, though the own clock was set back", async () => {
    let serverMs = 1_000_000;
    const { connection, resume, states } = await openFixture({
      serverTimeMs: () => serverMs,
      rows: [toAdd("KOD-1"), toAdd("KOD-2")],
    });
    const key = { runId: RUN_ID, row: 2 };
    connection.journal.beginSending(key, { serverMs });
    await connection.journal.recordOutcome(
      { ...key, from: "sending" },
      { to: "done", cause: "answer", productId: FIRST },
    );
    serverMs += 16 * MINUTE_MS;

    await resume();

    expect(await states()).toEqual(["done", "held"]);
  });

  it("sends its adds where the store shows new products", async () => {
    const { connection, marketplace, wait, resume, states } = await openFixture({
      placement: "approved",
    });
    await marketplace.addProduct(
      { ...CUP, product_code: "KOD-1" },
      { beforeSend: () => undefined },
    );
    const id = marketplace.products[0]?.product.id ?? FIRST;
    await connection.journal.startLagSample(id, 0);
    await connection.journal.recordLagSample(id, { shown: true, serverMs: 0 });
    await wait(60 * MINUTE_MS);
    // The row stores another id for the product that was added last.
    const latest = { code: "KOD-1", productId: id };
    const journal = { ...connection.journal, readLatestAdded: async () => latest };

    await applyPlan(
      { ...connection, journal },
      { runId: RUN_ID, recheck: "adds", settings: { noVerify: true } },
    );

    expect(await resume().then(states)).toEqual(["done", "done", "done"]);
  });

  it("asks no question where no row of the run was sent before", async () => {
    const { wait, resume, states } = await openFixture({
      placement: "approved",
      rows: [toAdd("KOD-1")],
    });
    await wait(60 * MINUTE_MS);

    await resume();

    expect(await states()).toEqual(["done"]);
  });

  it.each([
    [true, ["done", "done", "done"]],
    [false, ["done", "held", "held"]],
    [undefined, ["done", "held", "held"]],
  ])("asks once where somebody can be asked (%s)", async (answer, expected) => {
    const { wait, resume, states } = await openFixture();
    await wait(16 * MINUTE_MS);
    const asked: UnprovenAdds[] = [];
    const askUnprovenAdds = async (unproven: UnprovenAdds): Promise<boolean | undefined> => {
      asked.push(unproven);
      return answer;
    };

    await resume({ askUnprovenAdds });

    expect(await states()).toEqual(expected);
    expect(asked).toEqual([{ cause: "silent", rows: 2 }]);
  });

  it("sends a held add again only after a person has accepted that the store may hide it", async () => {
    const { connection, wait, resume, states } = await openFixture();
    await wait(16 * MINUTE_MS);
    await resume();
    const run = await readRun(connection, RUN_ID);
    const records = await connection.journal.readRows(RUN_ID, { states: ["held"], limit: 9 });
    const release = { kind: "resend" } as const;
    const record = records[0] ?? expect.fail("nothing is held");

    const { unproven } = await findResendRisks(connection, { run, records });
    const kept = await releaseRow(connection, { run, record, release, by: "ayşe" });
    const accepted = { ...release, isUnprovenAccepted: true };
    const released = await releaseRow(connection, { run, record, release: accepted, by: "ayşe" });
    await resume();

    expect(unproven).toHaveLength(2);
    expect(kept).toMatchObject({ to: "held", code: "E_RELEASE_BLIND" });
    expect(released).toEqual({ to: "ready" });
    expect(await states()).toEqual(["done", "done", "held"]);
  });

  it("holds the same adds where the file is imported again instead", async () => {
    const { connection, wait, states } = await openFixture();
    await wait(16 * MINUTE_MS);
    const rows = [toAdd("KOD-2"), toAdd("KOD-9")];
    await storeRun(connection, { id: "r-again", header: ["Ürün Kodu"], rows });
    await connection.runs.update("r-again", { state: "planned" });

    const waiting = await connection.journal.readWaitingElsewhere("r-again");
    await connection.journal.recordOutcome(
      { runId: "r-again", row: 3, from: "ready" },
      { to: "held", cause: "guard" },
    );
    await applyPlan(connection, { runId: "r-again", settings: { noVerify: true } });

    const again = await connection.journal.readRows("r-again", { limit: 9 });
    expect(waiting).toMatchObject([{ row: 2 }]);
    expect(again.map(({ issues }) => issues.map(({ code }) => code))).toEqual([
      ["E_ADD_UNSEEN"],
      [],
    ]);
    expect(await states()).toEqual(["done", "ready", "ready"]);
  });
});
