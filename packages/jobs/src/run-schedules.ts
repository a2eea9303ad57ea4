/**
 * Starts what schedules say, at their times. Starts and ends are stored, so that a time is not run
 * twice after a crash or restart; of several missed times the last one is run, once; and an
 * interrupted time is started again. One process at a time does this, under a lock; the others wait
 * for it to end.
 */

import type { Clock } from "@catalog/clock";

import type { ScheduleProgress } from "./queue.ts";
import { openTimetable, type Timetable } from "./timetable.ts";

/** What the loop needs to know of a schedule. */
export interface RunnableSchedule {
  readonly id: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly state: "active" | "paused";
  readonly progress: ScheduleProgress | undefined;
  /** How long after its times it starts, in milliseconds. @default 0 */
  readonly delayMs?: number | undefined;
  /** Of two that are due at the same time the lower one starts first. @default 0 */
  readonly rank?: number | undefined;
}

/**
 * - `ended`: the sync came to an end, good or bad; the next time follows.
 * - `locked`: another process holds the store; the time is tried again.
 * - `killed`: the sync died before its end; the time is tried again, a few times.
 */
export type StartedEnd = "ended" | "locked" | "killed";

interface RunSchedulesOptions<Schedule extends RunnableSchedule> {
  /** The schedules of this process, read again before each decision. */
  readonly schedules: {
    list(): Promise<readonly Schedule[]>;
    saveProgress(id: string, progress: ScheduleProgress): Promise<unknown>;
  };
  readonly clock: Clock;
  /**
   * Runs one sync. An error ends the loop, and the next process starts the time again. Where `stop`
   * has aborted, the time stays open in the same way.
   */
  readonly start: (schedule: Schedule, dueMs: number) => Promise<StartedEnd>;
  /** Takes the lock of the process that leads; `undefined` while another one has it. */
  readonly lock: () => Promise<AsyncDisposable | undefined>;
  readonly stop: AbortSignal;
  /** Called when this process begins to lead, or begins to wait for the one that does. */
  readonly onLead?: ((leads: boolean) => void) | undefined;
  /** Called before each wait, and repeatedly while it lasts; `undefined` where no time comes. */
  readonly onWait?: ((next: NextStart<Schedule> | undefined) => void) | undefined;
}

/** The next start of all schedules. */
interface NextStart<Schedule> {
  readonly schedule: Schedule;
  readonly atMs: number;
}

/** Longest wait after which schedules are read again: a person may have changed them. */
export const SCHEDULE_POLL_MS = 5_000;

/** Time between two tries of one time; no part of a minute, or each would meet the same sync. */
export const RETRY_MS = 17_000;

/** Runs the schedules until `stop` aborts; a sync under way is waited for. */
export async function runSchedules<Schedule extends RunnableSchedule>(
  options: RunSchedulesOptions<Schedule>,
): Promise<void> {
  const { lock, stop, onLead } = options;
  let isTold = false;
  while (!stop.aborted) {
    await using lead = await lock();
    if (lead !== undefined) {
      onLead?.(true);
      await leadSchedules(options);
      return;
    }
    if (!isTold) onLead?.(false);
    isTold = true;
    await sleep(options, SCHEDULE_POLL_MS);
  }
}

async function leadSchedules<Schedule extends RunnableSchedule>(
  options: RunSchedulesOptions<Schedule>,
): Promise<void> {
  const { clock, stop, onWait } = options;
  const tries = new Map<string, Tries>();
  const timetableOf = createTimetables();
  while (!stop.aborted) {
    const first = await findFirst(options, { tries, timetableOf });
    if (first !== undefined && first.atMs <= clock.now()) await startDue(options, first, tries);
    else {
      onWait?.(first);
      await sleep(options, Math.min(SCHEDULE_POLL_MS, (first?.atMs ?? Infinity) - clock.now()));
    }
  }
}

interface LeaderState {
  readonly tries: ReadonlyMap<string, Tries>;
  readonly timetableOf: ReturnType<typeof createTimetables>;
}

/** The start that comes first; of those that are due, the one with the earliest time, then by rank. */
async function findFirst<Schedule extends RunnableSchedule>(
  options: RunSchedulesOptions<Schedule>,
  { tries, timetableOf }: LeaderState,
): Promise<PlannedStart<Schedule> | undefined> {
  const planned: PlannedStart<Schedule>[] = [];
  // Read once, so that all that is due now is due at the same time.
  const nowMs = options.clock.now();
  for (const schedule of await options.schedules.list()) {
    const timetable = timetableOf(schedule);
    if (schedule.state === "paused" || timetable === undefined) continue;
    const progress = await readProgress(options, schedule);
    const again = tries.get(schedule.id);
    const start = planStart({ ...schedule, progress }, timetable, { nowMs, tries: again });
    if (start !== undefined) planned.push({ ...start, schedule });
  }
  return planned.toSorted(
    (a, b) => a.atMs - b.atMs || a.dueMs - b.dueMs || rankOf(a.schedule) - rankOf(b.schedule),
  )[0];
}

/** Starts of one time that may die. */
export const MAX_KILLED = 3;

const rankOf = ({ rank = 0 }: RunnableSchedule): number => rank;

/** Tries of one time that did not come to an end. */
interface Tries {
  readonly dueMs: number;
  readonly killed: number;
  readonly againAtMs: number;
}

interface PlannedStart<Schedule> extends NextStart<Schedule> {
  readonly dueMs: number;
}

/** Reads the pattern of each schedule once, as reading one takes longer than all that follows. */
export function createTimetables(): (schedule: RunnableSchedule) => Timetable | undefined {
  const known = new Map<string, Timetable | undefined>();
  return ({ cron, timeZone }) => {
    const key = `${cron} ${timeZone}`;
    if (!known.has(key)) known.set(key, openTimetable(cron, timeZone));
    return known.get(key);
  };
}

/** The next start of a schedule; `undefined` where no time comes. */
export function planStart(
  { delayMs = 0, progress }: Pick<RunnableSchedule, "delayMs"> & Begun,
  timetable: Timetable,
  { nowMs, tries }: { readonly nowMs: number; readonly tries?: Tries | undefined },
): { readonly dueMs: number; readonly atMs: number } | undefined {
  const { dueMs: lastMs, state } = progress;
  const missedMs = timetable.findDue(lastMs, nowMs - delayMs);
  if (missedMs !== undefined || state === "begun") {
    const dueMs = missedMs ?? lastMs;
    const againAtMs = tries?.dueMs === lastMs ? tries.againAtMs : nowMs;
    return { dueMs, atMs: Math.max(dueMs + delayMs, againAtMs) };
  }
  const nextMs = timetable.next(lastMs);
  return nextMs === undefined ? undefined : { dueMs: nextMs, atMs: nextMs + delayMs };
}

interface Begun {
  readonly progress: ScheduleProgress;
}

/**
 * A stored time further ahead than this means that the clock was put back; the schedule then counts
 * from the present time.
 */
const MAX_AHEAD_MS = 3_600_000;

async function readProgress<Schedule extends RunnableSchedule>(
  { schedules, clock }: RunSchedulesOptions<Schedule>,
  { id, progress: found }: Schedule,
): Promise<ScheduleProgress> {
  const progress = countFrom(found, clock.now());
  if (progress !== found) await schedules.saveProgress(id, progress);
  return progress;
}

/** The progress that the times of a schedule count from; another one where there is none to rest on. */
export function countFrom(found: ScheduleProgress | undefined, nowMs: number): ScheduleProgress {
  if (found !== undefined && found.dueMs - nowMs <= MAX_AHEAD_MS) return found;
  return { dueMs: nowMs, state: "done" };
}

async function startDue<Schedule extends RunnableSchedule>(
  { schedules, clock, start, stop }: RunSchedulesOptions<Schedule>,
  { schedule, dueMs }: PlannedStart<Schedule>,
  tries: Map<string, Tries>,
): Promise<void> {
  const { id } = schedule;
  await schedules.saveProgress(id, { dueMs, state: "begun" });
  const end = await start(schedule, dueMs);
  // The interrupted time stays open, so that the next process starts it again.
  if (stop.aborted) return;
  const earlier = tries.get(id);
  const killed = (earlier?.dueMs === dueMs ? earlier.killed : 0) + (end === "killed" ? 1 : 0);
  if (end === "ended" || killed >= MAX_KILLED) {
    tries.delete(id);
    const now = (await schedules.list()).find((one) => one.id === id)?.progress;
    // A person may have changed the times meanwhile, and set the progress anew.
    if (now?.dueMs !== dueMs) return;
    await schedules.saveProgress(id, { dueMs, state: "done" });
  } else tries.set(id, { dueMs, killed, againAtMs: clock.now() + RETRY_MS });
}

async function sleep(
  { clock, stop }: Pick<RunSchedulesOptions<RunnableSchedule>, "clock" | "stop">,
  ms: number,
): Promise<void> {
  try {
    await clock.sleep(Math.max(ms, 1), stop);
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
