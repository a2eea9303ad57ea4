import { expect, it } from "vitest";

import { playEncodings } from "./play-encodings.ts";

const FILES = 2_000;
/** Of the files in the encoding of Excel. */
const MAX_ASKED = 0.01;

it(
  "reads no file of a seller as something else without a question, and seldom asks about Excel's (F1, F31)",
  { timeout: 120_000 },
  async () => {
    const { tallies, wrong } = await playEncodings({ files: FILES, firstSeed: 1, maxRows: 50 });

    expect(wrong).toEqual([]);
    const { right = 0, asked = 0 } = tallies.get("windows-1254") ?? {};
    expect(asked).toBeLessThanOrEqual((right + asked) * MAX_ASKED);
  },
);
