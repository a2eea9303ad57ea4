import {
  failing,
  lost,
  refused,
  toProductId,
  listed,
  readStates,
  RUN,
  toUpdate,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { adds, allDone, openApplyFixture, times, writesOf } from "./helpers/apply-fixture.ts";

/** The same text in both languages. */
const say = (words: string) => ({ tr: words, en: words });

describe("applyRun, ending early", () => {
  it("stops when the rows that are sent alone after three lost answers are lost too", async () => {
    const { journal, marketplace, clock, apply } = await openApplyFixture(adds(9), {
      script: { "*": times(9, refused(502, { effect: "now" })) },
    });

    expect(await apply()).toMatchObject({ end: "breaker" });

    expect(writesOf(marketplace)).toHaveLength(7);
    expect((await readStates(journal)).slice(0, 8)).toEqual([...allDone(7), "9: ready"]);
    expect(clock.now()).toBe(50_000);
  });

  it("continues after three lost answers when a read and a row that is sent alone succeed", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(9), {
      script: { "*": times(3, refused(502, { effect: "now" })) },
    });

    expect(await apply({ concurrency: 4 })).toEqual({ end: "finished" });

    expect(marketplace.log.filter((request) => request.startsWith("COUNT"))).toHaveLength(1);
    expect(await readStates(journal)).toEqual(allDone(9));
  });

  it("stops after five requests in a row that never left", async () => {
    const { journal, apply } = await openApplyFixture(adds(9), {
      script: { "*": times(5, lost("none", { begins: true })) },
    });

    expect(await apply()).toEqual({ end: "breaker", reason: say("lost after none") });

    const moves = journal.events.map(({ from, to, cause }) => `${from} > ${to} (${cause})`);
    expect(moves.filter((move) => move.startsWith("sending"))).toEqual(
      Array.from({ length: 5 }, () => "sending > ready (unsent)"),
    );
  });

  it("stops at a missing permission, with the row still open", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(9), {
      script: { "*": times(9, refused(403, { message: "no right to add" })) },
    });

    expect(await apply()).toEqual({ end: "permission", reason: say("no right to add") });

    expect(writesOf(marketplace)).toEqual(["ADD A2"]);
    expect((await readStates(journal)).slice(0, 2)).toEqual(["2: ambiguous", "3: ready"]);
  });

  it("sends every row once the permission is granted", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(2), {
      script: { "ADD A2": [refused(403)] },
    });

    await apply();
    expect(await apply()).toEqual({ end: "finished" });

    expect(writesOf(marketplace)).toEqual(["ADD A2", "ADD A3", "ADD A2"]);
    expect(await readStates(journal)).toEqual(allDone(2));
  });

  it("stops once more rows were rejected than allowed", async () => {
    const { marketplace, apply } = await openApplyFixture(adds(9), {
      script: { "*": times(9, refused(422)) },
    });

    expect(await apply({ maxRejected: 2 })).toEqual({
      end: "too-many-rejected",
      reason: say("status 422"),
    });

    expect(writesOf(marketplace)).toEqual(["ADD A2", "ADD A3", "ADD A4"]);
  });

  it("counts rejected rows over all rounds of a run", async () => {
    const { marketplace, apply } = await openApplyFixture(adds(4), {
      script: {
        "ADD A2": [refused(401), refused(422)],
        "ADD A3": [refused(422)],
        "ADD A4": [refused(401), refused(422)],
        "ADD A5": [refused(401), refused(422)],
      },
    });

    expect(await apply({ maxRejected: 1 })).toMatchObject({ end: "too-many-rejected" });

    expect(writesOf(marketplace).slice(4)).toEqual(["ADD A2"]);
  });

  it("throws when the login is refused before anything is sent", async () => {
    const { journal, apply } = await openApplyFixture(adds(1), {
      script: { "ADD A2": [failing(new Error("wrong secret"))] },
    });

    await expect(apply()).rejects.toThrow("wrong secret");

    expect(await readStates(journal)).toEqual(["2: ready"]);
  });
});

describe("applyRun, asked to wait", () => {
  it("waits as long as the marketplace asks, then sends the row again", async () => {
    const moments: string[] = [];
    const { clock, journal, apply } = await openApplyFixture(adds(2), {
      script: { "ADD A2": [refused(429, { retryAfterMs: 5_000 })] },
      onRequest: (request) => {
        if (request.startsWith("ADD")) moments.push(`${request} at ${clock.now()}`);
      },
    });

    expect(await apply()).toEqual({ end: "finished" });

    expect(moments).toEqual(["ADD A2 at 0", "ADD A3 at 5000", "ADD A2 at 5000"]);
    expect(await readStates(journal)).toEqual(allDone(2));
  });

  it("waits five seconds, and then a minute each time, when the marketplace gives no time", async () => {
    const { clock, apply } = await openApplyFixture(adds(1), {
      script: { "ADD A2": times(3, refused(429)) },
    });

    expect(await apply()).toEqual({ end: "finished" });

    expect(clock.now()).toBe(125_000);
  });

  it("sends again with a new login after a refused token", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(3), {
      script: { "*": times(2, refused(401)) },
    });

    expect(await apply()).toEqual({ end: "finished" });

    expect(writesOf(marketplace)).toEqual(["ADD A2", "ADD A3", "ADD A4", "ADD A2", "ADD A3"]);
    expect(await readStates(journal)).toEqual(allDone(3));
  });

  for (const rows of [3, 20]) {
    it(`stops at the login when the token of ${rows} rows is refused every time`, async () => {
      const { journal, marketplace, apply } = await openApplyFixture(adds(rows), {
        script: { "*": times(99, refused(401, { message: "bad token" })) },
      });

      expect(await apply()).toEqual({ end: "login", reason: say("bad token") });

      expect(writesOf(marketplace)).toHaveLength(8);
      const open = (await journal.countRows(RUN)).reduce((sum, count) => sum + count.rows, 0);
      expect(open).toBe(rows);
      expect(marketplace.products).toEqual([]);
    });
  }

  it("keeps a row for a resume when every attempt gets a 429", async () => {
    const { journal, marketplace, apply } = await openApplyFixture(adds(1), {
      script: { "ADD A2": times(5, refused(429, { retryAfterMs: 10 })) },
    });

    expect(await apply()).toMatchObject({ end: "breaker" });
    expect(writesOf(marketplace)).toHaveLength(5);

    expect(await apply()).toEqual({ end: "finished" });
    expect(await readStates(journal)).toEqual(["2: done"]);
  });

  it("sends the others while one row alone is refused with 429, and holds that row after three tries", async () => {
    const { journal, marketplace, clock, apply } = await openApplyFixture(adds(24), {
      script: { "ADD A9": times(9, refused(429, { message: "too many" })) },
    });

    expect(await apply()).toEqual({ end: "finished" });

    expect(writesOf(marketplace).filter((request) => request === "ADD A9")).toHaveLength(3);
    expect((await readStates(journal)).filter((state) => !state.endsWith("done"))).toEqual([
      "9: held",
    ]);
    const [record] = await journal.readRows(RUN, { after: 8, limit: 1 });
    expect(record?.issues).toMatchObject([{ code: "E_REFUSED_OFTEN" }]);
    expect(clock.now()).toBeLessThan(20_000);
  });

  it("finds products that were added although their requests were refused with 429", async () => {
    const { journal, marketplace, clock, apply } = await openApplyFixture(adds(24), {
      script: {
        "ADD A5": [refused(429, { effect: "now" })],
        "ADD A17": [refused(429, { effect: "now" })],
      },
    });

    expect(await apply()).toEqual({ end: "finished" });

    expect(writesOf(marketplace)).toHaveLength(24);
    expect(await readStates(journal)).toEqual(allDone(24));
    expect(clock.now()).toBeLessThanOrEqual(10_000);
  });

  it("sends an update again that was refused with 429 and is not listed", async () => {
    const { marketplace, apply } = await openApplyFixture([toUpdate(2, "p1", { title: "Mug" })], {
      products: [listed("p1", "B1")],
      script: { "UPDATE p1": [lost("started"), lost("body", { effect: "now" })] },
    });

    expect(await apply()).toEqual({ end: "finished" });

    // Each update is rechecked before it leaves, and read back after its answer was lost.
    expect(marketplace.log).toEqual([
      "LIST approved p1",
      "UPDATE p1",
      "LIST approved p1",
      "LIST approved p1",
      "UPDATE p1",
      "LIST approved p1",
    ]);
    expect(
      marketplace.products.find(({ product }) => product.id === toProductId("p1")),
    ).toMatchObject({
      product: { title: "Mug" },
    });
  });
});
