/** Formats durations in each language, in seconds, minutes or hours. */

import type { Lang } from "./localized.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Names of hours, minutes and seconds. */
const UNITS: Readonly<Record<Lang, readonly [hours: string, minutes: string, seconds: string]>> = {
  tr: ["sa", "dk", "sn"],
  en: ["h", "min", "s"],
};

/** Formats a duration, such as `1 sa 5 dk`, `12 dk` or `90 sn`; minutes are rounded up. */
export function formatDuration(seconds: number, lang: Lang): string {
  const [h, m, s] = UNITS[lang];
  const minutes = Math.ceil(seconds / MINUTE);
  if (seconds >= HOUR) return `${Math.floor(minutes / 60)} ${h} ${minutes % 60} ${m}`;
  if (seconds >= 2 * MINUTE) return `${minutes} ${m}`;
  return `${seconds} ${s}`;
}
