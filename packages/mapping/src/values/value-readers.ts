/** Reads dates, addresses of images and the closed lists with the words of a platform. */

import type {
  Currency,
  DiscountType,
  ProductCondition,
  WarrantyPeriod,
  WarrantyType,
} from "@catalog/contract";

import { accept, type Reading, refuse } from "../issues/issue.ts";
import type { PlatformWords } from "../platforms/platform.ts";
import {
  createKeywordReader,
  type KeywordReader,
  type RowAction,
  VALUE_KEYWORDS,
  type ValueKeyword,
} from "./keywords.ts";

/** A time that a text can mean. */
interface ReadTime {
  /** In milliseconds since 1970; without a zone the text is in Turkish time. */
  readonly atMs: number;
  /** Whether it is the beginning of a day, as programs write a day. */
  readonly isDay: boolean;
}

interface Day {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ,](.*))?$/u;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?:[T ,](.*))?$/u;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AP]M)?\s*(Z|[+-]\d{2}:?\d{2})?/iu;

/**
 * Every time that a text can mean; none for a text that is no date. Which number of `3/5/24` is the
 * month, nothing says, so that it means two.
 */
export function readTimes(text: string): readonly ReadTime[] {
  const [, year = "", month = "", day = "", time = ""] = YEAR_FIRST.exec(text) ?? [];
  if (year !== "") return toTimes([{ year, month, day }], time);
  const last = YEAR_LAST.exec(text);
  return last === null ? [] : readYearLast(last);
}

function readYearLast([
  ,
  a = "",
  sign,
  b = "",
  digits = "",
  time = "",
]: RegExpExecArray): readonly ReadTime[] {
  const year = digits.length === 2 ? `20${digits}` : digits;
  const days = [{ year, month: b, day: a }];
  // With points or dashes the day stands first wherever they are written.
  if (sign === "/" && a !== b) days.push({ year, month: a, day: b });
  return toTimes(days, time);
}

function toTimes(days: readonly Day[], time: string): readonly ReadTime[] {
  const clock = readClock(time.replace(/^[T ,]+/u, ""));
  return days.flatMap(({ year, month, day }) => {
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
    if (!isReal || clock === undefined) return [];
    const atMs = date.getTime() + (clock.minutes - clock.offsetMinutes) * 60_000;
    return [{ atMs, isDay: clock.minutes === 0 }];
  });
}

interface ClockTime {
  readonly minutes: number;
  readonly offsetMinutes: number;
}

const TURKISH_OFFSET_MINUTES = 180;

/** `undefined` for a text that is no time; midnight for an empty one. */
function readClock(text: string): ClockTime | undefined {
  if (text === "") return { minutes: 0, offsetMinutes: TURKISH_OFFSET_MINUTES };
  const [, hour = "", minute = "", , half = "", zone = ""] = TIME.exec(text) ?? [];
  if (hour === "") return undefined;
  const hours = half === "" ? Number(hour) : (Number(hour) % 12) + (/^p/iu.test(half) ? 12 : 0);
  return { minutes: hours * 60 + Number(minute), offsetMinutes: readOffset(zone) };
}

/** No zone is further from the meridian; some feeds write an end of the day in its place. */
const MAX_OFFSET_MINUTES = 14 * 60;

function readOffset(zone: string): number {
  if (zone === "") return TURKISH_OFFSET_MINUTES;
  if (/^z$/iu.test(zone)) return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/u.exec(zone) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > MAX_OFFSET_MINUTES) return TURKISH_OFFSET_MINUTES;
  return sign === "-" ? -offset : offset;
}

const FILE_NAME = /^[^:]*\.(?:jpe?g|png|webp|gif|bmp|avif|tiff?|heic)$/iu;
const LOCAL_PATH = /^(?:file:|[a-z]:[\\/]|[\\/])/iu;
/**
 * Fast path for the addresses of nearly every cell, which a URL parser cannot refuse: a host of
 * plain letters that is neither encoded nor ends like a number, and a path.
 */
const PLAIN_ADDRESS = /^https:\/\/[a-z0-9]+(?:[.-][a-z0-9]+)*\.[a-z]{2,}\/[\w./~-]*$/u;
/** An address without its beginning, as browsers show it. */
const WITHOUT_SCHEME = /^www\.(?:[^\s:/.]+\.)+[^\s:/.]+\/\S+$/iu;
/** One address; several of them cannot be corrected in one step. */
const ONE_ADDRESS = /^http(s?):\/\/([^\s/]+\/(?:(?!https?:).)*)$/iu;
const SEPARATORS = /[;|\r\n]+/u;
/** An address may hold commas and a file name blanks, so these divide only before an address. */
const BEFORE_ADDRESS = /(?<![;|,\s])[;|,\s]+(?=https?:\/\/)/iu;
const AT_THE_ENDS = /^[;|,\s]+|(?<![;|,\s])[;|,\s]+$/gu;

/**
 * Reads one address of an image. Only its form is checked, not whether it can be reached; an
 * address inside a private network passes.
 */
export function parseImageAddress(text: string): Reading<string> {
  if (PLAIN_ADDRESS.test(text)) return accept(text);
  if (LOCAL_PATH.test(text)) return refuse("E_PATH");
  const fault = findFault(text);
  if (fault !== undefined) return refuse(fault.text, { address: fault.address });
  if (FILE_NAME.test(text)) return refuse("E_IMAGE_FILE");
  // A URL parser takes a cell with two addresses for one valid URL.
  const isOne = !/\s/u.test(text) && !/[;|,]https?:/iu.test(text);
  const url = isOne && /^https:\/\//iu.test(text) ? URL.parse(text) : null;
  return url === null || url.hostname === "" ? refuse("E_IMAGE_URL") : accept(text);
}

/** What is wrong with an address, and the address without it. */
interface AddressFault {
  readonly text: "E_IMAGE_URL.scheme" | "E_IMAGE_URL.http" | "E_IMAGE_URL.blank";
  readonly address: string;
}

function findFault(text: string): AddressFault | undefined {
  if (WITHOUT_SCHEME.test(text)) return { text: "E_IMAGE_URL.scheme", address: `https://${text}` };
  const [, secure, rest = ""] = ONE_ADDRESS.exec(text) ?? [];
  const address = `https://${rest.replaceAll(/\s/gu, "%20")}`;
  if (rest === "" || URL.parse(address) === null) return undefined;
  if (secure === "") return { text: "E_IMAGE_URL.http", address };
  return /\s/u.test(rest) ? { text: "E_IMAGE_URL.blank", address } : undefined;
}

/**
 * The address without its fault: with the beginning that it lacks, `https` for `http`, `%20` for a
 * blank; `undefined` for a text with another fault or none.
 */
export const completeImageAddress = (text: string): string | undefined => findFault(text)?.address;

/** Whether a text is the name of an image file rather than an address. */
export function isImageFile(text: string): boolean {
  return FILE_NAME.test(text) && !LOCAL_PATH.test(text) && !WITHOUT_SCHEME.test(text);
}

/**
 * Splits a cell of several images at `;`, `|` and line breaks, and at commas and blanks before an
 * address.
 */
export function splitImageAddresses(text: string): readonly string[] {
  return text.split(SEPARATORS).flatMap((part) => splitBeforeAddresses(part));
}

/** Splits a cell of one image where further addresses follow, whatever divides them. */
export function splitBeforeAddresses(text: string): readonly string[] {
  if (PLAIN_ADDRESS.test(text)) return [text];
  return text
    .split(BEFORE_ADDRESS)
    .map((part) => part.replaceAll(AT_THE_ENDS, ""))
    .filter((part) => part !== "");
}

/** A reader for each closed list that a row can hold. */
export interface ValueReaders {
  readonly action: KeywordReader<RowAction>;
  readonly currency: KeywordReader<Currency>;
  readonly warrantyType: KeywordReader<WarrantyType>;
  readonly warrantyPeriod: KeywordReader<WarrantyPeriod>;
  readonly discountType: KeywordReader<DiscountType>;
  readonly condition: KeywordReader<ProductCondition>;
  readonly yesNo: KeywordReader<boolean>;
}

/** Adds the words of a platform for each value to its keywords. */
const withWords = <Value extends string | number>(
  keywords: readonly ValueKeyword<Value>[],
  words: Readonly<Partial<Record<Value, readonly string[]>>> | undefined,
): readonly ValueKeyword<Value>[] =>
  keywords.map((keyword) => ({
    ...keyword,
    also: [...keyword.also, ...(words?.[keyword.value] ?? [])],
  }));

/** Creates the readers of all closed lists, which know the words of a platform as well. */
export function createValueReaders(words: PlatformWords = {}): ValueReaders {
  return {
    action: createKeywordReader(VALUE_KEYWORDS.action),
    currency: createKeywordReader(VALUE_KEYWORDS.currency),
    warrantyType: createKeywordReader(VALUE_KEYWORDS.warranty_type),
    warrantyPeriod: createKeywordReader(VALUE_KEYWORDS.warranty_period),
    discountType: createKeywordReader(withWords(VALUE_KEYWORDS.discount_type, words.discountType)),
    condition: createKeywordReader(withWords(VALUE_KEYWORDS.condition, words.condition)),
    yesNo: createKeywordReader(VALUE_KEYWORDS.yes_no),
  };
}
