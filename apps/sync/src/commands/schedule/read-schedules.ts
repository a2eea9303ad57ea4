import type { Connection } from "@catalog/connection";
import {
  readNextStart,
  readScheduleHealth,
  type ScheduleHealth,
  type ScheduleRecord,
} from "@catalog/jobs";
import { toCounts } from "@catalog/runs";

/** A schedule with what is known of it now. */
export interface ListedSchedule {
  readonly record: ScheduleRecord;
  readonly store: Pick<Connection, "baseUrl" | "storeId">;
  readonly health: ScheduleHealth;
  /** Whether a program is running that starts it at its times. */
  readonly isServed: boolean;
  /** `undefined` while it is paused. */
  readonly nextMs: number | undefined;
  /** Rows of its last sync that wait for a decision. */
  readonly waitingRows: number;
}

/** Reads the schedules of a store, the oldest first. */
export async function readSchedules(connection: Connection): Promise<readonly ListedSchedule[]> {
  const { memory, locks, clock, feedJournal, baseUrl, storeId } = connection;
  const store = { baseUrl, storeId };
  const nowMs = clock.now();
  const listed: ListedSchedule[] = [];
  for (const record of await memory.schedules.list()) {
    const { id, madeBy, state, result } = record;
    const holder = await (madeBy === "command"
      ? locks.scheduleHolder(id)
      : locks.schedulesHolder());
    const run = result?.run ?? null;
    listed.push({
      record,
      store,
      health: readScheduleHealth(record, { nowMs }),
      isServed: holder !== undefined,
      nextMs: state === "paused" ? undefined : readNextStart(connection, record),
      waitingRows: run === null ? 0 : toCounts(await feedJournal.countRows(run)).held,
    });
  }
  return listed;
}
