/** Plays the worlds of many seeds, and adds up their events. */

import { setImmediate as afterMicrotasks } from "node:timers/promises";

import { playWorld, type WorldResult } from "./world/world.ts";

export interface SeedRange {
  readonly from: number;
  readonly count: number;
}

export interface BrokenSeed {
  readonly seed: number;
  readonly broken: readonly string[];
}

export interface PlayedSeeds {
  readonly worlds: number;
  readonly broken: readonly BrokenSeed[];
  readonly rows: number;
  readonly held: number;
  /** Duplicate products of homes that could not know of each other. */
  readonly excused: number;
  readonly starts: number;
  readonly deaths: number;
  /** Runs that were archived or pruned. */
  readonly pruned: number;
  readonly steps: number;
  readonly simulatedHours: number;
  /** Worlds whose export found the store still, so that nothing may be missing from it. */
  readonly stillExports: number;
  /** Worlds that were played twice with the same events. */
  readonly repeated: number;
}

export interface PlaySeedsOptions {
  readonly ranges: readonly SeedRange[];
  /** One world in this many is played twice; 0 is none. @default 100 */
  readonly repeatEvery?: number;
  /** Broken worlds after which playing ends. @default unlimited */
  readonly maxBroken?: number;
  /** Plays one world. @default with the unchanged engine */
  readonly play?: typeof playWorld;
}

export async function playSeeds(options: PlaySeedsOptions): Promise<PlayedSeeds> {
  const { ranges, maxBroken = Infinity } = options;
  const playNext = createPlayer(options);
  const broken: BrokenSeed[] = [];
  const sum = {
    worlds: 0,
    rows: 0,
    held: 0,
    excused: 0,
    starts: 0,
    deaths: 0,
    pruned: 0,
    steps: 0,
    stillExports: 0,
    repeated: 0,
  };
  let simulatedMs = 0;

  for (const seed of ranges.flatMap(toSeeds)) {
    if (broken.length >= maxBroken) break;
    const { result, isRepeated } = await playNext(seed);
    if (result.broken.length > 0) broken.push({ seed, broken: result.broken });
    sum.worlds += 1;
    sum.repeated += isRepeated ? 1 : 0;
    sum.stillExports += result.isConsistent ? 1 : 0;
    for (const name of [
      "rows",
      "held",
      "excused",
      "starts",
      "deaths",
      "pruned",
      "steps",
    ] as const) {
      sum[name] += result[name];
    }
    simulatedMs += result.simulatedMs;
  }
  return { ...sum, broken, simulatedHours: simulatedMs / 3_600_000 };
}

const toSeeds = ({ from, count }: SeedRange): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

interface Played {
  readonly result: WorldResult;
  readonly isRepeated: boolean;
}

function createPlayer({
  repeatEvery = 100,
  play = playWorld,
}: PlaySeedsOptions): (seed: number) => Promise<Played> {
  return async (seed) => {
    const isRepeated = repeatEvery > 0 && seed % repeatEvery === 0;
    const result = await watchRejections(() => (isRepeated ? playTwice(play, seed) : play(seed)));
    return { result, isRepeated };
  };
}

/** A promise that is rejected and that nothing handles would end the program. */
async function watchRejections(play: () => Promise<WorldResult>): Promise<WorldResult> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  try {
    const result = await play();
    await afterMicrotasks();
    return { ...result, broken: [...result.broken, ...unhandled.map(String)] };
  } finally {
    process.off("unhandledRejection", note);
  }
}

/** A world that differs when it is repeated would make every seed worthless. */
async function playTwice(play: typeof playWorld, seed: number): Promise<WorldResult> {
  const first: string[] = [];
  const second: string[] = [];
  const result = await play(seed, { onEvent: (text) => first.push(text) });
  await play(seed, { onEvent: (text) => second.push(text) });
  const at = first.findIndex((text, index) => text !== second[index]);
  if (at === -1 && first.length === second.length) return result;
  return { ...result, broken: [...result.broken, `differs from itself at event ${at}`] };
}
