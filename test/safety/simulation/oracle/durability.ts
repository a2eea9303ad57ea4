/**
 * What a power failure takes from the journal. That depends on how the real database is opened, so
 * the real database is tested.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { openDatabase } from "@catalog/database/testing";
import type { BeforeValueLog, Journal, RowEvent } from "@catalog/runs";
import { createMemoryJournal, type MemoryJournal } from "@catalog/runs/testing";
import { sql } from "kysely";

import type { Random } from "../world/random.ts";
import type { Restoring } from "../world/scenario.ts";

/** A call of the journal that can be repeated on another one. */
interface Commit {
  readonly name: PropertyKey;
  readonly args: readonly unknown[];
}

/** A call with the time of the machine's clock. */
type DatedCommit = Commit & { readonly atMs: number };

/** From `FULL` on, SQLite has a commit on the disk before it returns. */
const FULL = 2;

/** Whether a commit survives a power failure once the database has returned. */
export async function isStoreDurable(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-durability-"));
  try {
    using database = await openDatabase(join(folder, "catalog.db"));
    const query = sql<{ readonly synchronous: number }>`PRAGMA synchronous`;
    const reading = database.get({ compile: () => query.compile(database.build) });
    const level = database.executeNow(reading);
    return (level?.synchronous ?? 0) >= FULL;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A journal with its moves, as far as they are kept. */
export interface DiskJournal extends Journal, BeforeValueLog {
  readonly events: readonly Pick<RowEvent, "row" | "from" | "to">[];
}

/** The disk of a simulated machine, which holds the journal. */
export interface Disk {
  /** The present journal, which changes after a power failure and when a copy is restored. */
  readonly journal: DiskJournal;
  /** Number of restored copies, each of which loses what was written after the copy was made. */
  readonly restored: number;
  /** Records a call of the journal, in order. */
  note(commit: Commit): void;
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
  readonly isDurable: boolean;
  readonly clock: Pick<Clock, "now">;
  /** How a copy is restored, where that happens. */
  readonly restoring: Restoring | undefined;
}

export function createDisk({ isDurable, clock, restoring }: DiskOptions): Disk {
  let replayedMs: number | undefined;
  const open = (): MemoryJournal =>
    createMemoryJournal({ clock: { now: () => replayedMs ?? clock.now() } });
  let journal: DiskJournal = open();
  let commits: readonly DatedCommit[] = [];
  let copied = 0;
  let restored = 0;
  const isKept = !isDurable || restoring !== undefined;

  const replay = async (count: number): Promise<void> => {
    // The copy is never older than the parsed sheets.
    commits = commits.slice(0, Math.max(count, commits.findIndex(isNoSheet)));
    journal = open();
    for (const { atMs, ...commit } of commits) {
      replayedMs = atMs;
      await redo(journal, commit);
    }
    replayedMs = undefined;
  };
  return {
    get journal() {
      return journal;
    },
    get restored() {
      return restored;
    },
    note(commit) {
      if (!isKept || String(commit.name).startsWith("read")) return;
      commits = [...commits, { ...commit, atMs: clock.now() }];
    },
    async losePower(lastCommits) {
      if (!isDurable) await replay(commits.length - lastCommits);
    },
    copy() {
      copied = commits.length;
    },
    async restore() {
      restored += 1;
      await replay(copied);
      if (restoring?.isMarked === true) journal = withSuspicion(journal);
    },
  };
}

/** The journal of a machine that has noticed that it is an older copy. */
function withSuspicion(journal: DiskJournal): DiskJournal {
  const restoredSeq = journal.events.length + 1;
  return {
    ...journal,
    mustRecheck: async () => true,
    readCopySuspicion: async (runId) => ({
      ...(await journal.readCopySuspicion(runId)),
      restoredSeq,
    }),
  };
}

const isNoSheet = ({ name }: Commit): boolean => name !== "appendRows";

async function redo(journal: Journal, { name, args }: Commit): Promise<void> {
  const method: unknown = Reflect.get(journal, name);
  if (typeof method !== "function") return;
  try {
    await Reflect.apply(method, undefined, args);
  } catch {
    // The call failed the first time as well.
  }
}
