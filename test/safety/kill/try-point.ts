/** One import that dies at named points, and is resumed. */

import type { Fault } from "@catalog/sandbox";

import { type Comparison, nextCommand, finishRun, compareStates } from "./account.ts";
import { openKillScenario } from "./kill-scenario.ts";

export interface TriedPoint extends Comparison {
  /** Number of points that were reached and killed the process. */
  readonly deaths: number;
  readonly codes: readonly (number | null)[];
}

const ROWS = 24;

/** Faults that make lookups necessary. */
const FAULTS: readonly Fault[] = [
  { kind: "reset-after", endpoint: "product.add", nth: 3 },
  { kind: "error-before", endpoint: "product.add", nth: 6 },
  { kind: "truncated-without-length", endpoint: "product.add", nth: 9 },
];

/** Each start dies at the next of the points, the nth time that it is reached. */
export async function tryPoints(points: readonly string[], nth: number): Promise<TriedPoint> {
  await using shop = await openKillScenario({ rows: ROWS, faults: FAULTS });
  let deaths = 0;
  for (const point of points) {
    const crash = { point, nth };
    const { signal } = await shop.start({ crash }, ...nextCommand(shop)).finished;
    if (signal === "SIGKILL") deaths += 1;
  }
  // Once more, as nothing may happen to a run that is over.
  const codes = [...(await finishRun(shop)), ...(await finishRun(shop))];
  return { deaths, codes, ...compareStates(shop, ROWS) };
}
