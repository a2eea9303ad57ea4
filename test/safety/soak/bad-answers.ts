/** An import in a marketplace that answers one add in eight wrongly, with the unchanged program. */

import type { Fault } from "@catalog/sandbox";

import { type Comparison, finishRun, compareStates } from "../kill/account.ts";
import { openKillScenario } from "../kill/kill-scenario.ts";

/** Shares of the adds that get each fault. */
export const SHARES: readonly Fault[] = [
  { kind: "reset-after", endpoint: "product.add", rate: 0.05 },
  { kind: "error-after", endpoint: "product.add", rate: 0.03 },
  { kind: "too-many", endpoint: "product.add", rate: 0.03, ms: 1_000 },
  { kind: "truncated-with-length", endpoint: "product.add", rate: 0.01 },
  { kind: "truncated-without-length", endpoint: "product.add", rate: 0.01 },
  { kind: "html", endpoint: "product.add", rate: 0.01 },
];

export interface BadAnswersResult extends Comparison {
  /** Exit codes of the import and of the later starts. */
  readonly codes: readonly (number | null)[];
  readonly adds: number;
  readonly seconds: number;
}

export async function playBadAnswers(rows: number, seed: number): Promise<BadAnswersResult> {
  await using shop = await openKillScenario({ rows, faults: SHARES, seed: `answers ${seed}` });
  const startedMs = performance.now();
  const codes = await finishRun(shop, undefined);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  return { codes, adds: shop.sandbox.stats().adds, seconds, ...compareStates(shop, rows) };
}
