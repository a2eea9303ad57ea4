/** Moments as people give and read them, in Türkiye, which keeps one time all year round. */

// With "type" inside the braces the whole contract would be loaded.
import type { Moment } from "@catalog/contract";

const OFFSET_MS = 3 * 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Below it a number counts seconds, from it on milliseconds: the year 5138 and 1973. */
const LEAST_MS = 100_000_000_000;

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?)?$/u;

/**
 * Milliseconds since 1970 of a moment in an answer, whose format is not stated: seconds,
 * milliseconds, ISO text, or text without a zone, which is taken for Türkiye's.
 */
export function readMoment(moment: Moment | null | undefined): number | undefined {
  if (moment === null || moment === undefined || moment === "") return undefined;
  const number = typeof moment === "number" ? moment : Number(moment);
  if (Number.isFinite(number)) return number < LEAST_MS ? number * 1000 : number;
  const text = String(moment).trim();
  const local = parseLocal(text);
  if (local !== undefined) return local;
  const parsed = Date.parse(text);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** `2026-01-31 09:05:00` in Türkiye; what is no moment stays as it is. */
export function formatMoment(moment: Moment | null | undefined): string | null {
  const ms = readMoment(moment);
  if (ms === undefined) return moment === null || moment === undefined ? null : String(moment);
  return new Date(ms + OFFSET_MS).toISOString().slice(0, 19).replace("T", " ");
}

/** `09:05` in Türkiye. */
export const formatTime = (ms: number): string =>
  new Date(ms + OFFSET_MS).toISOString().slice(11, 16);

/**
 * What a person typed: a day, or a day with a time, both of Türkiye unless a zone is written. A day
 * alone means its first second, or its last one where a period ends with it. Nothing for any other
 * text.
 */
export function parseTypedMoment(text: string, edge: "start" | "end"): number | undefined {
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
  // A 31st of February would be read as a day in March.
  const isReal = !Number.isNaN(utc) && new Date(utc).toISOString() === written;
  return isReal ? utc - OFFSET_MS : undefined;
}
