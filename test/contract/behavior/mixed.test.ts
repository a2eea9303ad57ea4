import { describe, expect, it } from "vitest";

import { playMixed } from "./play-mixed.ts";
import { CROWDS, judgePlayed } from "./unavoidable.ts";

/** Rows of the sheet, with every kind at least once. */
const ROWS = 20;

/** Fewer calls than planning and sending need, so that the hourly limit is reached on the way. */
const FEW_CALLS = 48;

// The soak tests play a thousand rows in a store of each single behavior.
describe("rows of every kind end as they were planned", () => {
  it.each(CROWDS.map((behavior, index) => ({ name: `store ${index + 1}`, behavior })))(
    "in $name, which differs in every setting from the others",
    async ({ behavior }) => {
      const played = await playMixed({ behavior, rows: ROWS, requestsPerHour: FEW_CALLS });

      expect(judgePlayed(behavior, played)).toEqual([]);
      expect(played.rows).toBe(ROWS);
    },
  );
});
