import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { describe, expect, it } from "vitest";

import { readSource, replaceIn } from "../mutants/mutant.ts";
import { playActionStorm } from "./action-storm.ts";
import { CONTROLS } from "./controls.ts";
import { ALL_POINTS, ARCHIVE_POINTS, PRUNE_POINTS, SHORT_WAITS } from "./crash-points.ts";
import { KILL_MIXES, playKillStorm } from "./kill-storm.ts";
import { playStockStorm } from "./stock-storm.ts";
import { CLAIMED_ROWS, tryClaims, tryPoints } from "./try-point.ts";
import { tryPruning } from "./try-pruning.ts";

type StormOptions = Parameters<typeof playActionStorm>[0];

/** Each start dies at the next of them; the soak tests use the other points. */
const POINTS: readonly string[] = [
  "plan-half-written",
  "begin-half-written",
  "before-begin",
  "begun-unmarked",
  "begun-marked",
  "recovered",
  "first-byte",
  "answered",
  "outcome-half-written",
  "outcome-written",
];

describe("an import of updates that dies while rows are claimed", () => {
  it("sends every row once and holds none, as no claimed row was sent", async () => {
    const { deaths, moves, states, updates } = await tryClaims([
      "before-claim",
      "claimed",
      "begun-unmarked",
    ]);

    expect(deaths).toBe(3);
    expect(states).toEqual(["done"]);
    expect(updates).toBe(CLAIMED_ROWS);
    expect(moves).toContain("recovery-unsent");
    expect(moves).not.toContain("recovery");
  });
});

describe("an import that dies repeatedly", () => {
  it("loses and duplicates nothing, at one named point after the other", async () => {
    const { deaths, wrong, codes, held } = await tryPoints(POINTS, 1);

    expect(wrong).toEqual([]);
    expect(deaths).toBe(POINTS.length);
    expect(codes).toEqual([5, 5]);
    expect(held).toBeLessThan(POINTS.length);
  });

  // The soak tests have more kills, and all the other marketplaces.
  it.each(["refusals after the effect", "copies put back"])(
    "loses and duplicates nothing at random points, sometimes as two processes (%s)",
    async (name) => {
      const mix = KILL_MIXES.find((each) => each.name === name);

      const { wrong, doubles, kills, codes } = await playKillStorm({
        rows: 40,
        kills: 3,
        seed: 1,
        store: mix ?? { faults: [] },
        isRestored: mix?.isRestored ?? false,
      });

      expect([wrong, doubles]).toEqual([[], 0]);
      expect(kills).toBeGreaterThanOrEqual(3);
      expect(codes.every((code) => code === 0 || code === 5)).toBe(true);
    },
  );
});

describe("an import whose prices are held, and that dies at random points", () => {
  it("sends the stock of every row once, and its price once it is released", async () => {
    const { wrong, doubles, killedStocks, killedPrices } = await playStockStorm({
      rows: 20,
      kills: 6,
      stockKills: 4,
      seed: 1,
    });

    expect([wrong, doubles]).toEqual([[], 0]);
    expect(killedStocks).toBeGreaterThan(0);
    expect(killedPrices).toBeGreaterThan(0);
  });
});

describe("a list of actions that dies at random and at named points", () => {
  const STORMS: readonly (readonly [string, StormOptions])[] = [
    ["answers", { kind: "answers", rows: 40, kills: 4, seed: 5 }],
    ["codes", { kind: "codes", rows: 40, kills: 4, seed: 6 }],
    ["codes that the store hides", { kind: "codes", rows: 16, kills: 2, seed: 18, isHidden: true }],
    [
      "packages that another person accepts",
      {
        kind: "accepts",
        rows: 24,
        kills: 3,
        seed: 19,
        otherShare: 0.2,
        personality: { "other-person": "a-tenth" },
      },
    ],
  ];

  const play = async (options: StormOptions): Promise<void> => {
    const { wrong, repeated, kills, after } = await playActionStorm(options);

    expect([wrong, repeated]).toEqual([[], 0]);
    expect(kills).toBeGreaterThan(0);
    expect(after["done"]).toBeGreaterThan(options.rows / 2);
  };

  it.each(STORMS)("does nothing twice, and every row is settled (%s)", async (_, options) => {
    await play(options);
  });

  it.runIf(hasPostgres())("does nothing twice on a server either", async () => {
    await using database = await createTestDatabase();

    await play({ kind: "codes", rows: 16, kills: 2, seed: 11, databaseUrl: database.url });
  });
});

describe("a pruning that dies repeatedly", () => {
  it("keeps every run in the list, and adds nothing twice", async () => {
    const tried = await tryPruning({ archivePoints: ARCHIVE_POINTS, prunePoints: PRUNE_POINTS });

    const points = [...ARCHIVE_POINTS, ...PRUNE_POINTS];
    expect(tried.deaths).toEqual(points.map(({ name }) => name));
    expect(tried.listed[1]).toEqual(tried.listed[0]);
    expect(tried).toMatchObject({ pruned: 2, sentAgain: 24, wrong: [], damage: ["ok"] });
  });
});

describe("a fragment of the source for a crash point", () => {
  for (const { name, replacement } of ALL_POINTS) {
    it(`occurs exactly once (${name})`, () => {
      const source = readSource(replacement.file);

      expect(replaceIn(source, [replacement])).not.toBe(source);
    });
  }

  it("occurs exactly once, also for shortened waits and removed guards", () => {
    for (const replacement of [...SHORT_WAITS, ...CONTROLS]) {
      const source = readSource(replacement.file);

      expect(replaceIn(source, [replacement])).not.toBe(source);
    }
  });
});
