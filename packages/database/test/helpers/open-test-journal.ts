import { join } from "node:path";

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import type { Journal, RunRepository } from "@catalog/runs";
import { onTestFinished } from "vitest";

import { createJournal } from "../../src/journal/journal.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import type { FileDatabase } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { newRun, STORE } from "./runs-and-rows.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface TestJournal {
  readonly path: string;
  readonly database: FileDatabase;
  readonly store: typeof STORE;
  readonly clock: FakeClock;
  readonly journal: Journal;
  readonly runs: RunRepository;
}

export interface TestJournalOptions {
  /** @default a new file */
  readonly path?: string;
  /** @default "store-1" */
  readonly storeId?: string;
  /** @default a clock at 1 000 ms */
  readonly clock?: FakeClock;
  /** How long a statement waits for another process, in milliseconds. @default 5000 */
  readonly busyTimeoutMs?: number;
  /** Runs that exist. @default ["run-1"] */
  readonly runs?: readonly string[];
}

/** Opens a store in a file of its own, or one more connection to a file. */
export async function openTestJournal(options: TestJournalOptions = {}): Promise<TestJournal> {
  const { storeId = "store-1", clock = createFakeClock(1_000), busyTimeoutMs } = options;
  const path = options.path ?? join(temporaryFolder(), "catalog.db");
  const database = await openDatabase(path, { busyTimeoutMs });
  onTestFinished(() => database.close());
  const store = { ...STORE, storeId };
  const runs = createRunRepository({ database, clock, store });
  for (const id of options.runs ?? ["run-1"]) await runs.create(newRun(id));
  return { path, database, store, clock, journal: createJournal({ database, clock, store }), runs };
}
