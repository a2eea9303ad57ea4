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

/** Days and times in names: `2026-11-27`, `27.11.2026`, `20261127T0945`, seconds or ms since 1970. */
const DATES = [
  /(?<!\d)(?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2}(?:[T_ -]?\d{2}[-_.:]?\d{2}(?:[-_.:]?\d{2})?)?(?!\d)/gu,
  /(?<!\d)\d{2}[-_.]\d{2}[-_.](?:19|20)\d{2}(?!\d)/gu,
  /(?<!\d)1\d{9}(?:\d{3})?(?!\d)/gu,
] as const;

const withoutDates = (feed: string): string =>
  DATES.reduce((text, date) => text.replaceAll(date, "#"), feed);

/**
 * Key of a feed, which reveals nothing of its address. A file whose name has the day in it, such as
 * `stock-2026-11-27.csv`, is the feed of yesterday's file; `stock-1.csv` and `stock-2.csv` are two.
 */
export const feedKey = (feed: string): string => hashName(withoutDates(feed));

/** Key of any text. */
export const hashName = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 24);
