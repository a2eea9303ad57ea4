import { describe, expect, it } from "vitest";

import {
  type AbsenceFacts,
  type AddHistory,
  decideAbsence,
  freeAbsentCodes,
  toAddHistory,
} from "../../src/reconcile/decide-absent.ts";
import type { RowEvent } from "../../src/row/row-record.ts";
import { createFakeMarketplace, toProductId, RUN } from "../../src/testing.ts";

const MIN = 60_000;
const LOST: AddHistory = {
  sentCount: 1,
  impliedState: undefined,
  signature: undefined,
  text: undefined,
  startedMs: 0,
  endedMs: 1_000,
  lookedUpMs: 15 * MIN,
  isProven: false,
  lookups: 3,
  spreadMs: 15 * MIN,
};
const PROVEN: AbsenceFacts = {
  history: LOST,
  visibility: { verdict: "visible", maxLagMs: 1_000, samples: 3 },
  policy: "resend",
  quietMs: 15 * MIN,
};
const seen = (verdict: "unknown" | "visible" | "blind", maxLagMs = 0) => ({
  visibility: { verdict, maxLagMs, samples: 1 },
});
const history = (more: Partial<AddHistory>) => ({ history: { ...LOST, ...more } });
const REJECTED = history({ impliedState: "rejected" });
const NO_TOKEN = history({ impliedState: "ready" });

describe("decideAbsence", () => {
  const CASES: readonly (readonly [string, Partial<AbsenceFacts>, string])[] = [
    ["a lost add in a visible store, looked up long enough", {}, "ready"],
    ["a lost add with the policy hold", { policy: "hold" }, "held"],
    ["a lost add in a store of unknown visibility", seen("unknown"), "held"],
    ["a lost add in a blind store", seen("blind"), "held"],
    ["an add that was sent twice", history({ sentCount: 2 }), "held"],
    ["an add that was looked up twice", history({ lookups: 2 }), "held"],
    ["an add that was looked up over 14 minutes", history({ spreadMs: 14 * MIN }), "held"],
    ["an add that was looked up without a server time", history({ spreadMs: 0 }), "held"],
    ["a lost add in a store with a delay of four minutes", seen("visible", 4 * MIN), "held"],
    ["a lost add in a store with a delay of three minutes", seen("visible", 3 * MIN), "ready"],
    ["a rejected add", { ...REJECTED, policy: "hold" }, "rejected"],
    ["a rejected add in a blind store", { ...REJECTED, ...seen("blind") }, "rejected"],
    ["an add with a refused token", { ...NO_TOKEN, policy: "hold" }, "ready"],
    [
      "an add with a refused token in a store of unknown visibility",
      { ...NO_TOKEN, ...seen("unknown") },
      "held",
    ],
    ["an add with a refused token in a blind store", { ...NO_TOKEN, ...seen("blind") }, "held"],
    [
      "an add with a refused token, looked up at once in a store with a delay of one second",
      history({ impliedState: "ready", lookedUpMs: 5_000 }),
      "held",
    ],
    [
      "an add with a refused token, looked up after five times the store's delay",
      history({ impliedState: "ready", lookedUpMs: 6_000 }),
      "ready",
    ],
    [
      "an add with a refused token in a store without a server time",
      history({ impliedState: "ready", endedMs: null }),
      "held",
    ],
  ];
  for (const [name, facts, expected] of CASES) {
    it(`makes ${name} ${expected}`, () => {
      expect(decideAbsence({ ...PROVEN, ...facts }).to).toBe(expected);
    });
  }

  it("returns the rule that decided", () => {
    const { rule } = decideAbsence({ ...PROVEN, ...history({ lookups: 3, spreadMs: 7 }) });

    expect(rule).toBe("looked 3 times over 7 ms; needed are 900000 ms");
  });
});

type Part = Pick<RowEvent, "from" | "to"> & Partial<RowEvent>;

const toEvents = (parts: readonly Part[]): readonly RowEvent[] =>
  parts.map((part, n) => ({
    runId: "r-1",
    row: 2,
    seq: n + 1,
    cause: "x",
    evidence: {},
    atMs: 0,
    ...part,
  }));

const begun = (serverMs: number | null): Part => ({
  from: "ready",
  to: "sending",
  evidence: { serverMs },
});
const lost: Part = { from: "sending", to: "ambiguous", evidence: { phase: "started" } };
const back = (cause: string): Part => ({ from: "sending", to: "ready", cause });
const look = (serverMs: number | null): Part => ({
  from: "ambiguous",
  to: "ambiguous",
  cause: "look",
  evidence: { serverMs },
});

describe("toAddHistory", () => {
  it.each([
    ["lost once", [begun(1), lost], 1],
    ["sent again and lost again", [begun(1), lost, begun(9), lost], 2],
    ["unsent and then lost", [begun(1), back("unsent"), begun(9), lost], 1],
    [
      "proven unsent by a recovery and then lost",
      [begun(1), back("recovery-unsent"), begun(9), lost],
      1,
    ],
    ["refused and then lost", [begun(1), back("status-429"), begun(9), lost], 2],
  ] as const)("counts how often an add left that was %s", (_name, parts, count) => {
    expect(toAddHistory(toEvents(parts)).sentCount).toBe(count);
  });

  it("measures the span of lookups by the marketplace's clock", () => {
    const events = toEvents([begun(5), lost, look(10), look(20), look(70)]);

    expect(toAddHistory(events)).toMatchObject({ startedMs: 5, lookups: 3, spreadMs: 60 });
  });

  it("ignores lookups of an earlier request", () => {
    const events = toEvents([begun(1), lost, look(2), look(3), look(9), begun(10), lost, look(11)]);

    expect(toAddHistory(events)).toMatchObject({ startedMs: 10, lookups: 1, spreadMs: 0 });
  });

  it("ignores the span of lookups without a server time", () => {
    const events = toEvents([begun(null), lost, look(null), look(null), look(null), look(99)]);

    expect(toAddHistory(events)).toMatchObject({ startedMs: null, lookups: 4, spreadMs: 0 });
  });

  it("does not use our own clock", () => {
    const day = { atMs: 24 * 3_600_000 };
    const lookups = [look(10), { ...look(20), ...day }, { ...look(30), atMs: -1 }];

    expect(toAddHistory(toEvents([begun(1), lost, ...lookups])).spreadMs).toBe(20);
  });

  it("counts lookups made while the row was held", () => {
    const held: Part = { from: "ambiguous", to: "held", cause: "not-found" };
    const again: Part = { ...look(1_000), from: "held", to: "held" };

    expect(toAddHistory(toEvents([begun(1), lost, look(2), look(3), held, again]))).toMatchObject({
      lookups: 3,
      spreadMs: 998,
    });
  });

  it("returns the state that the refusal implies", () => {
    const evidence = { claim: "rejected", signature: "422", words: { tr: "yok", en: "no" } };
    const events = toEvents([begun(1), { ...lost, evidence }]);

    expect(toAddHistory(events)).toMatchObject({
      impliedState: "rejected",
      signature: "422",
      text: evidence.words,
    });
  });

  it("counts a row that was found sending as lost", () => {
    const found: Part = { from: "sending", to: "ambiguous", cause: "recovery" };

    expect(toAddHistory(toEvents([begun(1), found])).impliedState).toBeUndefined();
  });
});

/** Tries to free the code of A1, which was refused at second 10; returns what stays taken. */
async function freeAt(lagMs: number | undefined, lookedUpMs: number | null, isSeen = false) {
  const key = { runId: RUN, row: 2, seq: 1, atMs: 0 };
  const evidence = { claim: "rejected", serverMs: 10_000 };
  const sample = {
    productId: toProductId("p1"),
    addedMs: 0,
    shownMs: lagMs ?? 0,
    readMs: 0,
    isShown: true,
  };
  const freed: unknown[] = [];
  const journal = {
    readEvents: async () =>
      [
        { ...key, from: "ready", to: "sending", cause: "begin", evidence: { serverMs: 9_000 } },
        { ...key, from: "sending", to: "rejected", cause: "status-422", evidence },
      ] as const,
    freeCode: async (code: unknown) => void freed.push(code),
    readLagSamples: async () => (lagMs === undefined ? [] : [sample]),
    startLagSample: async () => undefined,
    recordLagSample: async () => undefined,
    readSignature: async () => ({ applied: 0, notApplied: 0, lastSeenMs: null }),
    recordSignature: async () => undefined,
  };
  const refused = { codeKey: "a1", state: "rejected", runId: RUN, row: 2 } as const;
  const known = [{ ...refused, productId: null, isRefused: true }];
  const options = { journal, marketplace: createFakeMarketplace(), lookedUpMs };
  const taken = await freeAbsentCodes(options, known, () => isSeen);
  expect(freed).toEqual(known.filter((code) => !taken.includes(code)));
  return taken.map(({ codeKey }) => codeKey);
}

describe("freeing the code of a refused add", () => {
  it.each([
    {
      store: "shows products at once, read 2 seconds later",
      lagMs: 0,
      lookedUpMs: 12_000,
      taken: [],
    },
    { store: "shows products at once, read at once", lagMs: 0, lookedUpMs: 11_000, taken: ["a1"] },
    { store: "takes a minute, read too soon", lagMs: 60_000, lookedUpMs: 200_000, taken: ["a1"] },
    {
      store: "takes a minute, read five minutes later",
      lagMs: 60_000,
      lookedUpMs: 310_000,
      taken: [],
    },
    { store: "was seen to show nothing", lagMs: undefined, lookedUpMs: 86_400_000, taken: ["a1"] },
    { store: "gives no server time", lagMs: 0, lookedUpMs: null, taken: ["a1"] },
  ])(
    "decides on the code in a store that $store: taken $taken",
    async ({ lagMs, lookedUpMs, taken }) => {
      expect(await freeAt(lagMs, lookedUpMs)).toEqual(taken);
    },
  );

  it("keeps the code where the store shows its product", async () => {
    expect(await freeAt(0, 86_400_000, true)).toEqual(["a1"]);
  });
});
