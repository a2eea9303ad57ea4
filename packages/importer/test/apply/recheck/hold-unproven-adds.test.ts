import { elapse } from "@catalog/clock/testing";
import type { Connection } from "@catalog/connection";
import {
  createTestConnection,
  CUP,
  RUN_ID,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { productId } from "@catalog/contract";
import type { RunRecord } from "@catalog/runs";
import {
  createFakeMarketplace,
  type FakeMarketplace,
  type FakeMarketplaceOptions,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { applyPlan, type ApplyPlanOptions, readRun } from "../../../src/apply/apply-plan.ts";
import type { UnprovenAdds } from "../../../src/apply/recheck/hold-unproven-adds.ts";
import { releaseRow } from "../../../src/apply/release/release-row.ts";
import { findResendRisks } from "../../../src/apply/release/resend-risks.ts";

const MINUTE_MS = 60_000;
const FIRST = productId.parse("p-1");

const toAdd = (code: string): StoredRow => ({
  cells: [code],
  action: "add",
  payload: { ...CUP, product_code: code },
});
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
