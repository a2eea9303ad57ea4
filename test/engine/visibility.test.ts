import { judgeVisibility } from "@catalog/runs/testing";
import { toProductId, lost, readStates, refused } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { adds, allDone, openApplyFixture, writesOf } from "./helpers/apply-fixture.ts";

/** A product that is not shown within this time makes the store a blind one. */
const PATIENCE_MS = 15 * 60_000;

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
