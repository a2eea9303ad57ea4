import { expect, it } from "vitest";

import { playEncodings } from "./play-encodings.ts";

const FILES = 2_000;
/** Maximum share of files in Excel's encoding that need a question. */
const MAX_ASKED = 0.01;

it("no file of a seller is read as something else without a question, and Excel's files seldom need one", async () => {
  const { tallies, wrong } = await playEncodings({ files: FILES, firstSeed: 1, maxRows: 50 });

  expect(wrong).toEqual([]);
  const { right = 0, asked = 0 } = tallies.get("windows-1254") ?? {};
  expect(asked).toBeLessThanOrEqual((right + asked) * MAX_ASKED);
});
