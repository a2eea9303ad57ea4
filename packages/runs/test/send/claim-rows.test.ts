import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import type { Journal } from "../../src/ports/journal.ts";
import type { Marketplace } from "../../src/ports/marketplace.ts";
import type { RowDecision } from "../../src/row/row-record.ts";
import { applyRun, type ApplyRunOptions } from "../../src/send/apply-run.ts";
import { claimRows } from "../../src/send/send-ready-rows.ts";
import { createMemoryJournal, type MemoryJournal } from "../../src/testing.ts";
import { recheckOf } from "../helpers/apply-fixture.ts";
import { codeKey, RUN, SHEET } from "../helpers/products.ts";
import { plan, readStates, toAdd, toUpdate } from "../helpers/rows.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const stock = (row: number, product: string): RowDecision =>
  toUpdate(row, product, { stock_count: row });

/** Moves from `sending` back to `ready`, in the order of the sheet. */
const releasesOf = ({ events }: MemoryJournal): readonly string[] =>
  events
    .filter(({ from, to }) => from === "sending" && to === "ready")
    .map(({ row, cause }) => `${row}: ${cause}`);

/** Opens the claims of these rows, in batches of four. */
async function openClaims(decisions: readonly RowDecision[]) {
  const journal = createMemoryJournal();
  await plan(journal, decisions);
  const rows = await journal.readRows(RUN, { limit: 99 });
  const gate = { isOpen: true };
  let onClaim: (() => unknown) | undefined;
  const looked = rows.values().map((record) => ({
    record,
    verdict: { kind: "go" } as const,
    isFresh: () => true,
    renew: async () => undefined,
    close: () => undefined,
  }));
  const claims = claimRows({
    runId: RUN,
    journal: {
      ...journal,
      async claim(wanted) {
        const claimed = await journal.claim(wanted);
        onClaim?.();
        return claimed;
      },
    },
    marketplace: {},
    rows: { next: async () => looked.next().value },
    gate,
    batchRows: 4,
  });
  const duringClaim = (work: () => unknown): void => void (onClaim = work);
  return { claims, journal, gate, duringClaim };
}

/** Opens a marketplace that answers each update on request. */
async function openFixture(rows: number, more: Partial<ApplyRunOptions> = {}) {
  const memory = createMemoryJournal();
  const updates = Array.from({ length: rows }, (_, at) =>
    toUpdate(at + 2, `p${at + 2}`, { stock_count: at }),
  );
  await plan(memory, updates);
  const groups: number[] = [];
  const journal: Journal = {
    ...memory,
    claim(group) {
      groups.push(group.length);
      return memory.claim(group);
    },
  };
  const answers: ((status: number) => void)[] = [];
  const marketplace: Marketplace = {
    countProducts: async () => 0,
    async *listProducts() {},
    addProduct: () => Promise.reject(new Error("there are no adds")),
    async updateProduct(_body, { prepare, beforeSend }) {
      await prepare?.();
      beforeSend();
      const { promise, resolve } = Promise.withResolvers<number>();
      answers.push(resolve);
      const status = await promise;
      return status === 200
        ? { kind: "answered", data: { status: true }, phase: "body" }
        : { kind: "refused", status, phase: "body", message: "no", retryAfterMs: 60_000 };
    },
  };
  const clock = createFakeClock();
  const look = recheckOf(memory);
  const fixed = {
    runId: RUN,
    journal,
    marketplace,
    clock,
    codeKey,
    sheet: SHEET,
    sampleEvery: 0,
    recheck: look,
  };
  const applying = applyRun({ ...fixed, concurrency: 2, ...more });
  // The test awaits the result later, so the rejection must not count as unhandled.
  applying.catch(() => undefined);
  const answer = async (status = 200): Promise<void> => {
    answers.shift()?.(status);
    for (let n = 0; n < 4; n += 1) await settled();
  };
  for (let n = 0; n < 4; n += 1) await settled();
  const states = async (): Promise<string> =>
    (await readStates(memory)).map((text) => text.split(": ")[1]?.slice(0, 4)).join(" ");
  return { memory, answers, answer, applying, groups, clock, states };
}

describe("the claims of a pass", () => {
  it("commits claims in batches, and sends no more at a time than the concurrency", async () => {
    const { answers, states, groups } = await openFixture(9);

    expect(answers).toHaveLength(2);
    expect(await states()).toBe("send send send send read read read read read");
    expect(groups).toEqual([4]);
  });

  it("claims the next batch only once every row of the last one is under way", async () => {
    const { answer, groups, applying, answers, states } = await openFixture(12);
    while (answers.length > 0) await answer();

    expect(await applying).toEqual({ end: "finished" });
    expect(await states()).toBe(Array.from({ length: 12 }, () => "done").join(" "));
    expect(groups).toEqual([4, 4, 4]);
  });

  it("releases what was claimed ahead at a stop", async () => {
    const stop = new AbortController();
    const { answer, applying, states } = await openFixture(9, { stop: stop.signal });
    await answer();
    await answer();

    stop.abort(new Error("stopped"));
    await answer();
    await answer();

    expect(await applying).toEqual({ end: "stopped" });
    expect(await states()).toBe("done done done done read read read read read");
  });

  it("releases claims at a stop, and waits for the requests under way", async () => {
    const stop = new AbortController();
    const { memory, answer, applying, states } = await openFixture(9, { stop: stop.signal });

    stop.abort(new Error("stopped"));
    await answer();
    await answer();

    expect(await applying).toEqual({ end: "stopped" });
    expect(await states()).toBe("done done read read read read read read read");
    expect(releasesOf(memory)).toEqual(["4: unsent", "5: unsent"]);
  });

  it("releases claims when the breaker opens", async () => {
    const { memory, answer, applying, states } = await openFixture(9);

    await answer(403);
    await answer();

    expect(await applying).toMatchObject({ end: "permission" });
    expect(await states()).toBe("read done read read read read read read read");
    expect(releasesOf(memory)).toEqual(["2: status-403", "4: unsent", "5: unsent"]);
  });

  it("releases claims when the marketplace asks to wait, and sends the rows after that", async () => {
    const { memory, answer, answers, clock, states, applying } = await openFixture(5);

    await answer(429);
    expect(answers).toHaveLength(1);
    await answer();
    expect(await states()).toBe("read done read read read");
    expect(releasesOf(memory)).toEqual(["2: status-429", "4: unsent", "5: unsent"]);

    await clock.advance(60_000);
    for (let n = 0; n < 8; n += 1) await answer();
    expect(await applying).toEqual({ end: "finished" });
    expect(await states()).toBe("done done done done done");
  });

  it("sends no claim that another process has recovered", async () => {
    const { memory, answer, answers, applying } = await openFixture(3);
    expect(answers).toHaveLength(2);
    // The third row is claimed and waits for a worker.
    await memory.recordOutcome(
      { runId: RUN, row: 4, from: "sending" },
      { to: "ready", cause: "recovery-unsent" },
    );
    expect(memory.beginSending({ runId: RUN, row: 4 })).toBe("begun");

    await answer();
    await answer();

    await expect(applying).rejects.toThrow("was recovered by another process");
    expect(answers).toHaveLength(0);
  });
});

describe("claimRows", () => {
  it("hands out adds without a claim, and all rows in the order of the sheet", async () => {
    const { claims, journal } = await openClaims([toAdd(2, "A"), stock(3, "p3"), stock(4, "p4")]);

    expect(await claims.next()).toMatchObject({
      rechecked: { record: { row: 2 } },
      claim: undefined,
    });
    expect(await readStates(journal)).toEqual(["2: ready", "3: sending", "4: sending"]);
    expect(await claims.next()).toMatchObject({ claim: { runId: RUN, row: 3, attempt: 1 } });
    expect(await claims.next()).toMatchObject({ claim: { runId: RUN, row: 4, attempt: 1 } });
    expect(await claims.next()).toBeUndefined();
  });

  it("hands out a row that cannot be claimed, so that sending it reports why", async () => {
    const { claims } = await openClaims([stock(2, "p2"), stock(3, "p2")]);

    expect(await claims.next()).toMatchObject({ claim: { row: 2 } });
    expect(await claims.next()).toMatchObject({
      rechecked: { record: { row: 3 } },
      claim: undefined,
    });
  });

  it("claims nothing while the gate is closed", async () => {
    const { claims, journal, gate } = await openClaims([stock(2, "p2")]);
    gate.isOpen = false;

    expect(await claims.next()).toMatchObject({
      rechecked: { record: { row: 2 } },
      claim: undefined,
    });
    expect(await readStates(journal)).toEqual(["2: ready"]);
  });

  it("releases at once what it has claimed while the gate closed", async () => {
    const { claims, journal, gate, duringClaim } = await openClaims([stock(2, "p2")]);
    duringClaim(() => (gate.isOpen = false));

    expect(await claims.next()).toMatchObject({ claim: undefined });
    expect(await readStates(journal)).toEqual(["2: ready"]);
    expect(releasesOf(journal)).toEqual(["2: unsent"]);
  });

  it("claims the next batch ahead once every row of the last one is taken", async () => {
    const rows = [2, 3, 4, 5, 6, 7].map((row) => stock(row, `p${row}`));
    const { claims, journal } = await openClaims(rows);
    for (const row of rows.slice(0, 3)) {
      expect(await claims.next()).toMatchObject({ claim: { row: row.row } });
    }
    claims.claimAhead();
    expect((await readStates(journal)).slice(4)).toEqual(["6: ready", "7: ready"]);
    await claims.next();

    claims.claimAhead();
    expect(await claims.next()).toMatchObject({ claim: { row: 6 } });
    await claims.close();

    expect((await readStates(journal)).slice(4)).toEqual(["6: sending", "7: ready"]);
  });

  it("rejects the next row where its batch could not be claimed ahead", async () => {
    const { claims, duringClaim } = await openClaims([stock(2, "p2")]);
    duringClaim(() => {
      throw new Error("the disk is full");
    });

    claims.claimAhead();

    await expect(claims.next()).rejects.toThrow("the disk is full");
  });

  it("claims released rows again", async () => {
    const { claims, journal } = await openClaims([stock(2, "p2"), stock(3, "p3")]);
    await claims.next();

    await claims.release();
    expect(await readStates(journal)).toEqual(["2: sending", "3: ready"]);

    expect(await claims.next()).toMatchObject({ claim: { row: 3, attempt: 2 } });
  });
});
