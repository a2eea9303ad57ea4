import { hasPostgres } from "@catalog/database/testing";
import { describe, expect, it } from "vitest";

import { AWAY, BACK, OUTAGES, playOutage } from "./outages.ts";

const ROWS = 40;

const SAID = [AWAY, BACK];

/** Those that are quick, and what the import says of them; the soak tests have the others. */
const QUICK = [
  ["a replica takes over", SAID],
  ["no connection is left", SAID],
  // A connection that is replaced at once needs no word.
  ["sessions are ended again and again", expect.any(Array)],
  ["the disk of the server is full", SAID],
  ["the disk of the home is full", SAID],
] as const;

describe.skipIf(!hasPostgres())("an import", () => {
  for (const [name, said] of QUICK) {
    it(`goes on by itself where ${name}`, async (context) => {
      const played = await playOutage(OUTAGES[name], ROWS);
      if (played === undefined) context.skip("nobody may mount a file system here");

      expect(played).toEqual({
        code: 0,
        counts: { rows: ROWS, added: ROWS },
        products: ROWS,
        doubles: 0,
        said,
      });
    });
  }

  it("is gone on with by a worker where a replica takes over from the server of both", async () => {
    const played = await playOutage(OUTAGES["a replica takes over"], ROWS, { isQueued: true });

    const counts = { rows: ROWS, added: ROWS };
    expect(played).toMatchObject({ code: 0, counts, products: ROWS, doubles: 0 });
  });

  it("adds nothing twice when the replica lacks the newest commits, and holds those rows for a person", async () => {
    const played = await playOutage(
      OUTAGES["a replica takes over without the newest commits"],
      ROWS,
    );

    const { added = 0, held = 0 } = played?.counts ?? {};
    expect(played).toMatchObject({ code: 5, counts: { rows: ROWS }, products: ROWS, doubles: 0 });
    expect([added + held, held > 0]).toEqual([ROWS, true]);
  });
});
