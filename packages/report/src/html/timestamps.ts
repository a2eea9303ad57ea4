/** Times are Turkish on every machine. */

const TURKISH_OFFSET_MS = 3 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;

const toLocal = (ms: number): string => new Date(ms + TURKISH_OFFSET_MS).toISOString();

/** Formats day and time as an element. */
export function formatTimestamp(ms: number): string {
  const local = toLocal(ms);
  const text = `${local.slice(0, 10)} ${local.slice(11, 16)} UTC+3`;
  return `<time datetime="${new Date(ms).toISOString()}">${text}</time>`;
}

/** Formats the time of a minute, which is counted from 1970. */
export const formatClock = (minute: number): string => toLocal(minute * MINUTE_MS).slice(11, 16);
