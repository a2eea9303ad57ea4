/**
 * The disk of a simulated machine, with the real journal on a database in memory. It can lose its
 * last commits with the power, and be replaced by an older copy. Runs can be archived and pruned as
 * soon as they are over, on a clock that is months ahead.
 */

import type { Clock } from "@catalog/clock";
import {
  createJournal,
  createRunPruner,
  createRunRepository,
  createVerificationLog,
  type Database,
  type JournalOptions,
  type StoreAddress,
  createMemoryMarkers,
  type MemoryDatabase,
  openMemoryDatabase,
} from "@catalog/database/testing";
import type { NewRun, RowEvent } from "@catalog/runs";

import type { FullJournal } from "./journal-port.ts";
import type { Random } from "./random.ts";
import type { Restoring } from "./scenario.ts";
import { START_MS } from "./sim-process.ts";

/** A move of a row. */
export type Move = Pick<RowEvent, "seq" | "row" | "from" | "to">;

export interface Disk {
  /** The present journal, which changes after a power failure and when a copy is restored. */
  readonly journal: FullJournal;
  /** Reads the moves of all rows, as far as they are kept. */
  readMoves(): Promise<readonly Move[]>;
  /** Number of restored copies, each of which loses what was written after the copy was made. */
  readonly restored: number;
  /** Records that a method of the journal is about to be called. */
  note(method: PropertyKey): void;
  /** The machine stops; the last commits are lost if they were not synced. */
  losePower(lastCommits: number): Promise<void>;
  /** Makes a copy that a person may restore. */
  copy(): void;
  restore(): Promise<void>;
  /** Prunes a run where it is over; returns whether it did. Absent where runs are kept. */
  readonly prune?: (runId: string, random: Random) => Promise<boolean>;
  /** Frees what the disk holds. */
  readonly close?: () => void;
}

export interface DiskOptions {
  /** Whether a commit survives a power failure. */
  readonly isDurable: boolean;
  /** Whether the power fails when a process dies. */
  readonly losesPower: boolean;
  /** Whether runs are pruned. */
  readonly isPruned: boolean;
  readonly clock: Pick<Clock, "now">;
  /** How a copy is restored, where that happens. */
  readonly restoring: Restoring | undefined;
  /** Runs of the home. */
  readonly runIds: readonly string[];
}

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

const toRun = (id: string): NewRun => ({ ...RUN, id });

const sleep = (): Promise<void> => Promise.resolve();

/** Commits that a power failure may take. */
const MAX_LOST = 3;

/** Methods whose commit it may take; the parsed sheets are older. */
const WRITES: ReadonlySet<PropertyKey> = new Set([
  "beginSending",
  "claim",
  "clearSeen",
  "freeCode",
  "recordLagSample",
  "recordLookup",
  "recordOutcome",
  "recordOutcomes",
  "recordSignature",
  "recover",
  "saveBefore",
  "saveDecisions",
  "saveSeen",
  "startLagSample",
]);

export async function createDisk(options: DiskOptions): Promise<Disk> {
  const { isDurable, losesPower, isPruned, restoring } = options;
  const runs = [...options.runIds, LAST_RUN].map(toRun);
  // The time of a world has fractions of a millisecond, and the database takes none.
  const clock = { now: (): number => Math.floor(options.clock.now()), sleep };
  const markers = createMemoryMarkers();
  const open = async (image?: Uint8Array) => {
    const database = await openMemoryDatabase({ store: STORE, runs, createdAtMs: START_MS, image });
    const opened = { database, clock, store: STORE, markers };
    return { ...opened, journal: createFullJournal(opened) };
  };
  let disk = await open();
  let { journal } = disk;
  /** The database before each of the last commits, the oldest first. */
  let before: readonly Uint8Array[] = [];
  let copied: Uint8Array | undefined;
  let restored = 0;
  /** The first event after the copy, where the home has noticed that it is an older copy. */
  let restoredSeq: number | undefined;
  const putBack = async (image: Uint8Array | undefined): Promise<void> => {
    // Nothing is proven about what was under way then.
    markers.restart();
    if (image !== undefined) disk = await open(image);
    // What a home has noticed of itself outlasts a failure of the power.
    ({ journal } = disk);
    if (restoredSeq !== undefined) journal = withSuspicion(journal, restoredSeq);
  };
  return {
    get journal() {
      return journal;
    },
    readMoves: () => readMoves(disk.database),
    get restored() {
      return restored;
    },
    note(method) {
      if (isDurable || !losesPower || !WRITES.has(method)) return;
      before = [...before, disk.database.serialize()].slice(-MAX_LOST);
    },
    losePower: (lastCommits) =>
      putBack(isDurable ? undefined : (before.at(-lastCommits) ?? before[0])),
    copy: () => void (copied = disk.database.serialize()),
    async restore() {
      restored += 1;
      await putBack(copied);
      if (restoring?.isMarked !== true) return;
      const last = (await readMoves(disk.database)).at(-1);
      restoredSeq = (last?.seq ?? 0) + 1;
      journal = withSuspicion(disk.journal, restoredSeq);
    },
    ...(isPruned && { prune: createPruning(disk, options.runIds) }),
    close: () => disk.database.close(),
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

/** Reads the moves of all rows in a database. */
export async function readMoves(
  database: Pick<Database, "all" | "build" | "execute">,
): Promise<readonly Move[]> {
  const events = database.build.selectFrom("event").orderBy("seq");
  const query = events.select(["seq", "row_no as row", "from_state as from", "to_state as to"]);
  return await database.execute(database.all(query));
}

/** The journal of a machine that has noticed that it is an older copy. */
const withSuspicion = (journal: FullJournal, restoredSeq: number): FullJournal => ({
  ...journal,
  mustRecheck: async () => true,
  readCopySuspicion: async (runId) => ({
    ...(await journal.readCopySuspicion(runId)),
    restoredSeq,
  }),
});

const DAY_MS = 86_400_000;

/** Time by which the clock of the pruning is ahead. */
const AHEAD_MS = 200 * DAY_MS;

interface PrunedDisk {
  readonly database: MemoryDatabase;
  readonly clock: Clock;
  readonly store: StoreAddress;
  readonly journal: FullJournal;
}

function createPruning(
  { journal, ...opened }: PrunedDisk,
  runIds: readonly string[],
): NonNullable<Disk["prune"]> {
  const runs = createRunRepository(opened);
  const ahead = { now: () => opened.clock.now() + AHEAD_MS, sleep };
  const pruner = createRunPruner({ ...opened, clock: ahead });
  const aheadRuns = createRunRepository({ ...opened, clock: ahead });
  const open = new Set(runIds);
  let rows = 0;
  return async (runId, random) => {
    rows += 1;
    await journal.appendRows(LAST_RUN, [{ row: rows, cells: [], code: null, codeKey: null }]);
    const nothing = { action: null, productId: null, payload: null, changes: [], issues: [] };
    await journal.saveDecisions(LAST_RUN, [{ row: rows, state: "held", ...nothing }]);
    await runs.update(runId, { state: "finished" });
    open.delete(runId);
    // The others are being worked on; one that was left alone for months would lose its rows.
    for (const id of open) await aheadRuns.update(id, { state: "running" });
    await pruner.lookAgain();
    // The rows are kept in the archive or deleted, sometimes only half way.
    const keepMs = random.pick([DAY_MS, 1_000 * DAY_MS]);
    const steps = random.pick([1, 2, 3, 4, 40, 40, 40]);
    for (let step = 0; step < steps; step += 1) {
      if ((await pruner.advance(keepMs)) === undefined) break;
    }
    const entry = opened.database.build.selectFrom("run_archive").select("run_id");
    const found = opened.database.get(entry.where("run_id", "=", runId));
    return opened.database.executeNow(found) !== undefined;
  };
}
