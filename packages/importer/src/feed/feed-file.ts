/**
 * Finds or downloads the file of a feed: the file itself, the newest of a folder, or an address. It calls
 * public addresses and named private servers only.
 */

import { mkdtempSync, readdirSync, rmSync, type Stats, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import type { Clock } from "@catalog/clock";
import { CatalogError } from "@catalog/connection";
import { bareAddress, isAddress, isTableFileName } from "@catalog/i18n";
import {
  downloadFile,
  type DownloadLimits,
  type DownloadRetry,
  FetchError,
  type FindLogin,
  loginRules,
} from "@catalog/images";

import { toRefusedDownload } from "../file/open-table.ts";

/** Cache validators of the last answer, by which an address says that its feed has not changed. */
export interface FeedValidators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** A feed to fetch, and what is known of it. */
interface FeedRequest extends FeedValidators {
  readonly address: string;
  readonly signal?: AbortSignal | undefined;
  /** Called before the wait for another attempt. */
  readonly onRetry?: ((retry: DownloadRetry) => void) | undefined;
}

/** Answer of an address. */
type FeedAnswer =
  | { readonly kind: "unchanged" }
  | ({
      readonly kind: "fetched";
      /** Path of the downloaded file. */
      readonly path: string;
      readonly modifiedMs?: number | undefined;
    } & FeedValidators &
      Disposable);

/** Downloads a feed from an untrusted address. */
export type FeedFetch = (request: FeedRequest) => Promise<FeedAnswer>;

/** The file of a feed while it is in use. */
export interface FeedFile extends Disposable {
  readonly path: string;
  /** Name for people. */
  readonly name: string;
  readonly modifiedMs: number | undefined;
  readonly validators: FeedValidators;
  /** Throws `CatalogError` `E_FEED_CHANGING` when the file has changed since it was opened. */
  assertSame(): void;
}

/** Throws {@link CatalogError} `E_FEED_MISSING` for a path without a feed; calls no address. */
export function assertFeedExists(feed: string): void {
  if (!isAddress(feed)) findFeedFile(feed);
}

/**
 * Throws {@link CatalogError} `E_FEED_ADDRESS` for an address that must not be stored, as it has a
 * password in it, or that is none. A path is not looked at.
 */
export function assertFeedAddress(feed: string): void {
  if (!isAddress(feed)) return;
  try {
    loginRules.scopeOf(feed);
  } catch (error) {
    throw error instanceof FetchError ? new CatalogError("E_FEED_ADDRESS", error.localized) : error;
  }
}

/** Finds the file of a path. Throws {@link CatalogError} `E_FEED_MISSING`. */
export function findFeedFile(path: string): FeedFile {
  const found = statOf(path);
  if (found === undefined) throw new CatalogError("E_FEED_MISSING", path);
  if (!found.isDirectory()) return toFeedFile(path, found);
  const names = readdirSync(path).filter(isTableFileName);
  const files = names.flatMap((name) => {
    const file = join(path, name);
    const stats = statOf(file);
    return stats?.isFile() === true ? [{ file, stats }] : [];
  });
  // Of files with equal times the name decides, so that the choice is the same every time.
  const [newest] = files.toSorted(
    (a, b) => b.stats.mtimeMs - a.stats.mtimeMs || b.file.localeCompare(a.file),
  );
  if (newest === undefined) throw new CatalogError("E_FEED_MISSING", path);
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
      if (!isSame) throw new CatalogError("E_FEED_CHANGING", path);
    },
    [Symbol.dispose]: () => undefined,
  };
}

/** The downloaded file; its name is the address without its secret parts. */
function toFetchedFile(
  address: string,
  answer: Extract<FeedAnswer, { readonly kind: "fetched" }>,
): FeedFile {
  const { path, modifiedMs, etag, lastModified } = answer;
  return {
    path,
    name: bareAddress(address),
    modifiedMs,
    validators: { etag, lastModified },
    assertSame: () => undefined,
    [Symbol.dispose]: () => answer[Symbol.dispose](),
  };
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

interface FetchFeedOptions {
  readonly feed: string;
  readonly fetch?: FeedFetch | undefined;
  readonly stop?: AbortSignal | undefined;
  readonly onRetry?: FeedRequest["onRetry"];
}

type FetchedFeed =
  | { readonly kind: "unchanged" }
  | { readonly kind: "file"; readonly file: FeedFile };

/**
 * `known` are the validators of the last accepted feed, where fetching it again would change
 * nothing. Throws {@link CatalogError} `E_FEED_MISSING`, `E_FEED_ADDRESS` or `E_DOWNLOAD_LOGIN`.
 */
export async function fetchFeed(
  { feed, fetch, stop: signal, onRetry }: FetchFeedOptions,
  known: FeedValidators | undefined,
): Promise<FetchedFeed> {
  if (!isAddress(feed)) return { kind: "file", file: findFeedFile(feed) };
  if (fetch === undefined) throw new CatalogError("E_FEED_ADDRESS", bareAddress(feed));
  const { etag, lastModified } = known ?? {};
  const answer = await fetch({ address: feed, etag, lastModified, signal, onRetry });
  if (answer.kind === "unchanged") return answer;
  return { kind: "file", file: toFetchedFile(feed, answer) };
}

interface FeedFetchOptions {
  readonly clock: Clock;
  /** Private servers that are allowed, as `host` or `host:port`. */
  readonly allowHosts: readonly string[];
  readonly limits?: Partial<DownloadLimits> | undefined;
  /** @default no login is sent */
  readonly findLogin?: FindLogin | undefined;
  /** Maximum number of further attempts where the server or the connection fails. @default 3 */
  readonly retries?: number | undefined;
}

const NOT_MODIFIED = 304;

/**
 * Creates the download of feeds from addresses. It throws {@link CatalogError} `E_FEED_ADDRESS` or
 * `E_DOWNLOAD_LOGIN`; an interrupted download fails and is never taken for a short feed.
 */
export function createFeedFetch(options: FeedFetchOptions): FeedFetch {
  return async (request) => {
    const folder = mkdtempSync(join(tmpdir(), "catalog-feed-"));
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    try {
      const path = join(folder, "feed");
      const answer = await downloadFile({ ...options, ...request, path });
      const { status, etag, lastModified } = answer;
      if (status === NOT_MODIFIED) {
        remove();
        return { kind: "unchanged" };
      }
      const modifiedMs = lastModified === undefined ? Number.NaN : Date.parse(lastModified);
      const known = Number.isFinite(modifiedMs) ? { modifiedMs } : {};
      return { kind: "fetched", path, etag, lastModified, ...known, [Symbol.dispose]: remove };
    } catch (error) {
      remove();
      if (!(error instanceof FetchError)) throw error;
      throw toRefusedDownload(error, { address: request.address, code: "E_FEED_ADDRESS" });
    }
  };
}
