/**
 * The only source of time in a simulated world. Everything that happens is an event on it; between
 * two events all promises that can run have run, so nothing depends on the machine.
 */

import { type Random } from "./world/random.ts";

/** Whoever dies takes the events with them that only they would have noticed. */
export interface Mortal {
  readonly name: string;
  readonly isDead: boolean;
}

interface TimelineEvent {
  readonly atMs: number;
  /** Decides between events of one moment. */
  readonly order: number;
  readonly owner: Mortal | undefined;
  run(): void;
}

export interface Timeline {
  readonly nowMs: number;
  /** Events that have happened. */
  readonly steps: number;
  /** Lets `run` happen after `delayMs`. Without an owner it happens whoever dies. */
  add(delayMs: number, owner: Mortal | undefined, run: () => void): void;
  /** Goes on until nothing is left to happen, or until `isOver` says so after an event. */
  play(isOver?: () => boolean): Promise<void>;
}

export interface TimelineOptions {
  readonly random: Random;
  /** Told of every event; for comparing two runs. */
  readonly onEvent?: ((text: string) => void) | undefined;
}

/** More steps than any world needs; a world that takes more goes round in circles. */
const MOST_STEPS = 200_000;

export function createTimeline({ random, onEvent }: TimelineOptions): Timeline {
  /** Latest first, so that the next one is taken from the end. */
  const waiting: TimelineEvent[] = [];
  let nowMs = 0;
  let steps = 0;

  return {
    get nowMs() {
      return nowMs;
    },
    get steps() {
      return steps;
    },
    add(delayMs, owner, run) {
      const event = { atMs: nowMs + Math.max(0, delayMs), order: random.next(), owner, run };
      let at = waiting.length;
      while (at > 0 && isBefore(waiting[at - 1], event)) at -= 1;
      waiting.splice(at, 0, event);
    },
    async play(isOver = () => false) {
      // What has been started before may still have to reach its first event.
      await drained();
      while (!isOver()) {
        const event = waiting.pop();
        if (event === undefined) return;
        if (event.owner?.isDead === true) continue;
        steps += 1;
        if (steps > MOST_STEPS)
          throw new Error(`the world does not come to rest in ${steps} steps`);
        nowMs = event.atMs;
        onEvent?.(`${event.atMs} ${event.owner?.name ?? "world"}`);
        event.run();
        await drained();
      }
    },
  };
}

function isBefore(one: TimelineEvent | undefined, other: TimelineEvent): boolean {
  if (one === undefined) return false;
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

/** Node runs a tick only when no promise callback is left that could run. */
function drained(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}
