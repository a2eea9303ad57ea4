/** The jobs of the queue, as somebody sees and changes it who works on the database by hand. */

import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

import type { TestDatabase } from "@catalog/database/testing";
import { z } from "zod";

export interface JobTable {
  /** Id of the run of the job. */
  readonly run: string;
  /** Reads how the job ended, as text; `undefined` while it is open, `missing` where it is gone. */
  readEnd(): Promise<string | undefined>;
  /** Number of rows that are not over. */
  countOpenRows(): Promise<number>;
  /** Writes the job as it was first written, also where it has ended. */
  write(): Promise<void>;
  remove(): Promise<void>;
  /** Makes the leases of these processes those of a machine that cannot be looked at. */
  moveAway(pids: readonly number[]): Promise<void>;
  /** Ends all connections to the database. */
  endConnections(): Promise<void>;
}

const LOOK_MS = 200;

const jobSchema = z.looseObject({
  singleton_key: z.string(),
  data: z.object({ key: z.string() }).loose(),
});

/** Waits until the import has written its job. */
export async function openJobTable(server: Pick<TestDatabase, "query">): Promise<JobTable> {
  const query = (sql: string, values: readonly unknown[] = []): ReturnType<typeof server.query> =>
    askPatiently(() => server.query(sql, values));
  const find = "SELECT to_jsonb(job) AS job FROM catalog_queue.job WHERE group_id LIKE 'apply/%'";
  let [found] = await query(find);
  for (; found === undefined; [found] = await query(find)) await wait(LOOK_MS);
  const job = jobSchema.parse(found["job"]);
  const run = job.data.key;
  return {
    run,
    async readEnd() {
      const [last] = await query(
        `SELECT CASE WHEN state > 'active' THEN output::text END AS end FROM catalog_queue.job
           WHERE singleton_key = $1 ORDER BY created_on DESC LIMIT 1`,
        [job.singleton_key],
      );
      const { end = "missing" } = last ?? {};
      return typeof end === "string" ? end : undefined;
    },
    async countOpenRows() {
      const [counted] = await query(
        "SELECT count(*) AS n FROM run_row WHERE state IN ('parsed', 'ready', 'sending', 'ambiguous')",
      );
      return Number(counted?.["n"]);
    },
    async write() {
      const now = new Date().toISOString();
      const times = { created_on: now, start_after: now, completed_on: null, heartbeat_on: null };
      const fresh = { ...job, ...times, id: randomUUID(), state: "created", output: null };
      await query(
        `INSERT INTO catalog_queue.job
           SELECT * FROM jsonb_populate_record(NULL::catalog_queue.job, $1::jsonb)
           ON CONFLICT DO NOTHING`,
        [JSON.stringify({ ...fresh, retry_count: 0, started_on: null })],
      );
    },
    async remove() {
      await query("DELETE FROM catalog_queue.job");
    },
    async moveAway(pids) {
      for (const pid of pids) {
        await query(
          `UPDATE lease SET note_json = replace(note_json, '"place":"', '"place":"far ')
             WHERE note_json LIKE $1`,
          [`%"pid":${pid},%`],
        );
      }
    },
    async endConnections() {
      await query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    },
  };
}

/** Two minutes: on a busy machine the processes of a killed server take their time to end. */
const MAX_ATTEMPTS = 600;

/** Asks again while the server starts. */
async function askPatiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
    await wait(LOOK_MS);
  }
}
