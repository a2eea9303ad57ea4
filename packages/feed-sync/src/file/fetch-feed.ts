/** Fetches the file of a feed from a path or an address. */

import { CatalogError } from "@catalog/connection";

import { isAddress, nameOfAddress } from "../feed-name.ts";
import {
  type FeedFetch,
  type FeedFile,
  type FeedRequest,
  type FeedValidators,
  findFeedFile,
  toFetchedFile,
} from "./feed-file.ts";

export interface FetchFeedOptions {
  readonly feed: string;
  readonly fetch?: FeedFetch | undefined;
  readonly stop?: AbortSignal | undefined;
  readonly onRetry?: FeedRequest["onRetry"];
}

export type FetchedFeed =
  | { readonly kind: "unchanged" }
  | { readonly kind: "file"; readonly file: FeedFile };

/**
 * `known` are the validators of the last accepted feed, where fetching it again would change
 * nothing. Throws {@link CatalogError} `E_FEED_MISSING` or `E_FEED_ADDRESS`.
 */
export async function fetchFeed(
  { feed, fetch, stop: signal, onRetry }: FetchFeedOptions,
  known: FeedValidators | undefined,
): Promise<FetchedFeed> {
  if (!isAddress(feed)) return { kind: "file", file: findFeedFile(feed) };
  if (fetch === undefined) throw new CatalogError("E_FEED_ADDRESS", nameOfAddress(feed));
  const { etag, lastModified } = known ?? {};
  const answer = await fetch({ address: feed, etag, lastModified, signal, onRetry });
  if (answer.kind === "unchanged") return answer;
  return { kind: "file", file: toFetchedFile(feed, answer) };
}
