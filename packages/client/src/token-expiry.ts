/** Reads the answer's `expires_at` as the time until which a new token is taken for valid. */

import { TOKEN_VALIDITY_MS } from "@catalog/contract";

/**
 * Assumed validity of a token whose `expires_at` is missing or implausible. Too short costs an
 * extra request at times; too long costs a refused call.
 */
export const UNKNOWN_VALIDITY_MS: number = 15 * 60 * 1000;

/** Below this a number counts seconds: as milliseconds it would lie before the year 1974. */
const MIN_MILLISECONDS = 1e11;

/** Time zones that a text without one can mean: UTC and Turkish time. */
const LIKELY_ZONES = ["Z", "+03:00"];

/** Maximum difference between a text's reading and the stated validity, for clocks that differ. */
const ZONE_TOLERANCE_MS = 5 * 60 * 1000;

/**
 * Accepts ISO text, and seconds or milliseconds since 1970 as a number or as text. Text without a
 * time zone is taken only where UTC or Turkish time gives the validity that the specification
 * states (section Authentication, 3). The result is later than `now` and at most six hours later.
 */
export function parseTokenExpiry(expiresAt: unknown, now: number): number {
  const timestamp = toTimestampMs(expiresAt) ?? toStatedTimestampMs(expiresAt, now);
  if (timestamp === undefined || !(timestamp > now)) return now + UNKNOWN_VALIDITY_MS;
  return Math.min(timestamp, now + TOKEN_VALIDITY_MS);
}

function toTimestampMs(value: unknown): number | undefined {
  if (typeof value === "number") return value < MIN_MILLISECONDS ? value * 1000 : value;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return toTimestampMs(Number(text));
  return /\d(?:Z|[+-]\d\d:?\d\d)$/u.test(text) ? Date.parse(text) : undefined;
}

/**
 * Reads a text without a time zone in the zone that gives the stated validity, because it is hours
 * off in any other.
 */
function toStatedTimestampMs(value: unknown, now: number): number | undefined {
  if (typeof value !== "string") return undefined;
  const stated = now + TOKEN_VALIDITY_MS;
  return LIKELY_ZONES.map((zone) => Date.parse(value.trim().replace(" ", "T") + zone)).find(
    (timestamp) => Math.abs(timestamp - stated) <= ZONE_TOLERANCE_MS,
  );
}
