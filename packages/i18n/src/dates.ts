import { type Lang } from "./localized.ts";

/** British in English, since days stand before months in Türkiye too. */
const LOCALES = { tr: "tr-TR", en: "en-GB" } as const;

/**
 * A moment, in milliseconds since 1970, as each language writes it. The options are those of
 * `Intl.DateTimeFormat`; without a `timeZone` the machine's is taken.
 */
export function formatDateTime(
  atMs: number,
  lang: Lang,
  options: Intl.DateTimeFormatOptions,
): string {
  return new Intl.DateTimeFormat(LOCALES[lang], options).format(atMs);
}
