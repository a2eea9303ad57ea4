/** Measures how long nothing is added, and how long nobody works on the run, by their causes. */

import { setTimeout as wait } from "node:timers/promises";

/** Longest times in milliseconds, by what was done last. */
export type Times = Readonly<Record<string, number>>;

export interface AddWatch extends Disposable {
  /** Longest times between two adds. */
  readonly pausesMs: Times;
  /** Longest times until another worker had started the command of the run. */
  readonly takeOversMs: Times;
  /** A fault begins; the pauses until the next one are of it. */
  noteFault(cause: string): void;
  /** A worker has started the command. */
  noteStarted(): void;
  /**
   * Waits for so many adds more, or until those are gone that are to make them; `false` where the run
   * has ended before.
   */
  untilAdds(count: number, isGone?: () => boolean): Promise<boolean>;
}

export interface AddWatchOptions {
  readonly countAdds: () => number;
  readonly isOver: () => boolean;
}

/** Time between two looks at the number of adds, in milliseconds. */
const LOOK_MS = 5;

/** Time without an add after which the storm gives up, in milliseconds. */
const STUCK_MS = 5 * 60_000;

export function watchAdds({ countAdds, isOver }: AddWatchOptions): AddWatch {
  const pauses = new Map<string, number>();
  const takeOvers = new Map<string, number>();
  let last = { adds: countAdds(), atMs: performance.now() };
  let cause = "start";
  let fault: { readonly cause: string; readonly atMs: number } | undefined;
  const look = (): void => {
    const adds = countAdds();
    if (adds === last.adds) return;
    const nowMs = performance.now();
    if (last.adds > 0) raise(pauses, cause, nowMs - last.atMs);
    last = { adds, atMs: nowMs };
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    get pausesMs() {
      return toTimes(pauses);
    },
    get takeOversMs() {
      return toTimes(takeOvers);
    },
    noteFault(name) {
      look();
      cause = name;
      fault = { cause: name, atMs: performance.now() };
    },
    noteStarted() {
      if (fault !== undefined) raise(takeOvers, fault.cause, performance.now() - fault.atMs);
      fault = undefined;
    },
    async untilAdds(count, isGone = () => false) {
      const before = countAdds();
      while (!isOver() && !isGone() && countAdds() < before + count) {
        await wait(LOOK_MS);
        if (performance.now() - last.atMs > STUCK_MS) throw new Error(`stuck after ${cause}`);
      }
      return !isOver();
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

const raise = (times: Map<string, number>, name: string, ms: number): void =>
  void times.set(name, Math.max(times.get(name) ?? 0, Math.round(ms)));

const toTimes = (times: ReadonlyMap<string, number>): Times => Object.fromEntries(times);
