/** Worlds in which runs are archived and pruned as soon as they are over. */

import type { Home } from "./homes.ts";
import type { Random } from "./random.ts";
import type { Scenario, Sheet } from "./scenario.ts";

/** Share of the worlds in which one process at a time sends and no copy is restored. */
const PRUNED_SHARE = 0.08;

export const drawPruning = (random: Random, { isLocked, restoring }: Scenario): boolean =>
  isLocked && restoring === undefined && random.chance(PRUNED_SHARE);

/** Rounds of the event loop in which what an event has started comes to rest. */
const ROUNDS = 3;

/** The real journal writes outcomes of one round of the event loop together, at its end. */
export async function afterImmediates(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await new Promise(setImmediate);
}

export interface PruneRunOptions {
  readonly home: Home;
  readonly random: Random;
  readonly counts: { readonly starts: number; pruned: number };
  readonly onEvent: ((text: string) => void) | undefined;
}

/** Time passes, and what is over is archived or deleted. */
export async function pruneRun(
  { home, random, counts, onEvent }: PruneRunOptions,
  { runId }: Sheet,
): Promise<void> {
  for (const disk of home.disks) {
    const isPruned = await disk.prune?.(runId, random.fork(`pruning ${counts.starts}`));
    if (isPruned !== true) continue;
    onEvent?.(`${runId} is pruned`);
    counts.pruned += 1;
  }
}
