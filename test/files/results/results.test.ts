import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { playResults } from "./play-results.ts";

/** The soak tests play at least five hundred. */
const SEEDS = 12;

it("result files hold the outcome of every row, whatever went wrong", async () => {
  const home = mkdtempSync(join(tmpdir(), "catalog-results-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const wrong: string[] = [];

  for (let seed = 1; seed <= SEEDS; seed += 1) wrong.push(...(await playResults(home, seed)));

  expect(wrong).toEqual([]);
});
