/** The journal in memory, for tests and simulated worlds: the real one, on a database in memory. */

import { DatabaseSync } from "node:sqlite";

import type { Clock } from "@catalog/clock";
import type { Journal, RowEvent, RowKey, VerificationLog, RunRepository } from "@catalog/runs";

import { createJournal } from "../journal/journal.ts";
import type { InFlightMarkers } from "../journal/markers.ts";
import { createRunRepository } from "../repositories/runs.ts";
import { createVerificationLog } from "../repositories/verification-log.ts";
import type { FileDatabase, StoreAddress } from "../sql/database.ts";
import { fromJson } from "../sql/queries.ts";
import { openFile } from "../sqlite/file.ts";
import { createDatabase } from "../sqlite/sqlite.ts";

type NewRun = Parameters<RunRepository["create"]>[0];

const PATH = ":memory:";

/** A store, and the runs that exist in it. */
export interface MemoryDatabaseOptions {
  readonly store: StoreAddress;
  readonly runs: readonly NewRun[];
  /** When the runs were created, in milliseconds. @default 0 */
  readonly createdAtMs?: number;
  /** What another such database held. @default the runs without rows */
  readonly image?: Uint8Array | undefined;
}

/** A database in memory, of which copies can be made. */
export interface MemoryDatabase extends FileDatabase {
  serialize(): Uint8Array;
}

/** Databases without rows, of which a copy takes less time than making their tables. */
const images = new Map<string, Uint8Array>();

/** Opens a database in memory. */
export async function openMemoryDatabase({
  image,
  ...empty
}: MemoryDatabaseOptions): Promise<MemoryDatabase> {
  const key = JSON.stringify(empty);
  const isKnown = image !== undefined || images.has(key);
  if (!isKnown) images.set(key, await createImage(empty));
  const sqlite = new DatabaseSync(PATH);
  sqlite.deserialize(image ?? images.get(key) ?? new Uint8Array());
  sqlite.exec("PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY");
  return { ...createDatabase(PATH, sqlite, {}), serialize: () => sqlite.serialize() };
}

async function createImage({
  store,
  runs,
  createdAtMs = 0,
}: MemoryDatabaseOptions): Promise<Uint8Array> {
  const sqlite = openFile(PATH);
  using database = createDatabase(PATH, sqlite, {});
  const clock = { now: () => createdAtMs, sleep: doNotSleep };
  const repository = createRunRepository({ database, clock, store });
  for (const run of runs) await repository.create(run);
  // Small pages make a small copy.
  sqlite.exec("PRAGMA page_size=1024; VACUUM");
  return sqlite.serialize();
}

const doNotSleep = (): Promise<void> => Promise.reject(new Error("a database does not wait"));

/** Markers in memory, which a test can lose as a restart of the machine does. */
export interface MemoryMarkers extends InFlightMarkers {
  /** The machine is started anew, so that a missing marker proves nothing. */
  restart(): void;
}

const toText = ({ runId, row }: RowKey): string => `${runId} ${row}`;

export function createMemoryMarkers(): MemoryMarkers {
  const marked = new Map<string, RowKey>();
  let isStarted = false;
  return {
    write: ({ runId, row }) => void marked.set(toText({ runId, row }), { runId, row }),
    readUnsent: () => (key) => isStarted && !marked.has(toText(key)),
    readMarked: () => [...marked.values()],
    clear() {
      marked.clear();
      isStarted = true;
    },
    restart() {
      marked.clear();
      isStarted = false;
    },
  };
}

/** The clock and the runs of a memory journal. */
export interface MemoryJournalOptions {
  /** @default a clock that stays at 0 */
  readonly clock?: Pick<Clock, "now">;
  /** Runs that exist. @default r-0, r-1 and r-2 */
  readonly runs?: readonly string[];
}

/** A journal that a test can inspect; it includes the log of overwritten values. */
export interface MemoryJournal extends Journal, Pick<VerificationLog, "readBefore" | "saveBefore"> {
  /** Every move of every row, in order. */
  readonly events: readonly RowEvent[];
}

const STORE = { baseUrl: "https://marketplace.test", storeId: "store-1" };

const RUN: Omit<NewRun, "id"> = {
  command: "import",
  file: { path: "", name: "", sha256: "", kind: "csv", sheet: "", headerRow: 1, header: [] },
  mode: "upsert",
  lang: "tr",
  reportDir: "",
  warnings: [],
};

/** Opens the empty journal of one store. */
export async function openMemoryJournal({
  clock = { now: () => 0 },
  runs = ["r-0", "r-1", "r-2"],
}: MemoryJournalOptions = {}): Promise<MemoryJournal> {
  const existing = runs.map((id) => ({ ...RUN, id }));
  const database = await openMemoryDatabase({ store: STORE, runs: existing });
  const markers = createMemoryMarkers();
  const now = (): number => clock.now();
  const opened = { database, clock: { now, sleep: doNotSleep }, store: STORE, markers };
  // As the first process of a store does before it sends anything.
  markers.clear();
  const log = createVerificationLog(opened);
  return {
    ...createJournal(opened),
    readBefore: (...asked) => log.readBefore(...asked),
    saveBefore: (...values) => log.saveBefore(...values),
    get events() {
      return readEvents(database);
    },
  };
}

function readEvents(database: FileDatabase): readonly RowEvent[] {
  const events = database.build.selectFrom("event").selectAll().orderBy("seq");
  return database.executeNow(database.all(events)).map((event) => ({
    seq: event.seq,
    runId: event.run_id,
    row: event.row_no,
    from: event.from_state,
    to: event.to_state,
    cause: event.cause,
    evidence: fromJson(event.evidence_json),
    atMs: event.at_ms,
  }));
}
