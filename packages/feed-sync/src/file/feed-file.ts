/** Finds the file of a feed: the file itself, the newest one of a folder, or a download. */

import { readdirSync, type Stats, statSync } from "node:fs";
import { basename, join } from "node:path";

import { ToolkitError } from "@catalog/connection";

/** What an address answered the last time, so that an unchanged feed is not sent again. */
export interface FeedValidators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** Which feed is wanted, and what is known of it. */
export interface FeedRequest extends FeedValidators {
  readonly address: string;
  readonly signal?: AbortSignal | undefined;
}

/** What an address answered. */
export type FeedAnswer =
  | { readonly kind: "unchanged" }
  | ({
      readonly kind: "fetched";
      /** Where it was put. */
      readonly path: string;
      readonly modifiedMs?: number | undefined;
    } & FeedValidators &
      Disposable);

/** Downloads a feed from an address that strangers may have written. */
export type FeedFetch = (request: FeedRequest) => Promise<FeedAnswer>;

/** A feed's file for as long as it is needed. */
export interface FeedFile extends Disposable {
  readonly path: string;
  /** As people call it. */
  readonly name: string;
  readonly modifiedMs: number | undefined;
  readonly validators: FeedValidators;
  /** Throws `ToolkitError` `E_FEED_CHANGING` when the file is not what it was. */
  assertSame(): void;
}

/** The ends of names that are feeds. */
const FEED_NAME = /\.(?:csv|txt|tsv|xlsx|json|jsonl)$/iu;

/** Names of files that are being written, or belong to a program. */
const PASSING_NAME = /^[.~]|\.(?:tmp|part|crdownload)$/iu;

/** Whether a feed is an address. */
export const isAddress = (feed: string): boolean => /^https?:\/\//iu.test(feed);

/** The file of a path. Throws {@link ToolkitError} `E_FEED_MISSING`. */
export function findFeedFile(path: string): FeedFile {
  const found = statOf(path);
  if (found === undefined) throw new ToolkitError("E_FEED_MISSING", path);
  if (!found.isDirectory()) return toFeedFile(path, found);
  const names = readdirSync(path).filter(
    (name) => FEED_NAME.test(name) && !PASSING_NAME.test(name),
  );
  const files = names.flatMap((name) => {
    const file = join(path, name);
    const stats = statOf(file);
    return stats?.isFile() === true ? [{ file, stats }] : [];
  });
  // Of two of the same moment the name decides, so that it is the same one every time.
  const [newest] = files.toSorted(
    (a, b) => b.stats.mtimeMs - a.stats.mtimeMs || b.file.localeCompare(a.file),
  );
  if (newest === undefined) throw new ToolkitError("E_FEED_MISSING", path);
  return toFeedFile(newest.file, newest.stats);
}

function toFeedFile(path: string, before: Stats): FeedFile {
  return {
    path,
    name: basename(path),
    modifiedMs: before.mtimeMs,
    validators: {},
    assertSame() {
      const now = statOf(path);
      const isSame =
        now?.size === before.size && now.mtimeMs === before.mtimeMs && now.ino === before.ino;
      if (!isSame) throw new ToolkitError("E_FEED_CHANGING", path);
    },
    [Symbol.dispose]: () => undefined,
  };
}

/** The file of an answer; the name is the address without what may be secret in it. */
export function toFetchedFile(
  address: string,
  answer: Extract<FeedAnswer, { readonly kind: "fetched" }>,
): FeedFile {
  const { path, modifiedMs, etag, lastModified } = answer;
  return {
    path,
    name: nameOfAddress(address),
    modifiedMs,
    validators: { etag, lastModified },
    assertSame: () => undefined,
    [Symbol.dispose]: () => answer[Symbol.dispose](),
  };
}

/** An address without its credentials and its query, which may hold a key. */
export function nameOfAddress(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });
