import { type RowDecision, applyRun, type SentRow } from "@catalog/runs";
import {
  answered,
  failing,
  lost,
  refused,
  codeKey,
  listed,
  plan,
  readRow,
  readStates,
  RUN,
  SHEET,
  toAdd,
  toUpdate,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { adds, allDone, openApplyFixture, recheckOf, writesOf } from "./helpers/apply-fixture.ts";

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

    await apply({ onRow: ({ row, state }: SentRow) => rows.push(`${row}: ${state}`) });

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

  it("leaves held adds of other runs alone, even with the policy resend", async () => {
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
