import { createFakeClock } from "@catalog/clock/testing";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import { applyRun, type ApplyRunOptions, type Journal, type Marketplace } from "@catalog/runs";
import { codeKey, plan, readStates, RUN, SHEET, toUpdate } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { recheckOf } from "./helpers/apply-fixture.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Moves from `sending` back to `ready`, in the order of the sheet. */
const releasesOf = ({ events }: MemoryJournal): readonly string[] =>
  events
    .filter(({ from, to }) => from === "sending" && to === "ready")
    .map(({ row, cause }) => `${row}: ${cause}`);

/** Opens a marketplace that answers each update on request. */
async function openFixture(rows: number, more: Partial<ApplyRunOptions> = {}) {
  const memory = await openMemoryJournal();
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
