/**
 * The machines of a simulated world: each has a home of its own, with a disk for every store that
 * it knows.
 */

import { canonicalAddress } from "@catalog/client/market-address";
import type { Clock } from "@catalog/clock";

import type { Timeline } from "../timeline.ts";
import { createSimCodeRegistry, type SimCodeRegistry } from "./code-registry.ts";
import { createDisk, type Disk, type DiskOptions } from "./disk.ts";
import { toParsedRows } from "./program.ts";
import type { Random } from "./random.ts";
import type { Scenario, Sheet } from "./scenario.ts";

export interface Home {
  readonly number: number;
  /** Lock of the sending process, which the operating system releases when the process dies. */
  readonly lock: { isHeld: boolean };
  /** One disk for each store that the home derives from the typed addresses; there is one store. */
  readonly disks: readonly Disk[];
  /** The disk of a process that was given the address in some spelling. */
  diskOf(random: Random): Disk;
  /** The home's registry of look-alike codes. */
  readonly codes: SimCodeRegistry;
  /** Name of the home's present state; a restored state has another name. */
  readonly line: () => string;
}

/** Spellings of one store's address. */
const SPELLINGS: readonly [string, ...string[]] = [
  "https://market.example/api",
  "https://market.example/api/",
  "https://Market.Example//api",
  "https://market.example:443/api",
];

export interface HomesOptions {
  readonly scenario: Scenario;
  readonly isDurable: boolean;
  /** Whether runs are archived and pruned. */
  readonly isPruned: boolean;
  readonly clock: Pick<Clock, "now">;
}

export async function createHomes({
  scenario: { sheets, restoring, losesPower },
  ...options
}: HomesOptions): Promise<readonly Home[]> {
  const numbers = [...new Set(sheets.map(({ home }) => home))];
  return await Promise.all(
    numbers.map(async (number) => {
      const mine = sheets.filter(({ home }) => home === number);
      return await createHome(number, mine, {
        ...options,
        losesPower,
        restoring: number === 0 ? restoring : undefined,
      });
    }),
  );
}

async function createHome(
  number: number,
  sheets: readonly Sheet[],
  options: Omit<DiskOptions, "runIds">,
): Promise<Home> {
  const runIds = sheets.map(({ runId }) => runId);
  const keys = [...new Set(SPELLINGS.map(canonicalAddress))];
  const disks = new Map<string, Disk>();
  for (const key of keys) disks.set(key, await createDisk({ ...options, runIds }));
  for (const disk of disks.values()) {
    for (const sheet of sheets) {
      const args = [sheet.runId, toParsedRows(sheet)] as const;
      await disk.journal.appendRows(...args);
    }
  }
  const all = [...disks.values()];
  return {
    number,
    lock: { isHeld: false },
    disks: all,
    codes: createSimCodeRegistry(runIds),
    diskOf(random) {
      const disk = disks.get(canonicalAddress(random.pick(SPELLINGS)));
      if (disk === undefined) throw new Error("the home has no disk for a spelling");
      return disk;
    },
    line: () => `home ${number}, state ${Math.max(...all.map(({ restored }) => restored))}`,
  };
}

export interface RestoringOptions {
  readonly scenario: Pick<Scenario, "restoring">;
  readonly timeline: Timeline;
  readonly homes: readonly Home[];
  readonly onEvent: ((text: string) => void) | undefined;
}

const TRY_AGAIN_MS = 5_000;

/** A person restores a copy of the first home while no process runs there. */
export function scheduleRestoring({
  scenario: { restoring },
  timeline,
  homes: [home],
  onEvent,
}: RestoringOptions): void {
  if (restoring === undefined || home === undefined) return;
  const { copiedAtMs, atMs } = restoring;
  const putBack = async (): Promise<void> => {
    onEvent?.("a copy is put back");
    for (const disk of home.disks) await disk.restore();
  };
  const tryNow = (): void => {
    if (home.lock.isHeld) timeline.add(TRY_AGAIN_MS, undefined, tryNow);
    else void putBack();
  };
  timeline.add(copiedAtMs, undefined, () => {
    for (const disk of home.disks) disk.copy();
  });
  timeline.add(atMs, undefined, tryNow);
}
