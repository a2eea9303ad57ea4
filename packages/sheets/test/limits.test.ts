import { expect, it } from "vitest";

import { MB, readerTimeoutMs } from "../src/sheet-rows.ts";

it.each([
  [1, 60_000],
  [10 * MB, 60_000],
  [10 * MB + 1, 120_000],
  [200 * MB, 1_200_000],
])("lets the reading of a workbook of %i bytes take %i ms", (sizeBytes, ms) => {
  expect(readerTimeoutMs({ readerSeconds: 60 }, sizeBytes)).toBe(ms);
});
