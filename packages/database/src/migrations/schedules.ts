/** Schedules of feeds, and who made a run. */
export const SCHEDULES: readonly string[] = [
  `CREATE TABLE schedule (
     id TEXT NOT NULL, store INTEGER NOT NULL REFERENCES store (id), feed TEXT NOT NULL,
     options_json TEXT NOT NULL, cron TEXT NOT NULL, time_zone TEXT NOT NULL, state TEXT NOT NULL,
     made_by TEXT NOT NULL, is_spread INTEGER NOT NULL, progress_json TEXT, result_json TEXT,
     succeeded_at_ms INTEGER, created_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL,
     PRIMARY KEY (store, id)
   ) STRICT`,
  `ALTER TABLE run ADD COLUMN maker_json TEXT`,
];
