import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { playResults } from "./play-results.ts";

/** Five hundred and more are a part of the long tier. */
const SEEDS = 12;

it("the files of a run say of every row what became of it, whatever went wrong", async () => {
  const home = mkdtempSync(join(tmpdir(), "catalog-results-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const wrong: string[] = [];

  for (let seed = 1; seed <= SEEDS; seed += 1) wrong.push(...(await playResults(home, seed)));

  expect(wrong).toEqual([]);
});
