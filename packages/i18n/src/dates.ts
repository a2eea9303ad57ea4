import type { Lang } from "./localized.ts";

/** The zone of the marketplace, in which people read every time, on every machine. */
const MARKET_ZONE = "Europe/Istanbul";

/** British English, because the day stands before the month in Türkiye too. */
const LOCALES = { tr: "tr-TR", en: "en-GB" } as const;

/**
 * Formats a time, in milliseconds since 1970, in both languages. The options are those of
 * `Intl.DateTimeFormat`; without a `timeZone` it is Turkish time.
 */
export function formatDateTime(
  atMs: number,
  lang: Lang,
  options: Intl.DateTimeFormatOptions,
): string {
  return new Intl.DateTimeFormat(LOCALES[lang], { timeZone: MARKET_ZONE, ...options }).format(atMs);
}
