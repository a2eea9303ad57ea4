/**
 * The only source of time in a simulated world. Every occurrence is an event on it; between two
 * events all promises that can run have run, so nothing depends on the machine.
 */

import type { Random } from "./world/random.ts";

/** An owner of events; when it dies, the events that only it would notice are dropped. */
export interface Mortal {
  readonly name: string;
  readonly isDead: boolean;
  /** Until when it is suspended; its events wait for that. @default it is not */
  readonly suspendedUntilMs?: number;
}

interface TimelineEvent {
  readonly atMs: number;
  /** Order of events at the same moment. */
  readonly order: number;
  readonly owner: Mortal | undefined;
  run(): void;
}

export interface Timeline {
  readonly nowMs: number;
  /** Number of past events. */
  readonly steps: number;
  /**
   * Runs `run` after `delayMs`. Without an owner it runs in any case. `order` decides between events
   * of one moment; drawn by default.
   */
  add(delayMs: number, owner: Mortal | undefined, run: () => void, order?: number): void;
  /** Plays events until none is left, or until `isOver` returns true after an event. */
  play(isOver?: () => boolean): Promise<void>;
}

export interface TimelineOptions {
  readonly random: Random;
  /** Called with every event, to compare two runs. */
  readonly onEvent?: ((text: string) => void) | undefined;
  /** Waits until everything that an event has started has come to rest. @default promises only */
  readonly drain?: (() => Promise<void>) | undefined;
}

/** Maximum number of events; a world with more is in a loop. */
const MAX_STEPS = 200_000;

export function createTimeline({ random, onEvent, drain = drained }: TimelineOptions): Timeline {
  /** Latest first, so that the next event is taken from the end. */
  const waiting: TimelineEvent[] = [];
  let nowMs = 0;
  let steps = 0;
  const insert = (event: TimelineEvent): void => {
    let at = waiting.length;
    while (at > 0 && isBefore(waiting[at - 1], event)) at -= 1;
    waiting.splice(at, 0, event);
  };

  /** Puts off an event of an owner that is suspended; returns whether it did. */
  const isPutOff = (event: TimelineEvent): boolean => {
    const { suspendedUntilMs = 0 } = event.owner ?? {};
    if (suspendedUntilMs <= event.atMs) return false;
    insert({ ...event, atMs: suspendedUntilMs });
    return true;
  };

  /** The next event whose owner can notice it. */
  const takeNext = (): TimelineEvent | undefined => {
    let event = waiting.pop();
    while (event !== undefined && (event.owner?.isDead === true || isPutOff(event))) {
      event = waiting.pop();
    }
    return event;
  };

  return {
    get nowMs() {
      return nowMs;
    },
    get steps() {
      return steps;
    },
    add(delayMs, owner, run, order = random.next()) {
      insert({ atMs: nowMs + Math.max(0, delayMs), order, owner, run });
    },
    async play(isOver = () => false) {
      // Work that was started before may still have to add its first event.
      await drain();
      while (!isOver()) {
        const event = takeNext();
        if (event === undefined) return;
        steps += 1;
        if (steps > MAX_STEPS) throw new Error(`the world does not come to rest in ${steps} steps`);
        nowMs = event.atMs;
        onEvent?.(`${event.atMs} ${event.owner?.name ?? "world"}`);
        event.run();
        await drain();
      }
    },
  };
}

function isBefore(one: TimelineEvent | undefined, other: TimelineEvent): boolean {
  if (one === undefined) return false;
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

/** Node runs an immediate only when no promise callback is left. */
function drained(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}
