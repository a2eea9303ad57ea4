/** The answer's `expires_at` -> the moment until which a new token is believed to be valid. */

import { TOKEN_VALIDITY_MS } from "@catalog/contract";

/**
 * Validity of a token whose `expires_at` is missing or cannot be right. Too short costs a request
 * now and then; too long costs a refused call.
 */
export const UNKNOWN_VALIDITY_MS: number = 15 * 60 * 1000;

/** Below it a number counts seconds: as milliseconds it would lie in the year 1973. */
const LEAST_MILLISECONDS = 1e11;

/**
 * Accepts ISO text with a time zone, and seconds or milliseconds since 1970 as a number or as text.
 * The result is later than `now` and at most six hours later.
 */
export function parseTokenExpiry(expiresAt: unknown, now: number): number {
  const moment = toMoment(expiresAt);
  if (moment === undefined || !(moment > now)) return now + UNKNOWN_VALIDITY_MS;
  return Math.min(moment, now + TOKEN_VALIDITY_MS);
}

function toMoment(value: unknown): number | undefined {
  if (typeof value === "number") return value < LEAST_MILLISECONDS ? value * 1000 : value;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return toMoment(Number(text));
  // Without a zone the text is hours off, depending on whose clock wrote it.
  return /\d(?:Z|[+-]\d\d:?\d\d)$/u.test(text) ? Date.parse(text) : undefined;
}
