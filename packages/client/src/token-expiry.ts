/** The answer's `expires_at` -> the moment until which a new token is believed to be valid. */

import { TOKEN_VALIDITY_MS } from "@catalog/contract";

/**
 * Validity of a token whose `expires_at` is missing or cannot be right. Too short costs a request
 * now and then; too long costs a refused call.
 */
export const UNKNOWN_VALIDITY_MS: number = 15 * 60 * 1000;

/** Below it a number counts seconds: as milliseconds it would lie in the year 1973. */
const LEAST_MILLISECONDS = 1e11;

/** Zones in which a text without one may be meant: UTC and Turkish time. */
const LIKELY_ZONES = ["Z", "+03:00"];

/** How far a text's reading may lie from the stated validity, for clocks that differ. */
const ZONE_TOLERANCE_MS = 5 * 60 * 1000;

/**
 * Accepts ISO text, and seconds or milliseconds since 1970 as a number or as text. Text without a
 * time zone counts only where UTC or Turkish time makes it the validity that the specification
 * states. The result is later than `now` and at most six hours later.
 */
export function parseTokenExpiry(expiresAt: unknown, now: number): number {
  const moment = toMoment(expiresAt) ?? toStatedMoment(expiresAt, now);
  if (moment === undefined || !(moment > now)) return now + UNKNOWN_VALIDITY_MS;
  return Math.min(moment, now + TOKEN_VALIDITY_MS);
}

function toMoment(value: unknown): number | undefined {
  if (typeof value === "number") return value < LEAST_MILLISECONDS ? value * 1000 : value;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return toMoment(Number(text));
  return /\d(?:Z|[+-]\d\d:?\d\d)$/u.test(text) ? Date.parse(text) : undefined;
}

/** Without a zone a text is hours off, depending on whose clock wrote it; one reading may fit. */
function toStatedMoment(value: unknown, now: number): number | undefined {
  if (typeof value !== "string") return undefined;
  const stated = now + TOKEN_VALIDITY_MS;
  return LIKELY_ZONES.map((zone) => Date.parse(value.trim().replace(" ", "T") + zone)).find(
    (moment) => Math.abs(moment - stated) <= ZONE_TOLERANCE_MS,
  );
}
