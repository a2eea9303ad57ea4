import { describe, expect, it } from "vitest";

import { playMixed } from "./play-mixed.ts";
import { CROWDS, judgePlayed } from "./unavoidable.ts";

/** Rows of the sheet, with every kind at least once. */
const ROWS = 20;

/** Fewer calls than planning and sending need, so that the hourly limit is reached on the way. */
const FEW_CALLS = 48;

// The soak tests play a thousand rows in a store of each single behavior.
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
