/** What a feed is called: an address may hold a key, which is neither shown nor used as a key. */

import { createHash } from "node:crypto";

/** Whether a feed is an address. */
export const isAddress = (feed: string): boolean => /^https?:\/\//iu.test(feed);

/** An address without its credentials and its query, which may hold a key. */
export function nameOfAddress(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/** The path of a feed, or its address without secrets. */
export const nameOfFeed = (feed: string): string => (isAddress(feed) ? nameOfAddress(feed) : feed);

/** Key of a feed, which reveals nothing of its address. */
export const feedKey = (feed: string): string =>
  createHash("sha256").update(feed).digest("hex").slice(0, 24);
