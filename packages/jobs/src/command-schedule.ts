/**
 * The schedule of a command that keeps running. It is stored, so that the page shows it and may
 * pause it, and only the process that holds its lock runs it.
 */

import type { Connection } from "@catalog/connection";

import type { ScheduleRecord } from "./queue.ts";
import { RETRY_MS, runSchedules, type StartedEnd } from "./run-schedules.ts";
import { recordOwnSync, type SyncEnd } from "./run-store-schedules.ts";
import {
  rankOfFeed,
  readScheduleHealth,
  type ScheduleHealth,
  toSyncOptions,
} from "./schedule-health.ts";
import { BUSY } from "./start-command.ts";
import { createTimetable } from "./timetable.ts";

interface CommandScheduleOptions extends Pick<ScheduleRecord, "id" | "feed" | "cron" | "timeZone"> {
  /** Flags of the command line; those of a sync are kept, for a sync that the page starts. */
  readonly flags: Readonly<Record<string, unknown>>;
}

interface RunCommandScheduleOptions<End extends SyncEnd> {
  readonly stop: AbortSignal;
  /** Syncs for one time. An error ends the schedule, and the next process starts the time again. */
  readonly sync: (dueMs: number) => Promise<End>;
  readonly onHealth: (health: ScheduleHealth) => void;
  /** Called before each wait, and repeatedly while it lasts; `undefined` where no time comes. */
  readonly onWait: (nextMs: number | undefined) => void;
  /** Another process works on the store; the same time is tried again at `againMs`. */
  readonly onBusy: (againMs: number) => void;
  readonly onEnd: (
    end: End,
    times: { readonly dueMs: number; readonly nextMs: number | undefined },
  ) => Promise<void>;
}

/** A schedule that this process holds; disposing of it gives its lock back. */
interface CommandSchedule extends AsyncDisposable {
  /** How it fares now. */
  readonly health: ScheduleHealth;
  /** Its next times. */
  readonly nextTimes: readonly number[];
  /** Syncs at its times until `stop` aborts; a sync under way is waited for. */
  run<End extends SyncEnd>(options: RunCommandScheduleOptions<End>): Promise<void>;
}

/** Times listed before the first wait. */
const TIMES_SHOWN = 3;

const PRICE_DELAY_MS = 5_000;

/** Another process that runs the schedule is waited for by the lock of the schedule alone. */
const LED: AsyncDisposable = { [Symbol.asyncDispose]: async () => undefined };

/**
 * Stores the schedule, whose progress and pause stay where it is known, and takes its lock. One of
 * the same feed with other times, which no process runs any more, is removed. Throws `InputError`
 * for a pattern or a time zone that cannot be read.
 */
export async function openCommandSchedule(
  connection: Pick<Connection, "memory" | "locks" | "clock">,
  { flags, ...schedule }: CommandScheduleOptions,
): Promise<CommandSchedule> {
  const { locks, clock } = connection;
  const { schedules } = connection.memory;
  const { id, feed, cron, timeZone } = schedule;
  const timetable = createTimetable(cron, timeZone);
  const judge = (record: ScheduleRecord): ScheduleHealth =>
    readScheduleHealth(record, { nowMs: clock.now() });
  const lock = await locks.schedule(id);
  await using closing = new AsyncDisposableStack();
  closing.use(lock);
  for (const other of await schedules.list()) {
    const isReplaced = other.madeBy === "command" && other.feed === feed && other.id !== id;
    if (isReplaced && (await locks.scheduleHolder(other.id)) === undefined)
      await schedules.remove(other.id);
  }
  const options = toSyncOptions(flags);
  await schedules.save({ ...schedule, options, madeBy: "command", isSpread: false });
  const record = await schedules.read(id);
  if (record === undefined) throw new Error(`schedule ${id} was stored and is gone`);
  const held = closing.move();
  return {
    health: judge(record),
    nextTimes: timetable.list(clock.now(), TIMES_SHOWN),
    [Symbol.asyncDispose]: () => held[Symbol.asyncDispose](),
    async run({ stop, sync, onHealth, onWait, onBusy, onEnd }) {
      const start = async (dueMs: number): Promise<StartedEnd> => {
        const end = await sync(dueMs);
        // An interrupted sync has no outcome; the next process starts this time again.
        if (stop.aborted) return "ended";
        if (end.exit === BUSY) {
          onBusy(clock.now() + RETRY_MS);
          return "locked";
        }
        await recordOwnSync(connection, { id, dueMs }, end);
        const stored = await schedules.read(id);
        if (stored !== undefined) onHealth(judge(stored));
        await onEnd(end, { dueMs, nextMs: timetable.next(clock.now()) });
        return "ended";
      };
      await runSchedules({
        clock,
        stop,
        schedules: {
          async list() {
            const found = await schedules.read(id);
            if (found === undefined) return [];
            onHealth(judge(found));
            // Another process may sync the stock of the store at the same time; it takes the lock first.
            return [{ ...found, delayMs: rankOfFeed(found) * PRICE_DELAY_MS }];
          },
          saveProgress: (_, progress) => schedules.update(id, { progress }),
        },
        lock: async () => LED,
        start: (_, dueMs) => start(dueMs),
        onWait: (next) => onWait(next?.atMs),
      });
    },
  };
}
