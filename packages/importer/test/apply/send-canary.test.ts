import { elapse } from "@catalog/clock/testing";
import type { Connection } from "@catalog/connection";
import {
  createTestConnection,
  CUP,
  RUN_ID,
  type StoredRow,
  storeRun,
  type TestConnection,
} from "@catalog/connection/testing";
import { type StoreProduct, idSchemas } from "@catalog/contract";
import type { Marketplace, RunRecord } from "@catalog/runs";
import {
  createFakeMarketplace,
  failing,
  type FakeMarketplace,
  type FakeMarketplaceOptions,
  lost,
  refused,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import {
  type AppliedPlan,
  applyPlan,
  type ApplyPlanOptions,
  readRun,
} from "../../src/apply/apply-plan.ts";
import { viewCanary } from "../../src/apply/send-canary.ts";
import { toAdd } from "../helpers/to-add.ts";

it.each(["unsent", "recovery-unsent"] as const)(
  "a canary row that was taken back before its request left does not count as sent when a recheck holds it afterwards (%s)",
  async (cause) => {
    const { connection: context, clock } = await createTestConnection({ concurrency: 1 });
    const marketplace = createFakeMarketplace({
      serverTimeMs: () => clock.now(),
      products: [
        {
          placement: "approved",
          product: { id: idSchemas.product.parse("p-1"), product_code: "KOD-1" },
        },
      ],
    });
    const connection = { ...context, marketplace };
    const takenBack: StoredRow = { ...toAdd("KOD-1"), outcome: { to: "ready", cause } };
    const rows = [takenBack, toAdd("KOD-2"), toAdd("KOD-3")];
    const run = await storeRun(connection, { header: ["Ürün Kodu"], rows });
    await connection.runs.update(RUN_ID, { state: "planned", settings: { canary: 1 } });
    const message: string[] = [];

    const { end } = await elapse(
      clock,
      applyPlan(connection, {
        runId: RUN_ID,
        recheck: "adds",
        onCanary: ({ en }) => message.push(en),
      }),
    );

    const states = (await connection.journal.readRows(RUN_ID, { limit: 9 })).map(
      (row) => row.state,
    );
    const { log } = marketplace;
    const sentFirst = log.slice(0, log.indexOf("LIST approved new-1"));
    expect([end, ...states]).toEqual(["finished", "held", "done", "done"]);
    expect(sentFirst.filter((request) => request.startsWith("ADD"))).toEqual(["ADD KOD-2"]);
    expect(message).toEqual(["Canary: 1 row was sent, 1 shown as sent."]);
    expect((await readRun(connection, RUN_ID)).progress.canaryVerdict).toBe("passed");
    expect(await viewCanary(connection, run)).toMatchObject({ sent: 2, unknown: 0 });
  },
);

const P1 = idSchemas.product.parse("p-1");

/** Rows 2, 3 and so on add KOD-1, KOD-2 and so on. */
const adds = (count: number): readonly StoredRow[] =>
  Array.from({ length: count }, (_, index) => toAdd(`KOD-${index + 1}`));

interface Fixture {
  readonly marketplace: FakeMarketplace;
  readonly connection: Connection;
  readonly apply: (more?: Partial<ApplyPlanOptions>) => Promise<AppliedPlan>;
}

interface FixtureOptions extends FakeMarketplaceOptions {
  readonly rows?: readonly StoredRow[];
  /** Changes a product before the store lists it. */
  readonly shows?: (product: StoreProduct) => StoreProduct;
}

/** A planned run of five adds, of which two are the canary. */
async function openFixture({
  rows = adds(5),
  shows,
  ...store
}: FixtureOptions = {}): Promise<Fixture> {
  const test: TestConnection = await createTestConnection({ concurrency: 1 });
  const { clock } = test;
  await storeRun(test.connection, { header: ["Ürün Kodu"], rows });
  await test.connection.runs.update(RUN_ID, { state: "planned", settings: { canary: 2 } });
  const marketplace = createFakeMarketplace({ serverTimeMs: () => clock.now(), ...store });
  const connection = { ...test.connection, marketplace: showing(marketplace, shows) };
  return {
    marketplace,
    connection,
    apply: async (more = {}) =>
      await elapse(clock, applyPlan(connection, { runId: RUN_ID, ...more })),
  };
}

function showing(marketplace: FakeMarketplace, shows: FixtureOptions["shows"]): Marketplace {
  if (shows === undefined) return marketplace;
  return {
    ...marketplace,
    async *listProducts(query) {
      for await (const product of marketplace.listProducts(query)) yield shows(product);
    },
  };
}

const stored = async ({ connection }: Fixture): Promise<RunRecord> =>
  await readRun(connection, RUN_ID);

async function statesOf({ connection: { journal } }: Fixture): Promise<string> {
  const rows = await journal.readRows(RUN_ID, { limit: 100 });
  return rows.map(({ state }) => state).join(" ");
}

const writesOf = ({ marketplace }: Fixture): readonly string[] =>
  marketplace.log.filter((request) => !/^(?:LIST|COUNT)/u.test(request));

const warningsOf = async (fixture: Fixture): Promise<readonly string[]> =>
  (await stored(fixture)).warnings.map(({ code, message }) => `${code} ${message.en}`);

describe("sendCanary", () => {
  it("reads the canary back before the other rows are sent", async () => {
    const fixture = await openFixture();
    const message: string[] = [];

    const { end } = await fixture.apply({ onCanary: ({ en }) => message.push(en) });

    const { log } = fixture.marketplace;
    const readBack = log.indexOf("LIST approved new-1,new-2");
    expect(end).toBe("finished");
    expect(log.slice(0, readBack).filter((request) => request.startsWith("ADD"))).toEqual([
      "ADD KOD-1",
      "ADD KOD-2",
    ]);
    expect(writesOf(fixture)).toHaveLength(5);
    expect(message).toEqual(["Canary: 2 rows were sent, 2 shown as sent."]);
    expect((await stored(fixture)).progress.canaryVerdict).toBe("passed");
  });

  it("sends no other row while no canary row could be sent", async () => {
    const script = { "ADD KOD-1": Array.from({ length: 12 }, () => lost("none")) };
    const fixture = await openFixture({ script: { ...script, "ADD KOD-2": script["ADD KOD-1"] } });

    const { end } = await fixture.apply();

    expect(end).toBe("breaker");
    expect(await statesOf(fixture)).toBe("ready ready ready ready ready");
    expect((await stored(fixture)).progress.canaryVerdict).toBeUndefined();
  });

  it("sends adds and updates in the order of the sheet", async () => {
    const update: StoredRow = {
      cells: ["KOD-9"],
      payload: { product_id: P1, stock_count: 7 },
      changes: [{ field: "stock_count", old: 1, new: 7 }],
    };
    const products = [
      { placement: "approved", product: { id: P1, product_code: "KOD-9", stock: 1 } },
    ] as const;
    const fixture = await openFixture({
      rows: [...adds(1), update, ...adds(2).slice(1)],
      products,
      shows: (product) => (product.id === P1 ? { ...product, stock: 1 } : product),
    });

    const { end } = await fixture.apply();

    expect(end).toBe("canary");
    expect(writesOf(fixture)).toEqual(["ADD KOD-1", "UPDATE p-1"]);
    expect(await fixture.connection.verificationLog.readCapabilities()).toContainEqual({
      action: "update",
      field: "stock_count",
      state: "refused",
    });
  });

  it("keeps the other rows ready until a resume where the store shows the canary with other values", async () => {
    const fixture = await openFixture({ shows: (product) => ({ ...product, stock: 1 }) });

    const first = await fixture.apply();
    const states = await statesOf(fixture);
    const second = await fixture.apply();

    expect([first.end, first.run.state, states]).toEqual([
      "canary",
      "stopped",
      "done done ready ready ready",
    ]);
    expect(await warningsOf(fixture)).toEqual([
      expect.stringMatching(
        /^W_CANARY Canary: 2 rows were sent, 2 of them show something else in the store\. KOD-1: Stock \(stock_count\): \d+ was sent, the store shows 1\./u,
      ),
    ]);
    expect([second.end, second.run.state]).toEqual(["finished", "finished"]);
    expect(new Set(writesOf(fixture)).size).toBe(5);
    expect(writesOf(fixture)).toHaveLength(5);
  });

  it("stops the run where the store shows a price that equals the sent one in no unit", async () => {
    const fixture = await openFixture({
      shows: (product) => ({ ...product, price: (product.price ?? 0) * 100 }),
    });

    const { end } = await fixture.apply();

    expect(end).toBe("canary");
    expect((await warningsOf(fixture)).join("\n")).toContain("which is the same in no unit");
  });

  it("learns the unit of prices and the fields that the store takes", async () => {
    const fixture = await openFixture({ priceNotation: "major" });

    const { end } = await fixture.apply();

    expect(end).toBe("finished");
    expect(await fixture.connection.journal.readPriceEvidence(1)).toEqual([
      { sent: CUP.price, seen: CUP.price / 100 },
    ]);
    expect(await fixture.connection.verificationLog.readCapabilities()).toContainEqual({
      action: "add",
      field: "price",
      state: "proven",
    });
  });

  it.each([
    ["that the store does not show", { placement: "hidden" }, "unseen"],
    [
      "whose rows are all refused",
      { script: { "ADD KOD-1": [refused(400)], "ADD KOD-2": [refused(400)] } },
      "refused",
    ],
    ["that lost an answer", { script: { "ADD KOD-2": [lost("started")] } }, "unknown"],
  ] as const)("stops the run after a canary %s", async (_name, store, verdict) => {
    const fixture = await openFixture(store);

    const { end } = await fixture.apply();

    expect(end).toBe("canary");
    expect(writesOf(fixture)).toEqual(["ADD KOD-1", "ADD KOD-2"]);
    expect((await stored(fixture)).progress.canaryVerdict).toBe(verdict);
  });

  it("sends the other rows where one canary row is refused and the other is shown as sent", async () => {
    const fixture = await openFixture({ script: { "ADD KOD-1": [refused(400)] } });

    const { end } = await fixture.apply();

    expect(end).toBe("finished");
    expect(await statesOf(fixture)).toBe("rejected done done done done");
  });

  it("finishes an interrupted canary in the next process, and reads it back then", async () => {
    const error = new TypeError("the process is dying");
    const fixture = await openFixture({ script: { "ADD KOD-2": [failing(error)] } });

    await expect(fixture.apply()).rejects.toBe(error);
    const seen = fixture.marketplace.log.length;
    const { end } = await fixture.apply();

    const later = fixture.marketplace.log.slice(seen);
    // The fake store numbers requests, and counts the one that never left.
    const readBack = later.indexOf("LIST approved new-1,new-3");
    expect(end).toBe("finished");
    expect(later.slice(0, readBack).filter((request) => request.startsWith("ADD"))).toEqual([
      "ADD KOD-2",
    ]);
    expect(writesOf(fixture)).toHaveLength(5);
  });

  it("finishes a run whose canary is the whole file", async () => {
    const fixture = await openFixture({ rows: adds(2), placement: "hidden" });

    const { end, run } = await fixture.apply();

    expect([end, run.state, run.warnings]).toEqual(["finished", "finished", []]);
  });

  it("counts rejected canary rows towards the maximum of errors of the run", async () => {
    const fixture = await openFixture({
      script: { "ADD KOD-1": [refused(400)], "ADD KOD-3": [refused(400)] },
    });

    const { end } = await fixture.apply({ settings: { maxErrors: "1" } });

    expect(end).toBe("too-many-rejected");
    expect(await statesOf(fixture)).toBe("rejected done rejected ready ready");
  });
});
