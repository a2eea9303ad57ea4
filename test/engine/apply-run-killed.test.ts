import type { Journal, Marketplace } from "@catalog/runs";
import { answered, lost, refused, type Reply, RUN } from "@catalog/runs/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { deathsOf, type KillOptions, killRun } from "./helpers/kill-run.ts";

/** Replies whose effect is shown at once, or during the lookups. */
const SEEN_REPLIES: readonly Reply[] = [
  lost("none"),
  lost("none", { begins: true }),
  lost("started"),
  lost("started", { effect: "now" }),
  lost("started", { effect: { afterReads: 3 } }),
  lost("headers", { effect: "now" }),
  refused(502),
  refused(502, { effect: "now" }),
  refused(401),
  refused(429, { retryAfterMs: 1_000 }),
  refused(422),
  answered({ status: false, message: "no" }),
  answered({ status: true }, "now"),
  answered("<html>", "now"),
];

/** A reply whose effect comes after the last lookup. */
const LATE_REPLY = lost("started", { effect: { afterReads: 1_000 } });

const WRITES = ["ADD A1", "ADD A2", "ADD A3", "UPDATE p1", "UPDATE p3"];

const scriptOf = (
  replies: readonly Reply[],
): fc.Arbitrary<Readonly<Record<string, readonly Reply[]>>> =>
  fc.dictionary(
    fc.constantFrom(...WRITES),
    fc.array(fc.constantFrom(...replies), { minLength: 1, maxLength: 2 }),
    { maxKeys: WRITES.length },
  );

const concurrency = fc.integer({ min: 1, max: 4 });

const whole: fc.Arbitrary<KillOptions> = fc.oneof(
  fc.record({
    concurrency,
    onUnknown: fc.constant("hold" as const),
    script: scriptOf([...SEEN_REPLIES, LATE_REPLY]),
  }),
  // Sending again is safe only where a request is carried out during the lookups.
  fc.record({
    concurrency,
    onUnknown: fc.constant("resend" as const),
    script: scriptOf(SEEN_REPLIES),
  }),
);

/** A run in which answers of adds and updates are lost, both carried out and not. */
const LOSSY: KillOptions = {
  script: {
    "ADD A1": [lost("started", { effect: "now" })],
    "ADD A3": [lost("none", { begins: true })],
    "UPDATE p1": [lost("headers")],
  },
};

/** Returns all violations of runs that die once each, at every operation. */
async function killEverywhere(options: KillOptions): Promise<readonly string[]> {
  const unharmed = await killRun(options);
  const violations = new Set(unharmed.violations);
  for (const death of deathsOf(unharmed.operations)) {
    const { violations: found } = await killRun({ ...options, death });
    for (const one of found) violations.add(one);
  }
  return [...violations];
}

describe("applyRun, killed at every operation of the journal", () => {
  it("adds no product twice, loses no row, and reports no product that is not in the store", async () => {
    expect(await killEverywhere(LOSSY)).toEqual([]);
  });

  it("adds no product twice and loses no row for random outcomes of the requests", async () => {
    const anyDeath = fc.record({
      at: fc.integer({ min: 1, max: 120 }),
      when: fc.constantFrom("before" as const, "after" as const),
    });
    await fc.assert(
      fc.asyncProperty(whole, anyDeath, async (options, death) => {
        expect((await killRun({ ...options, death })).violations).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** A recovery that treats sending rows as unsent. */
const takeForUnsent = (journal: Journal): Journal => ({
  ...journal,
  async recover() {
    const rows = await journal.readRows(RUN, { states: ["sending"], limit: 99 });
    for (const { row } of rows) {
      await journal.recordOutcome(
        { runId: RUN, row, from: "sending" },
        { to: "ready", cause: "unsent" },
      );
    }
    return rows.length;
  },
});

/** A marketplace whose requests leave before they are recorded. */
const skipBeforeSend = (marketplace: Marketplace): Marketplace => ({
  ...marketplace,
  addProduct: (body) => marketplace.addProduct(body, { beforeSend: () => undefined }),
});

/** A marketplace that reports every lost request as never sent. */
const denySending = (marketplace: Marketplace): Marketplace => ({
  ...marketplace,
  async addProduct(body, options) {
    const answer = await marketplace.addProduct(body, options);
    return answer.kind === "lost" ? { ...answer, phase: "none" } : answer;
  },
});

describe("the run that is killed", () => {
  it("dies at more than 30 different operations", async () => {
    const { operations } = await killRun(LOSSY);

    expect(operations).toBeGreaterThan(30);
  });

  const SPOILED: readonly (readonly [name: string, options: KillOptions, expected: string])[] = [
    [
      "a recovery treats sending rows as unsent",
      { ...LOSSY, spoilJournal: takeForUnsent },
      "a2 exists twice",
    ],
    [
      "requests leave before they are recorded",
      { ...LOSSY, spoilMarketplace: skipBeforeSend },
      "a1 exists twice",
    ],
    [
      "a lost request is reported as never sent",
      { ...LOSSY, spoilMarketplace: denySending },
      "a1 exists twice",
    ],
    [
      "a request that takes effect late is sent again",
      { script: { "ADD A2": [LATE_REPLY] }, onUnknown: "resend" },
      "a2 exists twice",
    ],
  ];

  for (const [name, options, expected] of SPOILED) {
    it(`adds a product twice when ${name}`, async () => {
      expect(await killEverywhere(options)).toContain(expected);
    });
  }
});
