/** The table of jobs, as somebody sees and changes it who works on the database by hand. */

import { setTimeout as wait } from "node:timers/promises";

import type { TestDatabase } from "@catalog/database/testing";

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

/** Waits until the import has written its job. */
export async function openJobTable(server: Pick<TestDatabase, "query">): Promise<JobTable> {
  const query = (sql: string, values: readonly unknown[] = []): ReturnType<typeof server.query> =>
    askPatiently(() => server.query(sql, values));
  let [job] = await query("SELECT * FROM job");
  for (; job === undefined; [job] = await query("SELECT * FROM job")) await wait(LOOK_MS);
  const { store, kind, key, spec_json, asked_at_ms } = job;
  const run = String(key);
  return {
    run,
    async readEnd() {
      // An open job keeps how its latest attempt failed.
      const [found] = await query(
        "SELECT CASE WHEN ended_at_ms IS NULL THEN NULL ELSE result_json END AS end FROM job WHERE key = $1",
        [run],
      );
      const { end = "missing" } = found ?? {};
      return typeof end === "string" ? end : undefined;
    },
    async countOpenRows() {
      const [found] = await query(
        "SELECT count(*) AS n FROM run_row WHERE state IN ('parsed', 'ready', 'sending', 'ambiguous')",
      );
      return Number(found?.["n"]);
    },
    async write() {
      await query(
        `INSERT INTO job (store, kind, key, spec_json, asked_at_ms, not_before_ms, deaths)
           VALUES ($1, $2, $3, $4, $5, $5, 0)
           ON CONFLICT (store, kind, key) DO UPDATE
           SET deaths = 0, ended_at_ms = NULL, result_json = NULL`,
        [store, kind, key, spec_json, asked_at_ms],
      );
    },
    async remove() {
      await query("DELETE FROM job");
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

const MAX_ATTEMPTS = 100;

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
