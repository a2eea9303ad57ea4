/** What a feed is called: an address may hold a key, which is neither shown nor used as a key. */

import { createHash } from "node:crypto";

import { bareAddress, isAddress } from "@catalog/i18n";

/** The path of a feed, or its address without secrets. */
export const nameOfFeed = (feed: string): string => (isAddress(feed) ? bareAddress(feed) : feed);

const DAY = "(?:0[1-9]|[12]\\d|3[01])";
const MONTH = "(?:0[1-9]|1[0-2])";
const YEAR = "(?:19|20)\\d{2}";
const MONTH_NAME =
  "(?:oca|şub|sub|mar|nis|may|haz|tem|ağu|agu|eyl|eki|kas|ara|jan|feb|apr|jun|jul|aug|sep|oct|nov|dec)\\p{L}*";
const WEEKDAY =
  "(?:pazartesi|salı|sali|çarşamba|carsamba|perşembe|persembe|cuma|cumartesi|pazar|(?:mon|tues|wednes|thurs|fri|satur|sun)day)";
const TIME = "(?:[T_ -]?\\d{2}[-_.:]?\\d{2}(?:[-_.:]?\\d{2})?)?";

/**
 * Days and times in names, the longest first: `2026-11-27`, `20261127T0945`, `27.11.2026`,
 * `27112026`, `261127`, `271126`, `27-11`, `27Kas2026`, `nov-27`, `cuma`, and seconds or
 * milliseconds since 1970. A number of a version, as in `stok_v13`, counts as well.
 */
const DATES: readonly RegExp[] = [
  `(?<!\\d)${YEAR}[-_.]?\\d{2}[-_.]?\\d{2}${TIME}(?!\\d)`,
  `(?<!\\d)${DAY}[-_.]?${MONTH}[-_.]?${YEAR}${TIME}(?!\\d)`,
  "(?<!\\d)1\\d{9}(?:\\d{3})?(?!\\d)",
  `(?<!\\d)\\d{1,2}[-_. ]?${MONTH_NAME}(?:[-_. ]?\\d{2,4})?(?!\\d)`,
  `(?<!\\p{L})${MONTH_NAME}[-_. ]?\\d{1,2}(?:[-_. ]+\\d{2,4})?(?!\\d)`,
  `(?<!\\d)[23]\\d${MONTH}${DAY}(?!\\d)`,
  `(?<!\\d)${DAY}${MONTH}[23]\\d(?!\\d)`,
  `(?<!\\d)${DAY}[-_.]${MONTH}(?:[-_.][23]\\d)?(?!\\d)`,
  `(?<!\\p{L})${WEEKDAY}(?!\\p{L})`,
  "(?<=[-_ ])v\\d{1,4}(?=\\.[a-z]+$)",
].map((pattern) => new RegExp(pattern, "giu"));

/** What browsers and file managers add to the name of another copy: `stok (2)`, `stok - Kopya`. */
const COPY = / - (?:kopya|copy)(?=[ .(])| ?\(\d{1,4}\)(?=\.[a-z]+$)/giu;

const withoutDates = (feed: string): string =>
  DATES.reduce((text, date) => text.replaceAll(date, "#"), feed.replaceAll(COPY, ""));

/**
 * Key of a feed, which reveals nothing of its address. A file whose name has the day in it, such as
 * `stock-2026-11-27.csv`, is the feed of yesterday's file; `stock-1.csv` and `stock-2.csv` are two.
 */
export const feedKey = (feed: string): string => hashName(withoutDates(feed));

/** Key of any text. */
export const hashName = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 24);
