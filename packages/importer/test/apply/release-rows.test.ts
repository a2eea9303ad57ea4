import { type Connection, priceUnitOf } from "@catalog/connection";
import {
  createIssue,
  createTestConnection,
  CUP,
  RUN_ID,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { endpoints, idSchemas } from "@catalog/contract";
import type { Release, RowRecord } from "@catalog/runs";
import { createFakeMarketplace } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import {
  acceptRows,
  type ReleaseResult,
  releaseRow,
  releaseRows,
  toSending,
} from "../../src/apply/release-rows.ts";

const HELD: StoredRow = { cells: [CUP.product_code], action: "add" };

async function openFixture(row: StoredRow = HELD) {
  const test = await createTestConnection();
  const marketplace = createFakeMarketplace();
  const connection = { ...test.connection, marketplace };
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows: [row] });
  const reason = { to: "held", cause: "not-found" } as const;
  await connection.journal.recordOutcome({ runId: RUN_ID, row: 2, from: "ready" }, reason);
  const read = async (): Promise<RowRecord | undefined> =>
    (await connection.journal.readRows(RUN_ID, { limit: 1 }))[0];
  const release = async (decision: Release): Promise<ReleaseResult> => {
    const record = await read();
    if (record === undefined) throw new Error("the row is gone");
    return await releaseRow(connection, {
      run,
      record,
      release: decision,
      by: "ayşe",
      reason: "panel",
    });
  };
  return { connection, marketplace, release, read };
}

/** Sends the held row once, and gets no answer. */
async function loseAnswer({ journal }: Connection): Promise<void> {
  const key = { runId: RUN_ID, row: 2 };
  await journal.recordOutcome({ ...key, from: "held" }, { to: "ready", cause: "released-resend" });
  journal.beginSending(key);
  await journal.recordOutcome({ ...key, from: "sending" }, { to: "ambiguous", cause: "lost" });
  await journal.recordOutcome({ ...key, from: "ambiguous" }, { to: "held", cause: "not-found" });
}

async function* listProducts(): AsyncGenerator<never> {
  yield* [];
  throw new Error("no answer");
}

describe("releaseRow", () => {
  it("cancels a row, and records who decided it and why", async () => {
    const { connection, release, read } = await openFixture();

    expect(await release({ kind: "cancel" })).toEqual({ to: "cancelled" });

    expect((await read())?.state).toBe("cancelled");
    const events = await connection.journal.readEvents({ runId: RUN_ID, row: 2 });
    expect(events.at(-1)).toMatchObject({
      from: "held",
      to: "cancelled",
      cause: "released-cancel",
      evidence: { by: "ayşe", reason: "panel" },
    });
  });

  it("says that a newer sync has replaced a row which it closed in the same instant", async () => {
    const { connection, read } = await openFixture({ ...HELD, action: "update" });
    const record = await read();
    const run = await connection.runs.read(RUN_ID);
    if (record === undefined || run === undefined) throw new Error("the row is gone");
    const replaced = { to: "cancelled", cause: "superseded-hold" } as const;
    await connection.journal.recordOutcome({ runId: RUN_ID, row: 2, from: "held" }, replaced);

    const released = await releaseRow(connection, {
      run,
      record,
      release: { kind: "approve" },
      by: "ayşe",
    });

    expect(released).toMatchObject({ to: "held", code: "E_RELEASE_SUPERSEDED" });
    expect((await read())?.state).toBe("cancelled");
  });

  it("releases an add whose code no status of the store shows", async () => {
    const { release, read } = await openFixture();

    expect(await release({ kind: "resend" })).toEqual({ to: "ready" });

    expect((await read())?.state).toBe("ready");
  });

  it("keeps an add held whose request was sent, where the store has not been seen to show new products", async () => {
    const { connection, release, read } = await openFixture();
    await loseAnswer(connection);

    expect(await release({ kind: "resend" })).toMatchObject({
      to: "held",
      code: "E_RELEASE_BLIND",
    });

    expect((await read())?.state).toBe("held");
  });

  it("releases such an add where a person has accepted the risk, and records that", async () => {
    const { connection, release } = await openFixture();
    await loseAnswer(connection);

    expect(await release({ kind: "resend", isUnprovenAccepted: true })).toEqual({ to: "ready" });

    const events = await connection.journal.readEvents({ runId: RUN_ID, row: 2 });
    expect(events.at(-1)?.evidence["rule"]).toContain("though the store may hide it");
  });

  it("releases such an add where the store has shown another add of ours", async () => {
    const { connection, release } = await openFixture();
    await loseAnswer(connection);
    const other = idSchemas.product.parse("p-9");
    await connection.journal.startLagSample(other, 0);
    await connection.journal.recordLagSample(other, { shown: true, serverMs: 1000 });

    expect(await release({ kind: "resend" })).toEqual({ to: "ready" });
  });

  const UNIT_HELD: StoredRow = {
    cells: ["K1"],
    action: "update",
    issues: [createIssue({ code: "E_GUARD_PRICE_UNIT" })],
    payload: endpoints.product.update.input.parse({ product_id: "p-1", price: 1_000_000 }),
  };

  it("keeps a price held whose unit is unknown, and names the command that takes the unit", async () => {
    const { release, read } = await openFixture(UNIT_HELD);

    expect(await release({ kind: "resend" })).toMatchObject({
      to: "held",
      code: "E_RELEASE_PRICE_UNIT",
      why: { en: expect.stringContaining(`catalog resume ${RUN_ID} --price-unit minor|major`) },
    });

    expect((await read())?.state).toBe("held");
  });

  it("releases such a price where a person has checked it", async () => {
    const { release } = await openFixture(UNIT_HELD);

    expect(await release({ kind: "approve" })).toEqual({ to: "ready" });
  });

  it("releases such a price once its unit is known, as guards check it before it is sent", async () => {
    const { connection, release } = await openFixture(UNIT_HELD);
    await priceUnitOf(connection).save("minor", "person");

    expect(await release({ kind: "resend" })).toEqual({ to: "ready" });
  });

  it("keeps an add held whose code the store shows by now", async () => {
    const { marketplace, release, read } = await openFixture();
    await marketplace.addProduct(CUP, { beforeSend: () => undefined });

    expect(await release({ kind: "resend" })).toMatchObject({
      to: "held",
      code: "E_RELEASE_FOUND",
    });

    expect((await read())?.state).toBe("held");
  });

  it("records a row as done with the product that has its code", async () => {
    const { marketplace, release, read } = await openFixture();
    await marketplace.addProduct(CUP, { beforeSend: () => undefined });
    const productId = marketplace.products[0]?.product.id ?? "";

    expect(await release({ kind: "as-done", productId })).toEqual({ to: "done" });

    expect(await read()).toMatchObject({ state: "done", productId, issues: [] });
  });

  it("keeps a row held for an id of another product or of none", async () => {
    const { marketplace, release } = await openFixture();
    await marketplace.addProduct(
      { ...CUP, product_code: "BAŞKA" },
      { beforeSend: () => undefined },
    );
    const productId = marketplace.products[0]?.product.id ?? "";

    expect(await release({ kind: "as-done", productId })).toMatchObject({
      to: "held",
      code: "E_RELEASE_OTHER_CODE",
    });
    expect(await release({ kind: "as-done", productId: "yok" })).toMatchObject({
      to: "held",
      code: "E_RELEASE_UNKNOWN_ID",
    });
  });

  it("records no decision where a lookup was not answered", async () => {
    const { connection, read } = await openFixture();
    const record = await read();
    const run = await connection.runs.read(RUN_ID);
    if (record === undefined || run === undefined) throw new Error("the run is gone");
    const broken = { ...connection, marketplace: { ...connection.marketplace, listProducts } };

    const outcome = releaseRow(broken, { run, record, release: { kind: "resend" }, by: "ayşe" });

    await expect(outcome).rejects.toThrow("no answer");
    expect((await read())?.state).toBe("held");
  });
});

const ROW: StoredRow = { cells: ["KOD-2"] };

/** A run whose first rows are held, and whose last row is ready if `hasReady`. */
async function openHeld(held: number, { hasReady = false, command = "import" } = {}) {
  const test = await createTestConnection();
  const connection = { ...test.connection, marketplace: createFakeMarketplace() };
  const rows = Array.from({ length: held + (hasReady ? 1 : 0) }, () => ROW);
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows, command });
  for (let row = 2; row < held + 2; row += 1) {
    const outcome = { to: "held", cause: "not-found" } as const;
    await connection.journal.recordOutcome({ runId: RUN_ID, row, from: "ready" }, outcome);
  }
  const records = await connection.journal.readRows(RUN_ID, { states: ["held"], limit: 9 });
  return { connection, run, records };
}

describe("releaseRows", () => {
  it.each([
    { command: "import", hasReady: false, sentBy: "apply" },
    { command: "import", hasReady: true, sentBy: "resume" },
    { command: "sync", hasReady: true, sentBy: "sync" },
  ])(
    "has released rows of $command sent by $sentBy (other rows ready: $hasReady)",
    async (given) => {
      const { connection, run, records } = await openHeld(1, given);
      const decided = records.map((record) => ({ record, release: { kind: "approve" } as const }));

      const { released, sentBy } = await releaseRows(connection, { run, decided, by: "ayşe" });

      expect({ released, sentBy }).toEqual({
        released: [{ row: 2, to: "ready" }],
        sentBy: given.sentBy,
      });
    },
  );

  it("has nothing to send where rows are cancelled, and reports each in order", async () => {
    const { connection, run, records } = await openHeld(2);
    const decided = records.map((record) => ({ record, release: { kind: "cancel" } as const }));
    const reported: number[] = [];
    const onReleased = ({ row }: { readonly row: number }): number => reported.push(row);

    const { sentBy } = await releaseRows(connection, { run, decided, by: "ayşe", onReleased });

    expect({ sentBy, reported }).toEqual({ sentBy: "nothing", reported: [2, 3] });
  });

  it("records no more decisions once it is stopped", async () => {
    const { connection, run, records } = await openHeld(2);
    const decided = records.map((record) => ({ record, release: { kind: "cancel" } as const }));
    const stop = new AbortController();
    const onReleased = (): void => stop.abort(new Error("interrupted"));
    const { signal } = stop;

    const released = releaseRows(connection, { run, decided, by: "ayşe", signal, onReleased });

    await expect(released).rejects.toThrow("interrupted");
    const rows = await connection.journal.readRows(RUN_ID, { limit: 9 });
    expect(rows.map(({ state }) => state)).toEqual(["cancelled", "held"]);
  });
});

describe("toSending", () => {
  const guarded = [createIssue({ code: "E_GUARD_PRICE_DROP" })];

  it.each([
    { action: "update", issues: guarded, kind: "approve" },
    { action: "update", issues: [], kind: "resend" },
    { action: "add", issues: guarded, kind: "resend" },
  ] as const)("sends a held $action with $issues.length guard by $kind", ({ kind, ...held }) => {
    expect(toSending(held)).toEqual({ kind });
  });
});

it("acceptRows approves checked prices, resends adds that may be hidden, and changes no other decision", async () => {
  const { records } = await openHeld(3);
  const decided = records.map((record) => ({ record, release: { kind: "resend" } as const }));

  const accepted = acceptRows(decided, { unproven: new Set([2, 3]), uncompared: new Set([3]) });

  expect(accepted.map(({ release }) => release)).toEqual([
    { kind: "resend", isUnprovenAccepted: true },
    { kind: "approve" },
    { kind: "resend" },
  ]);
});
