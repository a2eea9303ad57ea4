import { describe, expect, it } from "vitest";

import { playMixed } from "./play-mixed.ts";
import { CROWDS, judgePlayed } from "./unavoidable.ts";

/** One of each kind, and some of them several times. */
const ROWS = 20;

/** Fewer than planning and sending take, so that the hour ends on the way. */
const FEW_CALLS = 48;

// A thousand rows in a store of each single value are a part of the long tier.
describe("rows of every kind end as they were planned", () => {
  it.each(CROWDS.map((personality, index) => ({ name: `store ${index + 1}`, personality })))(
    "in $name, which differs in every switch from the others",
    async ({ personality }) => {
      const played = await playMixed({ personality, rows: ROWS, requestsPerHour: FEW_CALLS });

      expect(judgePlayed(personality, played)).toEqual([]);
      expect(played.rows).toBe(ROWS);
    },
  );
});
