/** Downloads feeds from public addresses and from named private servers only. */

import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { CatalogError } from "@catalog/connection";
import {
  type DownloadLimits,
  FetchError,
  fileDownloadLimits,
  openGuardedFetch,
  retryDownload,
} from "@catalog/images";
import type { ReadLimits } from "@catalog/sheets";

import { nameOfAddress } from "../feed-name.ts";
import type { FeedFetch, FeedRequest } from "./feed-file.ts";

/** Limits of the file of a feed. */
export type FeedLimits = ReadLimits & DownloadLimits;

export interface FeedFetchOptions {
  readonly clock: Clock;
  /** Private servers that are allowed, as `host` or `host:port`. */
  readonly allowHosts: readonly string[];
  readonly limits?: Partial<DownloadLimits> | undefined;
  /** Maximum number of further attempts where the server or the connection fails. @default 3 */
  readonly retries?: number | undefined;
}

const NOT_MODIFIED = 304;

/**
 * Creates the download of feeds from addresses. It throws {@link CatalogError} `E_FEED_ADDRESS`; an
 * interrupted download fails and is never taken for a short feed.
 */
export function createFeedFetch(options: FeedFetchOptions): FeedFetch {
  const { clock, allowHosts, retries } = options;
  const limits = fileDownloadLimits(options.limits);
  return async (request) => {
    const folder = mkdtempSync(join(tmpdir(), "catalog-feed-"));
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    try {
      const path = join(folder, "feed");
      const attempt = async (totalMs: number): ReturnType<typeof download> => {
        await using guarded = openGuardedFetch({
          clock,
          allowHosts,
          limits: { ...limits, totalMs },
        });
        return await download(guarded, request, path);
      };
      const { totalMs } = limits;
      const { signal, onRetry } = request;
      const retry = { clock, totalMs, retries, signal, onRetry };
      const { status, etag, lastModified } = await retryDownload(attempt, retry);
      if (status === NOT_MODIFIED) {
        remove();
        return { kind: "unchanged" };
      }
      const modifiedMs = lastModified === undefined ? Number.NaN : Date.parse(lastModified);
      const known = Number.isFinite(modifiedMs) ? { modifiedMs } : {};
      return { kind: "fetched", path, etag, lastModified, ...known, [Symbol.dispose]: remove };
    } catch (error) {
      remove();
      throw toFeedError(error, request.address);
    }
  };
}

async function download(
  guarded: ReturnType<typeof openGuardedFetch>,
  { address, etag, lastModified, signal }: FeedRequest,
  path: string,
): ReturnType<typeof guarded.fetch> {
  const file = createWriteStream(path, { mode: 0o600 });
  const failed = Promise.withResolvers<never>();
  file.on("error", failed.reject);
  const write = (chunk: Uint8Array): Promise<void> => {
    const written = Promise.withResolvers<void>();
    file.write(chunk, () => written.resolve());
    return Promise.race([written.promise, failed.promise]);
  };
  try {
    return await guarded.fetch(address, { etag, lastModified, signal, onChunk: write });
  } finally {
    const ended = Promise.withResolvers<void>();
    file.end(() => ended.resolve());
    await Promise.race([ended.promise, failed.promise]);
  }
}

/** The query of an address may hold a key, so it is left out of messages. */
function toFeedError(error: unknown, address: string): unknown {
  if (!(error instanceof FetchError)) return error;
  const { search } = new URL(address);
  const describe = (words: string): string =>
    `${nameOfAddress(address)}. ${search === "" ? words : words.replaceAll(search, "")}`;
  const { tr, en } = error.localized;
  return new CatalogError("E_FEED_ADDRESS", { tr: describe(tr), en: describe(en) });
}
