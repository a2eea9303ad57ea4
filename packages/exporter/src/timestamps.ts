/** Times as people type and read them, in the zone of Türkiye, which has no summer time. */

// `import { type … }` would load the whole contract at run time.
import type { Moment } from "@catalog/contract";

const OFFSET_MS = 3 * 60 * 60 * 1000;
const OFFSET = "+03:00";
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * A smaller number is in seconds, a larger one in milliseconds; as seconds the limit is the year
 * 5138, as milliseconds 1973.
 */
const MIN_MS = 100_000_000_000;

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?)?$/u;

/**
 * Parses a time of an answer, whose format is not stated, to milliseconds since 1970: seconds,
 * milliseconds, ISO text, or text without a zone, which is read as Turkish time.
 */
export function readTimestamp(value: Moment | null | undefined): number | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const number = typeof value === "number" ? value : Number(value);
  if (Number.isFinite(number)) return number < MIN_MS ? number * 1000 : number;
  const text = String(value).trim();
  const local = parseLocal(text);
  if (local !== undefined) return local;
  const parsed = Date.parse(text);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/**
 * How an export writes a time in Türkiye: `local` is `2026-01-31 09:05:00`, for cells of a workbook,
 * which have no zone; `offset` appends `+03:00`, and `iso` has a `T` in between as well.
 */
export type MomentFormat = "local" | "offset" | "iso";

/** Formats a time in Türkiye; a value that is no time stays as it is. */
export function formatTimestamp(
  value: Moment | null | undefined,
  format: MomentFormat,
): string | null {
  const ms = readTimestamp(value);
  if (ms === undefined) return value === null || value === undefined ? null : String(value);
  const iso = new Date(ms + OFFSET_MS).toISOString().slice(0, 19);
  const text = format === "iso" ? iso : iso.replace("T", " ");
  return format === "local" ? text : `${text}${OFFSET}`;
}

/** Formats a time as `09:05` in Türkiye. */
export const formatTime = (ms: number): string =>
  new Date(ms + OFFSET_MS).toISOString().slice(11, 16);

/**
 * Parses a day, or a day with a time, in the zone of Türkiye unless another is written. A day alone
 * is its first second, or its last one where a period ends with it. `undefined` for any other text.
 */
export function parseTypedTimestamp(text: string, edge: "start" | "end"): number | undefined {
  const trimmed = text.trim();
  const local = parseLocal(trimmed);
  if (local !== undefined) {
    return edge === "end" && trimmed.length === "2026-01-31".length ? local + DAY_MS - 1000 : local;
  }
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/u.test(trimmed))
    return undefined;
  const parsed = Date.parse(trimmed.replace(" ", "T"));
  return Number.isNaN(parsed) ? undefined : parsed;
}

function parseLocal(text: string): number | undefined {
  const found = LOCAL.exec(text);
  if (found === null) return undefined;
  const [year, month, day, hour = "00", minute = "00", second = "00"] = found.slice(1);
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const utc = Date.parse(written);
  // `Date.UTC` would read a 31st of February as a day in March.
  const isReal = !Number.isNaN(utc) && new Date(utc).toISOString() === written;
  return isReal ? utc - OFFSET_MS : undefined;
}
