import type { Lang } from "./localized.ts";

/** The zone of the marketplace, in which people read every time, on every machine. */
const MARKET_ZONE = "Europe/Istanbul";

/** British English, because the day stands before the month in Türkiye too. */
const LOCALES = { tr: "tr-TR", en: "en-GB" } as const;

/** Writes 2026-01-31: in English 03/04 is a day of March for some and of April for others. */
const ISO_ORDER = "sv-SE";

/**
 * Formats a time, in milliseconds since 1970, in both languages. The options are those of
 * `Intl.DateTimeFormat`; without a `timeZone` it is Turkish time.
 */
export function formatDateTime(
  atMs: number,
  lang: Lang,
  options: Intl.DateTimeFormatOptions,
): string {
  const locale = lang === "en" && options.dateStyle === "short" ? ISO_ORDER : LOCALES[lang];
  return new Intl.DateTimeFormat(locale, { timeZone: MARKET_ZONE, ...options }).format(atMs);
}
