import { createFakeClock } from "@catalog/clock/testing";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import {
  applyRun,
  type ApplyRunOptions,
  type ApplyProgress,
  type Journal,
  type Marketplace,
  type RowDecision,
  toCounts,
} from "@catalog/runs";
import {
  answered,
  auditDuplicates,
  codeKey,
  failing,
  listed,
  lost,
  plan,
  readRow,
  readStates,
  refused,
  type Reply,
  RUN,
  SHEET,
  toAdd,
  toUpdate,
  checkFakeUpdate,
} from "@catalog/runs/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  adds,
  allDone,
  type ApplyFixture,
  openApplyFixture,
  recheckOf,
  writesOf,
} from "./helpers/apply-fixture.ts";

describe("applyRun", () => {
  it("sends every ready row in the order of the sheet, and no other row", async () => {
    const held: RowDecision = { ...toAdd(4, "A4"), state: "held", payload: null };
    const { journal, marketplace, apply } = await openApplyFixture(
      [...adds(2), held, toUpdate(5, "p1", { title: "Mug" })],
      { products: [listed("p1", "B1")] },
    );

    expect(await apply()).toEqual({ end: "finished" });

    expect(marketplace.log).toEqual(["LIST approved p1", "ADD A2", "ADD A3", "UPDATE p1"]);
    expect(await readStates(journal)).toEqual(["2: done", "3: done", "4: held", "5: done"]);
  });

  it("sends nothing when it runs a second time", async () => {
    const { marketplace, apply } = await openApplyFixture(adds(3));
    await apply();

    expect(await apply()).toEqual({ end: "finished" });

    expect(marketplace.log).toHaveLength(3);
  });

  it("sends as many rows as requested, one at a time, and reconciles them", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(4), {
      script: { "ADD A3": [lost("started", { effect: "now" })] },
    });

    expect(await apply({ max: 2, concurrency: 4 })).toEqual({ end: "finished" });

    expect(writesOf(marketplace)).toEqual(["ADD A2", "ADD A3"]);
    expect(await readStates(journal)).toEqual(["2: done", "3: done", "4: ready", "5: ready"]);
  });

  it("sends more rows than it reads at a time", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(230));

    await apply({ concurrency: 4 });

    expect(new Set(marketplace.log).size).toBe(230);
    expect(await readStates(journal)).toEqual(allDone(230));
  });

  it("reports each row as it is answered", async () => {
    const rows: string[] = [];
    const { apply } = await openApplyFixture(adds(2), { script: { "ADD A3": [refused(422)] } });

    const onProgress = ({ row }: ApplyProgress): void => {
      if (row !== undefined) rows.push(`${row.row}: ${row.state}`);
    };
    await apply({ onProgress });

    expect(rows).toEqual(["2: done", "3: rejected"]);
  });

  it("finishes with rejected rows, and sends the others", async () => {
    const { journal, apply } = await openApplyFixture(adds(3), {
      script: { "ADD A3": [answered({ status: false, message: "no" })] },
    });

    expect(await apply()).toEqual({ end: "finished" });

    expect(await readStates(journal)).toEqual(["2: done", "3: rejected", "4: done"]);
  });

  it("reconciles what an earlier process left open before it sends anything", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(2), {
      products: [listed("p9", "A2")],
    });
    journal.beginSending({ runId: RUN, row: 2 });

    await apply();

    expect(marketplace.log.at(-1)).toBe("ADD A3");
    expect(writesOf(marketplace)).toEqual(["ADD A3"]);
    expect(await readRow(journal, 2)).toMatchObject({ state: "done", productId: "p9" });
  });

  it("reconciles a lost answer by finding the product", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(2), {
      script: { "ADD A2": [lost("started", { effect: "now" })] },
    });

    expect(await apply()).toEqual({ end: "finished" });

    expect(writesOf(marketplace)).toEqual(["ADD A2", "ADD A3"]);
    expect(await readStates(journal)).toEqual(allDone(2));
  });

  it("holds a lost add that it cannot find, and calls it done once the product is listed", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(2), {
      script: { "ADD A2": [lost("started", { effect: { afterReads: 99 } })] },
    });
    await apply();
    await apply();
    expect(await readStates(journal)).toEqual(["2: held", "3: done"]);
    marketplace.catchUp();

    await apply();

    expect(writesOf(marketplace)).toEqual(["ADD A2", "ADD A3"]);
    expect(await readStates(journal)).toEqual(["2: done", "3: done"]);
  });

  it("sends a held add again with the policy resend once it was missing for long enough", async () => {
    const { journal, marketplace, clock, apply } = await openApplyFixture(adds(2), {
      script: { "ADD A3": [lost("started")] },
    });
    const resend = { onUnknown: "resend", lookupDelaysMs: [0, 1, 1], sampleEvery: 20 } as const;
    await apply(resend);
    expect(await readStates(journal)).toEqual(["2: done", "3: held"]);
    expect(journal.events.at(-1)?.evidence["rule"]).toContain("needed are 900000 ms");
    await clock.advance(15 * 60_000);

    await apply(resend);

    expect(writesOf(marketplace)).toEqual(["ADD A2", "ADD A3", "ADD A3"]);
    expect(await readStates(journal)).toEqual(allDone(2));
  });

  it("does not touch held adds of other runs, even with the policy resend", async () => {
    const { journal, marketplace, clock, apply } = await openApplyFixture(adds(2), {
      script: { "ADD A3": [lost("started")] },
    });
    const resend = { onUnknown: "resend", lookupDelaysMs: [0, 1, 1], sampleEvery: 20 } as const;
    await apply(resend);
    await clock.advance(15 * 60_000);
    await plan(journal, [toAdd(2, "B2")], "r-2");

    await apply({ ...resend, runId: "r-2" });

    expect(writesOf(marketplace)).toEqual(["ADD A2", "ADD A3", "ADD B2"]);
    expect(await readStates(journal)).toEqual(["2: done", "3: held"]);
  });
});

describe("applyRun, sending several rows at a time", () => {
  for (const [name, more, max] of [
    ["four requests by default", {}, 4],
    ["as many adds as a higher concurrency allows", { concurrency: 16 }, 16],
    ["two requests with a concurrency of two", { concurrency: 2 }, 2],
    ["one request with a concurrency of one", { concurrency: 1 }, 1],
  ] as const) {
    it(`has at most ${name} under way`, async () => {
      let flying = 0;
      let seen = 0;
      const { journal, marketplace, clock } = await openApplyFixture(adds(20), {
        onRequest: async () => {
          flying += 1;
          seen = Math.max(seen, flying);
          await new Promise((resolve) => setImmediate(resolve));
          flying -= 1;
        },
      });

      await applyRun({
        runId: RUN,
        journal,
        marketplace,
        recheck: recheckOf(journal),
        clock,
        codeKey,
        sheet: SHEET,
        sampleEvery: 0,
        ...more,
      });

      expect(seen).toBe(max);
      expect(flying).toBe(0);
    });
  }

  it("sends two updates of one product one after the other", async () => {
    const updates = [
      toUpdate(2, "p1", { title: "Mug" }),
      toUpdate(3, "p1", { stock_count: 7 }),
      toUpdate(4, "p2", { title: "Bowl" }),
    ];
    const { journal, marketplace, apply } = await openApplyFixture(updates, {
      products: [listed("p1", "B1"), listed("p2", "B2")],
    });

    expect(await apply({ concurrency: 3 })).toEqual({ end: "finished" });

    expect(writesOf(marketplace)).toEqual(["UPDATE p1", "UPDATE p2", "UPDATE p1"]);
    expect(await readStates(journal)).toEqual(allDone(3));
    expect(marketplace.products[0]?.product).toMatchObject({ title: "Mug", stock: 7 });
  });

  it("rejects with the failure of one row after the others in flight have ended, and starts no more", async () => {
    const answers = Promise.withResolvers<void>();
    const { journal, marketplace, clock } = await openApplyFixture(adds(9), {
      script: { "ADD A5": [failing(new Error("wrong secret"))] },
      onRequest: () => answers.promise,
    });
    let isOver = false;
    const recheck = recheckOf(journal);
    const fixed = { runId: RUN, journal, marketplace, clock, codeKey, sheet: SHEET, recheck };
    const applying = applyRun({ ...fixed, sampleEvery: 0 });
    const end = (): boolean => (isOver = true);
    applying.then(end, end);

    await clock.advance(1);
    expect(isOver).toBe(false);

    answers.resolve();
    await expect(applying).rejects.toThrow("wrong secret");
    expect(marketplace.log).toEqual(["ADD A2", "ADD A3", "ADD A4"]);
    expect(await journal.countRows(RUN)).toEqual([
      { state: "done", action: "add", rows: 3 },
      { state: "ready", action: "add", rows: 6 },
    ]);
  });

  it("rejects with an outcome that cannot be written after the next outcome is written", async () => {
    const products = [listed("p1", "B1"), listed("p2", "B2")];
    const { journal, marketplace, clock } = await openApplyFixture(
      [toUpdate(2, "p1", { title: "Mug" }), toUpdate(3, "p2", { title: "Cup" })],
      { products },
    );
    const next = Promise.withResolvers<void>();
    const broken: typeof journal = {
      ...journal,
      recordOutcome: async ({ row }) => {
        if (row === 3) await next.promise;
        throw new Error(`row ${row} cannot be written`);
      },
    };
    let isOver = false;
    const recheck = recheckOf(journal);
    const fixed = { runId: RUN, journal: broken, marketplace, clock, codeKey, sheet: SHEET };
    const applying = applyRun({ ...fixed, recheck, concurrency: 1, sampleEvery: 0 });
    const end = (): boolean => (isOver = true);
    applying.then(end, end);

    await clock.advance(1);
    expect([writesOf(marketplace), isOver]).toEqual([["UPDATE p1", "UPDATE p2"], false]);

    next.resolve();
    await expect(applying).rejects.toThrow("row 2 cannot be written");
  });
});

describe("applyRun, stopped", () => {
  it("starts no further row, and waits for those under way", async () => {
    const controller = new AbortController();
    const { journal, marketplace, apply } = await openApplyFixture(adds(9), {
      onRequest: (request) => {
        if (request === "ADD A3") controller.abort();
      },
    });

    expect(await apply({ stop: controller.signal })).toEqual({ end: "stopped" });

    expect(marketplace.log).toEqual(["ADD A2", "ADD A3"]);
    expect((await readStates(journal)).slice(0, 3)).toEqual(["2: done", "3: done", "4: ready"]);
  });

  it("sends nothing when it was stopped before it started", async () => {
    const { marketplace, apply } = await openApplyFixture(adds(2));

    expect(await apply({ stop: AbortSignal.abort() })).toEqual({ end: "stopped" });

    expect(marketplace.log).toEqual([]);
  });

  it("ends the wait that the marketplace asked for", async () => {
    const controller = new AbortController();
    const { journal, marketplace, clock } = await openApplyFixture(adds(2), {
      script: { "ADD A2": [refused(429, { retryAfterMs: 3_600_000 })] },
    });
    const recheck = recheckOf(journal);
    const fixed = { runId: RUN, journal, marketplace, clock, codeKey, sheet: SHEET, recheck };
    const applying = applyRun({
      ...fixed,
      concurrency: 1,
      sampleEvery: 0,
      stop: controller.signal,
    });
    await clock.advance(1_000);

    controller.abort();

    expect(await applying).toEqual({ end: "stopped" });
    expect(clock.now()).toBe(1_000);
    expect(marketplace.log).toEqual(["ADD A2"]);
  });

  it("ends while it looks up a lost answer, with the row still open", async () => {
    const controller = new AbortController();
    const { journal, apply } = await openApplyFixture(adds(1), {
      script: { "ADD A2": [lost("started")] },
      onRequest: (request) => {
        if (request.startsWith("LIST")) controller.abort();
      },
    });

    expect(await apply({ stop: controller.signal })).toEqual({ end: "stopped" });

    expect(await readStates(journal)).toEqual(["2: ambiguous"]);
  });

  it("rejects with another failure despite the stop", async () => {
    const controller = new AbortController();
    const { apply } = await openApplyFixture(adds(1), {
      onRequest: () => {
        controller.abort();
        throw new Error("the disk is full");
      },
    });

    await expect(apply({ stop: controller.signal })).rejects.toThrow("the disk is full");
  });

  it("rejects with one row's failure while another row waits", async () => {
    const controller = new AbortController();
    const { journal, marketplace, clock } = await openApplyFixture(adds(2), {
      script: { "ADD A2": [refused(429)] },
      onRequest: async (request) => {
        if (request === "ADD A2") return;
        await new Promise((resolve) => setImmediate(resolve));
        controller.abort();
        throw new Error("the disk is full");
      },
    });
    const recheck = recheckOf(journal);
    const fixed = { runId: RUN, journal, marketplace, clock, codeKey, sheet: SHEET, recheck };

    const more = { concurrency: 2, sampleEvery: 0 };
    const applying = applyRun({ ...fixed, ...more, stop: controller.signal });

    await expect(applying).rejects.toThrow("the disk is full");
  });

  it("leaves a run that can be resumed", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(3));
    await apply({ stop: AbortSignal.abort() });

    expect(await apply()).toEqual({ end: "finished" });

    expect(marketplace.log).toEqual(["ADD A2", "ADD A3", "ADD A4"]);
    expect(await readStates(journal)).toEqual(allDone(3));
  });
});

const audit = ({ journal, marketplace }: ApplyFixture): ReturnType<typeof auditDuplicates> =>
  auditDuplicates({ runId: RUN, journal, marketplace, codeKey });

describe("auditDuplicates", () => {
  it("makes no call when every answer came", async () => {
    const fixture = await openApplyFixture(adds(3));
    await fixture.apply();
    const calls = fixture.marketplace.log.length;

    expect(await audit(fixture)).toEqual([]);

    expect(fixture.marketplace.log).toHaveLength(calls);
  });

  it("finds no duplicate when a lost add is in the store once", async () => {
    const fixture = await openApplyFixture(adds(3), {
      script: { "ADD A3": [lost("started", { effect: "now" })] },
    });
    await fixture.apply();

    expect(await audit(fixture)).toEqual([]);
  });

  it("names every product of a code that is in the store twice", async () => {
    const fixture = await openApplyFixture(adds(3), {
      products: [listed("p9", "A3", { placement: "hidden" })],
      script: { "ADD A3": [lost("started", { effect: "now" })] },
    });
    await fixture.apply();
    const [hidden] = fixture.marketplace.products;
    if (hidden !== undefined) fixture.marketplace.put(hidden.product.id, "veto");

    const found = await audit(fixture);

    expect(found).toMatchObject([{ row: 3, code: "A3", ids: ["new-2", "p9"] }]);
    expect(found[0]?.message.tr).toContain("new-2, p9");
    expect(found[0]?.message.en).toContain('"A3" of row 3');
  });
});

const RUNS = 100;

/** Possible replies to a request. */
const REPLIES: readonly (Reply | undefined)[] = [
  undefined,
  answered({ status: false, message: "no" }),
  answered("<html>", "now"),
  refused(400),
  refused(503, { effect: "now" }),
  lost("none"),
  lost("started", { effect: "now" }),
  lost("headers"),
];

const script = fc.array(fc.constantFrom(...REPLIES), { minLength: 1, maxLength: 12 });

/** Every row has its own product: adds by their code, updates of listed products. */
const isUpdateAt = (index: number): boolean => index % 3 === 2;

it("ends every row in one class, with its own cells and its own product", async () => {
  await fc.assert(
    fc.asyncProperty(
      script,
      fc.array(fc.nat(6), { minLength: 12, maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (replies, turns, concurrency) => {
        const decisions = replies.map((_, index) =>
          isUpdateAt(index)
            ? toUpdate(index + 2, `P${index + 2}`, { title: `Title ${index + 2}` })
            : toAdd(index + 2, `A${index + 2}`),
        );
        const requests = replies.flatMap((reply, index) => {
          const request = isUpdateAt(index) ? `UPDATE P${index + 2}` : `ADD A${index + 2}`;
          return reply === undefined ? [] : [[request, [reply]] as const];
        });
        let arrivals = 0;
        const onRequest = async (): Promise<void> => {
          // Answers arrive in another order than the requests were sent.
          const max = turns[arrivals++ % turns.length] ?? 0;
          for (let turn = 0; turn < max; turn += 1) await Promise.resolve();
        };
        const fixture = await openApplyFixture(decisions, {
          script: Object.fromEntries(requests),
          onRequest,
        });

        await fixture.apply({ concurrency });

        const { rows: total, ...classes } = toCounts(await fixture.journal.countRows(RUN));
        const rows = await fixture.journal.readRows(RUN, { limit: 100 });
        expect(Object.values(classes).reduce((sum, count) => sum + count, 0)).toBe(total);
        expect(rows.map(({ row }) => row)).toEqual(decisions.map(({ row }) => row));
        for (const { row, action, state, cells, productId } of rows) {
          const code = `A${row}`;
          if (action === "update") {
            expect([row, productId]).toEqual([row, `P${row}`]);
            continue;
          }
          expect(cells).toEqual([code]);
          const own = fixture.marketplace.products.filter(
            ({ product }) => product.product_code === code,
          );
          // No product belongs to two rows, and a done row names the product with its code.
          expect(own.length).toBeLessThanOrEqual(1);
          if (state === "done") expect(productId).toBe(own[0]?.product.id);
          if (state === "rejected") expect(own).toEqual([]);
        }
      },
    ),
    { numRuns: RUNS },
  );
});

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
    checkUpdate: checkFakeUpdate,
    async updateProduct(_body, { beforeSend }) {
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
