import { openMemoryJournal } from "@catalog/database/testing";
import { judgeVisibility, type LagSample, sampleVisibility } from "@catalog/runs";
import {
  createFakeMarketplace,
  toProductId,
  listed,
  lost,
  readStates,
  refused,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { adds, allDone, openApplyFixture, writesOf } from "./helpers/apply-fixture.ts";

/** A product that is not shown within this time makes the store a blind one. */
const PATIENCE_MS = 15 * 60_000;

const sample = (more: Partial<LagSample>): LagSample => ({
  productId: toProductId("p1"),
  addedMs: 0,
  shownMs: null,
  readMs: null,
  isShown: false,
  ...more,
});
const shown = sample({ shownMs: 2_000, readMs: 2_000, isShown: true });

describe("judgeVisibility", () => {
  const CASES: readonly (readonly [string, readonly LagSample[], string, number])[] = [
    ["no sample", [], "unknown", 0],
    ["a sample that was not looked up", [sample({})], "unknown", 0],
    [
      "a sample that is missing for less than 15 minutes",
      [sample({ readMs: PATIENCE_MS - 1 })],
      "unknown",
      0,
    ],
    ["a sample that is missing for 15 minutes", [sample({ readMs: PATIENCE_MS })], "blind", 0],
    ["a sample that was shown", [shown], "visible", 2_000],
    [
      "one shown sample and one missing for 15 minutes",
      [shown, sample({ readMs: PATIENCE_MS })],
      "blind",
      2_000,
    ],
    [
      "a shown sample without a server time",
      [sample({ addedMs: null, isShown: true })],
      "visible",
      0,
    ],
    [
      "a missing sample without a server time",
      [sample({ addedMs: null, readMs: PATIENCE_MS })],
      "unknown",
      0,
    ],
  ];
  for (const [name, samples, verdict, maxLagMs] of CASES) {
    it(`calls a store with ${name} ${verdict}`, () => {
      expect(judgeVisibility(samples)).toEqual({ verdict, maxLagMs, samples: samples.length });
    });
  }
});

describe("sampleVisibility", () => {
  it("looks up all missing samples in one call until they are found", async () => {
    const journal = await openMemoryJournal();
    const marketplace = createFakeMarketplace({
      products: [listed("p1", "A1"), listed("p2", "A2", { placement: "passive" })],
      serverTimeMs: () => 700,
    });
    await journal.startLagSample(toProductId("p1"), 100);
    await journal.startLagSample(toProductId("p2"), 200);

    expect(await sampleVisibility({ journal, marketplace })).toBe(0);

    expect(marketplace.log).toEqual(["LIST approved p1,p2", "LIST passive p2"]);
    expect((await journal.readLagSamples()).map(({ shownMs }) => shownMs)).toEqual([700, 700]);
    await sampleVisibility({ journal, marketplace });
    expect(marketplace.log).toHaveLength(2);
  });

  it("records that a product is still missing", async () => {
    const journal = await openMemoryJournal();
    const marketplace = createFakeMarketplace({ serverTimeMs: () => PATIENCE_MS });
    await journal.startLagSample(toProductId("p1"), 0);

    expect(await sampleVisibility({ journal, marketplace })).toBe(1);

    expect(judgeVisibility(await journal.readLagSamples()).verdict).toBe("blind");
  });

  it("ignores a listing that cannot be read", async () => {
    const journal = await openMemoryJournal();
    const marketplace = createFakeMarketplace({
      onRequest: () => Promise.reject(new Error("no JSON")),
      serverTimeMs: () => PATIENCE_MS,
    });
    await journal.startLagSample(toProductId("p1"), 0);

    expect(await sampleVisibility({ journal, marketplace })).toBe(1);

    expect(judgeVisibility(await journal.readLagSamples()).verdict).toBe("unknown");
  });

  it("rejects when it is aborted", async () => {
    const journal = await openMemoryJournal();
    const signal = AbortSignal.abort(new Error("stop"));
    await journal.startLagSample(toProductId("p1"), 0);

    const looking = sampleVisibility({ journal, marketplace: createFakeMarketplace(), signal });

    await expect(looking).rejects.toThrow("stop");
  });
});

const WATCH = { sampleEvery: 20, concurrency: 4 };

describe("sampling the first add of a store", () => {
  it("sends the first add alone and looks it up before the others", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(3), { isNew: true });

    expect(await apply(WATCH)).toEqual({ end: "finished" });

    expect(marketplace.log.slice(0, 3)).toEqual(["ADD A2", "LIST approved new-1", "ADD A3"]);
    expect(judgeVisibility(await journal.readLagSamples()).verdict).toBe("visible");
    expect(await readStates(journal)).toEqual(allDone(3));
  });

  it("waits a few seconds for a first add that is not shown, and then sends the others one by one", async () => {
    let flying = 0;
    let max = 0;
    const { journal, clock, apply } = await openApplyFixture(adds(5), {
      isNew: true,
      placement: "hidden",
      onRequest: async (request) => {
        if (!request.startsWith("ADD")) return;
        flying += 1;
        max = Math.max(max, flying);
        await new Promise((resolve) => setImmediate(resolve));
        flying -= 1;
      },
    });

    expect(await apply(WATCH)).toEqual({ end: "finished" });

    expect(max).toBe(1);
    expect(clock.now()).toBe(5_000);
    expect(await readStates(journal)).toEqual(allDone(5));
  });

  it("does not send the first add alone in a store that has shown one before", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(2), { isNew: true });
    await journal.startLagSample(toProductId("p0"), 0);
    await journal.recordLagSample(toProductId("p0"), { shown: true, serverMs: 5 });

    await apply(WATCH);

    expect(marketplace.log).toEqual(["ADD A2", "ADD A3"]);
  });
});

describe("sampling later adds", () => {
  it.each([
    ["one of twenty adds", 60, 4],
    ["at most one add a second", 20, 2],
  ])("samples %s", async (_what, addMs, samples) => {
    const fixture = await openApplyFixture(adds(60), {
      isNew: true,
      onRequest: (request) =>
        request.startsWith("ADD") ? fixture.clock.advance(addMs) : Promise.resolve(),
    });

    await fixture.apply({ ...WATCH, concurrency: 1 });

    expect(await fixture.journal.readLagSamples()).toHaveLength(samples);
    expect(fixture.marketplace.log).toHaveLength(60 + samples);
  });
});

describe("sending to a blind store", () => {
  it("ends the run at the first lost answer, even with the policy resend", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(9), {
      isNew: true,
      placement: "hidden",
      script: { "ADD A4": [lost("started", { effect: "now" })] },
    });
    await journal.startLagSample(toProductId("p0"), 0);
    await journal.recordLagSample(toProductId("p0"), { shown: false, serverMs: PATIENCE_MS });

    expect(await apply({ ...WATCH, onUnknown: "resend" })).toMatchObject({ end: "breaker" });

    expect(writesOf(marketplace)).toEqual(["ADD A2", "ADD A3", "ADD A4"]);
    expect((await readStates(journal)).slice(2, 4)).toEqual(["4: held", "5: ready"]);
  });
});

describe("looking up refusals", () => {
  it("looks up a few refusals of each kind, and then one of twenty", async () => {
    const script = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [
        `ADD A${n + 2}`,
        [refused(422, { message: `title ${n} is too short` })],
      ]),
    );
    const { journal, marketplace, apply } = await openApplyFixture(adds(400), { script });

    expect(await apply()).toEqual({ end: "finished" });

    expect(writesOf(marketplace)).toHaveLength(400);
    expect(marketplace.log).toHaveLength(400 + 5 * (3 + 19));
    expect(await journal.countRows("r-1")).toEqual([
      { state: "rejected", action: "add", rows: 400 },
    ]);
  });

  it("trusts no refusal of a kind again once one of them has left a product", async () => {
    const liar = refused(422, { message: "no", effect: "now" });
    const { journal, marketplace, apply } = await openApplyFixture(adds(3), {
      script: { "ADD A2": [liar], "ADD A3": [liar], "ADD A4": [refused(422, { message: "no" })] },
    });

    expect(await apply()).toEqual({ end: "finished" });

    expect(writesOf(marketplace)).toHaveLength(3);
    expect(await readStates(journal)).toEqual(["2: done", "3: done", "4: rejected"]);
  });
});
