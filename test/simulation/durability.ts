/**
 * What a power failure takes from the journal. That depends on how the real store opens its file,
 * so the real store is asked.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Journal } from "@catalog/runs";
import { createMemoryJournal, type MemoryJournal } from "@catalog/runs/testing";
import { openDatabase } from "@catalog/store";
import { sql } from "kysely";

/** A call of the journal, to be done again on another one. */
interface Commit {
  readonly name: PropertyKey;
  readonly args: readonly unknown[];
}

/** From `FULL` on, SQLite has a commit on the disk before it says so. */
const FULL = 2;

/** Whether a commit survives a power failure as soon as the store has said that it is written. */
export async function isStoreDurable(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-durability-"));
  try {
    using database = await openDatabase(join(folder, "catalog.db"));
    const query = sql<{ readonly synchronous: number }>`PRAGMA synchronous`;
    const level = database.get({ compile: () => query.compile(database.build) });
    return (level?.synchronous ?? 0) >= FULL;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The disk of a simulated machine, with the journal on it. */
export interface Disk {
  /** Another one after a power failure. */
  readonly journal: MemoryJournal;
  /** Told of every call of the journal, in order. */
  note(commit: Commit): void;
  /** The machine stops; the last commits are gone if nothing had made sure of them. */
  losePower(lastCommits: number): Promise<void>;
}

export interface DiskOptions {
  readonly isDurable: boolean;
  readonly journal: Parameters<typeof createMemoryJournal>[0];
}

export function createDisk(options: DiskOptions): Disk {
  let journal = createMemoryJournal(options.journal);
  let commits: readonly Commit[] = [];
  return {
    get journal() {
      return journal;
    },
    note(commit) {
      if (options.isDurable || String(commit.name).startsWith("read")) return;
      commits = [...commits, commit];
    },
    async losePower(lastCommits) {
      if (options.isDurable) return;
      // The sheets were read long before.
      const kept = Math.max(commits.length - lastCommits, commits.findIndex(isNoSheet));
      commits = commits.slice(0, kept);
      journal = createMemoryJournal(options.journal);
      for (const commit of commits) await redo(journal, commit);
    },
  };
}

const isNoSheet = ({ name }: Commit): boolean => name !== "appendRows";

async function redo(journal: Journal, { name, args }: Commit): Promise<void> {
  const method: unknown = Reflect.get(journal, name);
  if (typeof method !== "function") return;
  try {
    await Reflect.apply(method, undefined, args);
  } catch {
    // It was refused the first time as well.
  }
}
