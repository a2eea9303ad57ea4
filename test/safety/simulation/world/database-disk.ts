/**
 * A disk whose journal is the real database, and whose runs are archived and pruned as soon as they
 * are over, on a clock that is months ahead.
 */

import type { Clock } from "@catalog/clock";
import {
  createJournal,
  createRunPruner,
  createRunRepository,
  createVerificationLog,
  type FileDatabase,
  type JournalOptions,
  openDatabase,
  type StoreAddress,
} from "@catalog/database/testing";
import type { NewRun } from "@catalog/runs";

import type { Disk, DiskJournal } from "../oracle/durability.ts";
import type { FullJournal } from "./journal-port.ts";
import type { Random } from "./random.ts";

export interface DatabaseDiskOptions {
  readonly clock: Pick<Clock, "now">;
  /** Runs of the home. */
  readonly runIds: readonly string[];
}

const DAY_MS = 86_400_000;

/** Time by which the clock of the pruning is ahead. */
const AHEAD_MS = 200 * DAY_MS;

export const STORE: StoreAddress = { baseUrl: "https://market.example/api", storeId: "store" };

export const RUN: Omit<NewRun, "id"> = {
  command: "import",
  file: { path: "", name: "", sha256: "", kind: "csv", sheet: "", headerRow: 1, header: [] },
  mode: "upsert",
  lang: "tr",
  reportDir: "",
  warnings: [],
  settings: { noVerify: true },
};

/** The last run is of no sheet: it has the newest event when the others are judged. */
const LAST_RUN = "r-last";

const sleep = (): Promise<void> => Promise.resolve();

export async function createDatabaseDisk({ clock, runIds }: DatabaseDiskOptions): Promise<Disk> {
  const database = await openDatabase(":memory:");
  // The time of a world has fractions of a millisecond, and the database takes none.
  const now = (): number => Math.floor(clock.now());
  const opened = { database, clock: { now, sleep }, store: STORE };
  const runs = createRunRepository(opened);
  for (const id of [...runIds, LAST_RUN]) await runs.create({ ...RUN, id });
  const tables = createFullJournal(opened);
  const journal: DiskJournal = {
    ...tables,
    get events() {
      return readEvents(database);
    },
  };
  const ahead = { now: () => now() + AHEAD_MS, sleep };
  const pruner = createRunPruner({ ...opened, clock: ahead });
  const aheadRuns = createRunRepository({ ...opened, clock: ahead });
  const open = new Set(runIds);
  let rows = 0;
  return {
    journal,
    restored: 0,
    note: () => undefined,
    losePower: () => Promise.resolve(),
    copy: () => undefined,
    restore: () => Promise.resolve(),
    async prune(runId, random) {
      rows += 1;
      await tables.appendRows(LAST_RUN, [{ row: rows, cells: [], code: null, codeKey: null }]);
      const nothing = { action: null, productId: null, payload: null, changes: [], issues: [] };
      await tables.saveDecisions(LAST_RUN, [{ row: rows, state: "held", ...nothing }]);
      await runs.update(runId, { state: "finished" });
      open.delete(runId);
      // The others are being worked on; one that was left alone for months would lose its rows.
      for (const id of open) await aheadRuns.update(id, { state: "running" });
      await pruner.lookAgain();
      await pruneSome(pruner, random);
      return readEntry(database, runId) !== undefined;
    },
    close: () => database.close(),
  };
}

/** The journal of the real database; times of a world have fractions, which it does not take. */
export function createFullJournal(options: JournalOptions): FullJournal {
  const tables = createJournal(options);
  const log = createVerificationLog(options);
  return {
    ...tables,
    readBefore: (...asked) => log.readBefore(...asked),
    saveBefore: (...values) => log.saveBefore(...values),
    startLagSample: (id, addedMs) => tables.startLagSample(id, toWhole(addedMs)),
    recordLagSample: (id, { shown, serverMs }) =>
      tables.recordLagSample(id, { shown, serverMs: toWhole(serverMs) }),
  };
}

const toWhole = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms));

/** Keeps the rows in the archive or deletes them, and sometimes stops half way. */
async function pruneSome(
  pruner: ReturnType<typeof createRunPruner>,
  random: Random,
): Promise<void> {
  const keepMs = random.pick([DAY_MS, 1_000 * DAY_MS]);
  const steps = random.pick([1, 2, 3, 4, 40, 40, 40]);
  for (let step = 0; step < steps; step += 1) {
    if ((await pruner.advance(keepMs)) === undefined) return;
  }
}

function readEntry(database: FileDatabase, runId: string): object | undefined {
  const entry = database.build.selectFrom("run_archive").select("run_id");
  return database.executeNow(database.get(entry.where("run_id", "=", runId)));
}

function readEvents(database: FileDatabase): DiskJournal["events"] {
  const events = database.build.selectFrom("event").select(["row_no", "from_state", "to_state"]);
  return database
    .executeNow(database.all(events))
    .map(({ row_no: row, from_state: from, to_state: to }) => ({ row, from, to }));
}
