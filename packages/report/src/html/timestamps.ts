/** Times are Turkish on every machine. */

import type { Lang } from "@catalog/i18n";

const TURKISH_OFFSET_MS = 3 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;

const toLocal = (ms: number): string => new Date(ms + TURKISH_OFFSET_MS).toISOString();

/** Formats day and time as an element, as the language writes them. */
export function formatTimestamp(ms: number, lang: Lang): string {
  const local = toLocal(ms);
  const day = local.slice(0, 10);
  const time = local.slice(11, 16);
  const text =
    lang === "tr" ? `${day.split("-").toReversed().join(".")} ${time}` : `${day} ${time} UTC+3`;
  return `<time datetime="${new Date(ms).toISOString()}">${text}</time>`;
}

/** Formats the time of a minute, which is counted from 1970. */
export const formatClock = (minute: number): string => toLocal(minute * MINUTE_MS).slice(11, 16);
