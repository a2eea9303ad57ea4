import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { type Journal } from "../../src/ports/journal.ts";
import { type Marketplace } from "../../src/ports/marketplace.ts";
import { applyRun, type ApplyRunOptions } from "../../src/send/apply-run.ts";
import { createMemoryJournal } from "../../src/testing.ts";
import { lookOf } from "../helpers/apply-fixture.ts";
import { codeKey, RUN, SHEET } from "../helpers/products.ts";
import { plan, readStates, toUpdate } from "../helpers/rows.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A marketplace that answers each update when it is told to. */
async function openScene(rows: number, more: Partial<ApplyRunOptions> = {}) {
  const memory = createMemoryJournal();
  const updates = Array.from({ length: rows }, (_, at) =>
    toUpdate(at + 2, `p${at + 2}`, { stock_count: at }),
  );
  await plan(memory, updates);
  const groups: number[] = [];
  const journal: Journal = {
    ...memory,
    beginTogether(group) {
      groups.push(group.length);
      return memory.beginTogether(group);
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
  const look = lookOf(memory);
  const fixed = {
    runId: RUN,
    journal,
    marketplace,
    clock,
    codeKey,
    sheet: SHEET,
    sampleEvery: 0,
    look,
  };
  const applying = applyRun({ ...fixed, concurrency: 2, ...more });
  // A test looks at how it ends later than it may.
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

describe("updates on their road", () => {
  it("are written down ahead, but never more of them sent than may be on their way", async () => {
    const { answers, states, groups } = await openScene(9);

    expect(answers).toHaveLength(2);
    expect(await states()).toBe("send send send send send send read read read");
    expect(groups).toEqual([6]);
  });

  it("share a write again only when few that are written wait", async () => {
    const { answer, groups, applying, answers, states } = await openScene(12);
    while (answers.length > 0) await answer();

    expect(await applying).toEqual({ end: "finished" });
    expect(await states()).toBe(Array.from({ length: 12 }, () => "done").join(" "));
    // Fewer writes than rows, though each row waited for its own.
    expect(groups.reduce((sum, size) => sum + size, 0)).toBe(12);
    expect(groups.length).toBeLessThanOrEqual(5);
  });

  it("go back, unsent, when it is stopped; what is on its way is waited for", async () => {
    const stop = new AbortController();
    const { memory, answer, applying, states } = await openScene(9, { stop: stop.signal });

    stop.abort(new Error("stopped"));
    await answer();
    await answer();

    expect(await applying).toEqual({ end: "stopped" });
    expect(await states()).toBe("done done read read read read read read read");
    const causes = memory.events.filter(({ from, to }) => from === "sending" && to === "ready");
    expect(causes.map(({ cause }) => cause)).toEqual(Array.from({ length: 4 }, () => "unsent"));
  });

  it("go back, unsent, when the marketplace asks to wait, and leave when that is over", async () => {
    const { answer, answers, clock, states, applying } = await openScene(5);

    await answer(429);
    expect(answers).toHaveLength(1);
    await answer();
    expect(await states()).toBe("read done read read read");

    await clock.advance(60_000);
    for (let n = 0; n < 8; n += 1) await answer();
    expect(await applying).toEqual({ end: "finished" });
    expect(await states()).toBe("done done done done done");
  });

  it("are not sent any more once another process has taken them over", async () => {
    const { memory, answer, answers, applying } = await openScene(3);
    expect(answers).toHaveLength(2);
    // The third is written and waits for its place.
    await memory.settle(
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
