import { createFakeClock, elapse, type FakeClock } from "@catalog/clock/testing";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import { type ListQuery, reconcile, type ReconcileOptions, type RowDecision } from "@catalog/runs";
import {
  addBefore,
  codeKey,
  createFakeMarketplace,
  type FakeMarketplace,
  type FakeMarketplaceOptions,
  listed,
  lost,
  plan,
  price,
  readRow,
  readStates,
  refused,
  RUN,
  SHEET,
  toAdd,
  toProductId,
  toUpdate,
  judgeVisibility,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { adds, allDone, openApplyFixture, writesOf } from "./helpers/apply-fixture.ts";

/** Starts the requests of rows, and leaves their outcome unknown. */
async function loseAnswers(
  journal: MemoryJournal,
  decisions: readonly RowDecision[],
  runId = RUN,
): Promise<void> {
  await plan(journal, decisions, runId);
  for (const { row } of decisions) {
    journal.beginSending({ runId, row });
    await journal.recordOutcome(
      { runId, row, from: "sending" },
      { to: "ambiguous", cause: "lost" },
    );
  }
}

interface Fixture {
  readonly journal: MemoryJournal;
  readonly marketplace: FakeMarketplace;
  readonly settle: (more?: Partial<ReconcileOptions>) => Promise<number>;
  readonly clock: FakeClock;
  readonly now: () => number;
}

async function openFixture(
  unanswered: readonly RowDecision[],
  store: FakeMarketplaceOptions = {},
): Promise<Fixture> {
  const journal = await openMemoryJournal();
  const clock = createFakeClock();
  const marketplace = createFakeMarketplace({ serverTimeMs: () => clock.now(), ...store });
  await loseAnswers(journal, unanswered);
  const settle = (more: Partial<ReconcileOptions> = {}): Promise<number> =>
    elapse(clock, reconcile({ journal, marketplace, clock, codeKey, sheet: SHEET, ...more }));
  return { journal, marketplace, clock, settle, now: () => clock.now() };
}

/** Opens a journal with an answered add of A0 (id p0); the outcomes of A1 and A2 are unknown. */
async function openProven(store: FakeMarketplaceOptions): Promise<Fixture> {
  const fixture = await openFixture([], store);
  await addBefore(fixture.journal, "A0", "p0");
  await fixture.journal.startLagSample(toProductId("p0"), 0);
  await fixture.journal.recordLagSample(toProductId("p0"), { shown: true, serverMs: 1_000 });
  await loseAnswers(fixture.journal, [toAdd(2, "A1"), toAdd(3, "A2")]);
  return fixture;
}

const LOOK_FOR_A1 = [
  "LIST approved A1",
  "LIST passive A1",
  "LIST veto A1",
  "LIST approved A1",
  "LIST passive A1",
];

describe("reconcile", () => {
  it("makes no call and does not wait when no row is open", async () => {
    const { marketplace, settle, now } = await openFixture([]);

    expect(await settle()).toBe(0);

    expect(marketplace.log).toEqual([]);
    expect(now()).toBe(0);
  });

  it("reconciles rows of every run of the store", async () => {
    const { journal, settle } = await openFixture([toAdd(2, "A1")], {
      products: [listed("p1", "A1"), listed("p2", "A2")],
    });
    await loseAnswers(journal, [toAdd(2, "A2")], "r-2");

    expect(await settle()).toBe(2);

    expect([...(await readStates(journal)), ...(await readStates(journal, "r-2"))]).toEqual([
      "2: done",
      "2: done",
    ]);
  });

  it("keeps an answer that comes while its row is looked up", async () => {
    let isAnswered = false;
    const fixture = await openFixture([toAdd(2, "A1"), toAdd(3, "A2")], {
      products: [listed("p2", "A2")],
      async onRequest() {
        if (isAnswered) return;
        isAnswered = true;
        await fixture.journal.recordOutcome(
          { runId: RUN, row: 2, from: "ambiguous" },
          { to: "done", cause: "late-answer", productId: toProductId("p1") },
        );
      },
    });

    await fixture.settle();

    expect(await readRow(fixture.journal, 2)).toMatchObject({ state: "done", productId: "p1" });
    expect(await readRow(fixture.journal, 3)).toMatchObject({ state: "done", productId: "p2" });
  });

  it("stops at once when it is aborted, with the rows still open", async () => {
    const { journal, settle, now } = await openFixture([toAdd(2, "A1")], {
      onRequest: () => controller.abort(new Error("stop")),
    });
    const controller = new AbortController();

    await expect(settle({ signal: controller.signal })).rejects.toThrow("stop");

    expect(await readStates(journal)).toEqual(["2: ambiguous"]);
    expect(now()).toBe(0);
  });

  it("stops waiting for its next lookup when it is aborted", async () => {
    const { journal, marketplace, now, clock } = await openFixture([toAdd(2, "A1")]);
    const controller = new AbortController();
    const fixed = { journal, marketplace, clock, codeKey, sheet: SHEET };
    const settling = reconcile({ ...fixed, signal: controller.signal });
    const refusal = expect(settling).rejects.toThrow("stop");
    await clock.advance(500);

    controller.abort(new Error("stop"));

    await refusal;
    expect(now()).toBe(500);
    expect(marketplace.log).toHaveLength(5);
    expect(await readStates(journal)).toEqual(["2: ambiguous"]);
  });

  it("leaves rows open when the store cannot be read", async () => {
    const { journal, settle } = await openFixture([toAdd(2, "A1")], {
      onRequest: () => Promise.reject(new Error("503")),
    });

    await expect(settle()).rejects.toThrow("503");

    expect(await readStates(journal)).toEqual(["2: ambiguous"]);
  });
});

describe("reconcile, of adds", () => {
  for (const placement of ["approved", "passive", "veto"] as const) {
    it(`finds a product that is ${placement}`, async () => {
      const { journal, settle } = await openFixture([toAdd(2, "A1")], {
        products: [listed("p1", "A1", { placement })],
      });

      await settle();

      expect(await readRow(journal, 2)).toMatchObject({ state: "done", productId: "p1" });
      expect(journal.events.at(-1)).toMatchObject({ cause: "lookup", evidence: { found: ["p1"] } });
    });
  }

  it("makes one lookup, over every status and again those that a product moves between, when it finds the product", async () => {
    const { marketplace, settle, now } = await openFixture([toAdd(2, "A1")], {
      products: [listed("p1", "A1")],
    });

    await settle();

    expect(marketplace.log).toEqual(LOOK_FOR_A1);
    expect(now()).toBe(0);
  });

  it("finds a product that changes its status during the lookup", async () => {
    const { journal, settle, marketplace } = await openFixture([toAdd(2, "A1")], {
      products: [listed("p1", "A1", { placement: "passive" })],
      onRequest: (request) => {
        if (request === "LIST passive A1") marketplace.put(toProductId("p1"), "approved");
      },
    });

    await settle({ lookupDelaysMs: [0] });

    expect(await readStates(journal)).toEqual(["2: done"]);
  });

  it("compares codes by their key, and ignores a code that only contains the row's", async () => {
    const other = await openFixture([toAdd(2, "A1")], { products: [listed("p1", "A10")] });
    const same = await openFixture([toAdd(2, "A1")], { products: [listed("p1", " a1")] });

    await other.settle();
    await same.settle();

    expect(await readStates(other.journal)).toEqual(["2: held"]);
    expect(await readStates(same.journal)).toEqual(["2: done"]);
  });

  it("holds a row whose code it finds on two products", async () => {
    const { journal, settle } = await openFixture([toAdd(2, "A1")], {
      products: [listed("p1", "A1"), listed("p2", "A1", { placement: "veto" })],
    });

    await settle({ onUnknown: "resend" });

    const { state, issues, productId } = await readRow(journal, 2);
    expect({ state, productId }).toEqual({ state: "held", productId: null });
    expect(issues).toMatchObject([{ code: "E_FOUND_TWICE", sheet: SHEET, row: 2, value: "A1" }]);
    expect(issues[0]?.message.en).toContain("p1, p2");
  });

  it("looks a row up several times, with longer waits, before it gives it up", async () => {
    const moments: number[] = [];
    const { journal, marketplace, settle, now } = await openFixture([toAdd(2, "A1")], {
      onRequest: () => void moments.push(now()),
    });

    await settle();

    expect(marketplace.log).toEqual([1, 2, 3, 4].flatMap(() => LOOK_FOR_A1));
    expect([...new Set(moments)]).toEqual([0, 1_000, 5_000, 15_000]);
    expect(await readStates(journal)).toEqual(["2: held"]);
  });

  it("repeats the lookup only for the rows that are missing", async () => {
    const { journal, marketplace, settle } = await openFixture([toAdd(2, "A1"), toAdd(3, "A2")], {
      products: [listed("p2", "A2")],
    });

    await settle({ lookupDelaysMs: [0, 10] });

    expect(marketplace.log.filter((request) => request.endsWith("A2"))).toHaveLength(5);
    expect(marketplace.log.filter((request) => request.endsWith("A1"))).toHaveLength(10);
    expect(await readStates(journal)).toEqual(["2: held", "3: done"]);
  });

  it("finds a product that the store shows late", async () => {
    const { journal, settle, marketplace } = await openFixture([toAdd(2, "A1")], {
      products: [listed("p1", "A1", { placement: "hidden" })],
      onRequest: () => {
        if (marketplace.log.length === 7) marketplace.put(toProductId("p1"), "approved");
      },
    });

    await settle();

    expect(await readStates(journal)).toEqual(["2: done"]);
  });

  it("holds a row that it does not find, with an issue", async () => {
    const { journal, settle } = await openFixture([toAdd(2, "A1")]);

    await settle();

    const { state, issues, note } = await readRow(journal, 2);
    expect(state).toBe("held");
    expect(issues).toMatchObject([{ code: "E_OUTCOME_UNKNOWN", row: 2, value: "A1" }]);
    expect(note).toBe(issues[0]?.message.en);
  });
});

describe("reconcile, of adds that may be sent again", () => {
  const DAY = 24 * 3_600_000;
  const RESEND = { onUnknown: "resend", lookupDelaysMs: [0, DAY, DAY] } as const;

  it("sends an add again where the store shows what we added before", async () => {
    const { journal, settle } = await openProven({ products: [listed("p0", "A0")] });

    await settle(RESEND);

    expect(await readStates(journal)).toEqual(["2: ready", "3: ready"]);
    expect(journal.events.at(-1)).toMatchObject({ cause: "not-found-resend" });
  });

  it("holds an add where the store does not show what we added before", async () => {
    const { journal, settle } = await openProven({
      products: [listed("p0", "A0", { placement: "hidden" })],
    });

    await settle(RESEND);

    expect(await readStates(journal)).toEqual(["2: held", "3: held"]);
  });

  it("holds an add where another product has the code that we added before", async () => {
    const { journal, settle } = await openProven({ products: [listed("p9", "A0")] });

    await settle(RESEND);

    expect(await readStates(journal)).toEqual(["2: held", "3: held"]);
  });

  it("holds an add in a store to which nothing was added before", async () => {
    const { journal, settle } = await openFixture([toAdd(2, "A1")]);

    await settle(RESEND);

    expect(await readStates(journal)).toEqual(["2: held"]);
  });

  it("holds an add by default, even in a store of proven visibility", async () => {
    const { journal, settle } = await openProven({ products: [listed("p0", "A0")] });

    await settle({ lookupDelaysMs: [0] });

    expect(await readStates(journal)).toEqual(["2: held", "3: held"]);
  });

  it("sends no add a third time", async () => {
    const { journal, settle } = await openProven({ products: [listed("p0", "A0")] });
    await settle(RESEND);
    journal.beginSending({ runId: RUN, row: 2 });
    await journal.recordOutcome(
      { runId: RUN, row: 2, from: "sending" },
      { to: "ambiguous", cause: "lost" },
    );

    await settle(RESEND);

    expect(await readStates(journal)).toEqual(["2: held", "3: ready"]);
    expect(await readRow(journal, 2)).toMatchObject({ attempts: 2 });
  });
});

describe("reconcile, of updates", () => {
  const MUG = [toUpdate(2, "p1", { title: "Mug" })];

  it("calls an update done when the store shows every field of it", async () => {
    const { journal, marketplace, settle } = await openFixture(MUG, {
      products: [listed("p1", "B1", { title: "Mug", placement: "passive" })],
    });

    await settle();

    expect(await readStates(journal)).toEqual(["2: done"]);
    expect(journal.events.at(-1)).toMatchObject({ cause: "read-back" });
    expect(marketplace.log).toEqual(["LIST approved p1", "LIST passive p1"]);
  });

  it("sends an update again when the store shows another value", async () => {
    const { journal, settle } = await openFixture(MUG, {
      products: [listed("p1", "B1", { title: "Cup" })],
    });

    await settle();

    expect(await readStates(journal)).toEqual(["2: ready"]);
    expect(journal.events.at(-1)).toMatchObject({
      cause: "read-back-differs",
      evidence: { changes: [{ field: "title", old: "Cup", new: "Mug" }] },
    });
  });

  it("sends an update again when the listing cannot show one of its fields", async () => {
    const updates = [toUpdate(2, "p1", { title: "Mug", brand_model: "C2" })];
    const { journal, settle } = await openFixture(updates, {
      products: [listed("p1", "B1", { title: "Mug" })],
    });

    await settle();

    expect(await readStates(journal)).toEqual(["2: ready"]);
  });

  it("sends an update of a price again, because the listing's unit is not stated", async () => {
    const updates = [toUpdate(2, "p1", { price: price(1990) })];
    const { journal, settle } = await openFixture(updates, {
      products: [listed("p1", "B1", { price: 1990 })],
    });

    await settle();

    expect(await readStates(journal)).toEqual(["2: ready"]);
  });

  it("sends an update again when no listing shows the product", async () => {
    const { journal, marketplace, settle } = await openFixture(MUG);

    await settle();

    expect(await readStates(journal)).toEqual(["2: ready"]);
    expect(journal.events.at(-1)).toMatchObject({ cause: "read-back-missing" });
    // Read back twice, because an update may take effect late.
    const sweep = ["approved", "passive", "veto", "approved", "passive", "veto"];
    expect(marketplace.log).toEqual([...sweep, ...sweep].map((status) => `LIST ${status} p1`));
  });

  it("ignores other products in the answer when the marketplace ignores the filter by ids", async () => {
    const { journal, marketplace, settle } = await openFixture(MUG, {
      products: [listed("p2", "B2", { title: "Mug" }), listed("p1", "B1", { title: "Cup" })],
    });
    const careless = {
      ...marketplace,
      listProducts: ({ status }: ListQuery) => marketplace.listProducts({ status }),
    };

    await settle({ marketplace: careless });

    expect(await readStates(journal)).toEqual(["2: ready"]);
  });
});

it("keeps the code of a rejected add where no filter is proven and the listing is too long to read", async () => {
  const journal = await openMemoryJournal();
  const products = Array.from({ length: 5_001 }, (_, n) => listed(`b${n}`, `B${n}`));
  const fake = createFakeMarketplace({ products, useless: ["product_code"] });
  const marketplace = { ...fake, trustsFilter: async () => false };
  await plan(journal, [toAdd(2, "A1")]);
  const key = { runId: RUN, row: 2 };
  journal.beginSending(key);
  const evidence = { claim: "rejected" };
  await journal.recordOutcome(
    { ...key, from: "sending" },
    { to: "ambiguous", cause: "status-422", evidence },
  );

  const options = { journal, marketplace, clock: createFakeClock(), codeKey, sheet: SHEET };
  await reconcile({ ...options, lookupDelaysMs: [0, 0] });

  expect(await readStates(journal)).toEqual(["2: rejected"]);
  expect(await journal.readKnownCodes(["a1"])).toMatchObject([{ ...key, isRefused: true }]);
});

describe("reconciling an add that was started twice and lost", () => {
  it.each([
    ["sends it again where the first attempt was unsent", "unsent", "ready"],
    ["sends it again where a recovery proved the first attempt unsent", "recovery-unsent", "ready"],
    ["holds it where the first attempt was refused by an answer", "status-429", "held"],
  ] as const)("%s", async (_name, cause, expected) => {
    const journal = await openMemoryJournal();
    const clock = createFakeClock();
    const products = [listed("p0", "A0")];
    const marketplace = createFakeMarketplace({ serverTimeMs: () => clock.now(), products });
    await addBefore(journal, "A0", "p0");
    await journal.startLagSample(toProductId("p0"), 0);
    await journal.recordLagSample(toProductId("p0"), { shown: true, serverMs: 1_000 });
    await plan(journal, [toAdd(2, "A1")]);
    const key = { runId: RUN, row: 2 };
    await journal.claim([key]);
    await journal.recordOutcome({ ...key, from: "sending" }, { to: "ready", cause });
    await journal.claim([key]);
    journal.beginSending({ ...key, attempt: 2 });
    await journal.recordOutcome({ ...key, from: "sending" }, { to: "ambiguous", cause: "lost" });

    const lookupDelaysMs = [0, 8 * 60_000, 8 * 60_000];
    const options = { journal, marketplace, clock, codeKey, sheet: SHEET, lookupDelaysMs };
    await elapse(clock, reconcile({ ...options, onUnknown: "resend" }));

    expect(await readRow(journal, 2)).toMatchObject({ state: expected, attempts: 2 });
  });
});

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
