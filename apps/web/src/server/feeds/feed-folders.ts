/** The folders and files of this computer among which a person chooses a feed. */

import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, sep } from "node:path";

import type { Connection } from "@catalog/connection";
import { isFeedName } from "@catalog/feed-sync";

import type { FolderEntry, FolderView } from "../../api/feeds.ts";
import { noFolder } from "./feed-refusals.ts";

/** Files that are shown of a folder. */
const MAX_ENTRIES = 500;

/** Runs of the history in which files are looked for, and files that are proposed. */
const MAX_RUNS = 100;
const MAX_RECENT = 5;

export interface ReadFolderOptions {
  /** Absolute path; empty for the folder of the file that was used last. */
  readonly folder: string;
  /** Where a person begins who has used no file yet. */
  readonly home: string;
  /** Folder of the page, whose files are copies. */
  readonly own: string;
}

/** Lists a folder. Throws `RequestError` 400 `E_FOLDER` for one that cannot be read. */
export async function readFolder(
  connection: Connection,
  { folder: asked, home, own }: ReadFolderOptions,
): Promise<FolderView> {
  const recent = await listRecent(connection, own);
  const [last] = recent;
  const folder = asked === "" ? (last === undefined ? home : dirname(last)) : asked;
  if (!isAbsolute(folder)) throw noFolder(folder);
  const parent = dirname(folder);
  return {
    folder,
    parent: parent === folder ? null : parent,
    entries: listEntries(folder),
    recent: recent.map((path) => ({ name: basename(path), path })),
  };
}

function listEntries(folder: string): readonly FolderEntry[] {
  const entries = readNames(folder).flatMap((entry) => toEntry(folder, entry) ?? []);
  const collator = new Intl.Collator("tr", { numeric: true });
  return entries
    .toSorted((a, b) => Number(b.isFolder) - Number(a.isFolder) || collator.compare(a.name, b.name))
    .slice(0, MAX_ENTRIES);
}

function readNames(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw noFolder(folder, error);
  }
}

/** A link counts as what it leads to; what cannot be looked at is left out. */
function toEntry(folder: string, { name }: Dirent): FolderEntry | undefined {
  if (name.startsWith(".")) return undefined;
  const path = join(folder, name);
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return { name, path, isFolder: true, at: null };
    if (!stats.isFile() || !isFeedName(name)) return undefined;
    return { name, path, isFolder: false, at: stats.mtime.toISOString() };
  } catch {
    // The file is gone, or a link leads nowhere.
    return undefined;
  }
}

/** The files of schedules and of the history, the newest first. */
async function listRecent({ memory, runs }: Connection, own: string): Promise<readonly string[]> {
  const schedules = await memory.schedules.list();
  const paths = [
    ...schedules.toReversed().map(({ feed }) => feed),
    ...(await runs.list(MAX_RUNS)).map(({ file }) => file.path),
  ];
  const isUsable = (path: string): boolean =>
    isAbsolute(path) && !path.startsWith(join(own, sep)) && existsSync(path);
  return [...new Set(paths)].filter(isUsable).slice(0, MAX_RECENT);
}
