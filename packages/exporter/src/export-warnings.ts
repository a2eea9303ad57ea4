/** Warnings about a finished export. */

import { formatDateTime, formatNumber, type Lang, type Localized } from "@catalog/i18n";

import type { ListingsEnd } from "./read-listings.ts";
import type { ExportPeriod } from "./sources/source.ts";

const day = (ms: number, lang: Lang): string => formatDateTime(ms, lang, { dateStyle: "short" });

/** Says which days the file holds. */
export function describePeriod({ fromMs, toMs }: ExportPeriod): Localized {
  if (fromMs === undefined) {
    return {
      tr: `Bütün siparişler, ${day(toMs, "tr")} gününe kadar.`,
      en: `All orders, up to ${day(toMs, "en")}.`,
    };
  }
  return {
    tr: `${day(fromMs, "tr")} ile ${day(toMs, "tr")} arasındaki siparişler.`,
    en: `Orders from ${day(fromMs, "en")} to ${day(toMs, "en")}.`,
  };
}

/** Names the codes and ids that were asked for and that no product has. */
export function warnOfUnknown(names: readonly string[]): readonly Localized[] {
  if (names.length === 0) return [];
  const shown = names
    .slice(0, MAX_NAMES)
    .map((name) => `“${name}”`)
    .join(", ");
  const more = names.length - MAX_NAMES;
  const [tr, en] = [formatNumber(more, "tr"), formatNumber(more, "en")];
  return [
    {
      tr: `Mağazada bu kod ya da kimlikte bir ürün yok: ${shown}${more > 0 ? ` ve ${tr} tane daha` : ""}.`,
      en: `No product of the store has this code or id: ${shown}${more > 0 ? ` and ${en} more` : ""}.`,
    },
  ];
}

/** More names than these are no help. */
const MAX_NAMES = 5;

/** Says how many texts a workbook could not hold. */
export const warnOfCuts = (count: number): readonly Localized[] =>
  count === 0
    ? []
    : [
        {
          tr: `${formatNumber(count, "tr")} metin bir Excel hücresine sığmadı; sonu kesildi ve yerine … kondu. Tamamı için --format csv kullanın.`,
          en: `${plural(count, "text does", "texts do")} not fit a cell of Excel; the end was cut off and … put there. Use --format csv to have the whole.`,
        },
      ];

/** Says how many texts were left out of a table that can be imported. */
export const warnOfTooLong = (count: number): Localized => ({
  tr: `${formatNumber(count, "tr")} metin bir Excel hücresine sığmadı ve boş bırakıldı (içe aktarma boş hücreyi olduğu gibi bırakır). Tamamı için --format csv kullanın.`,
  en: `${plural(count, "text does", "texts do")} not fit a cell of Excel and ${count === 1 ? "was" : "were"} left empty (an import leaves empty cells as they are). Use --format csv to have the whole.`,
});

const plural = (count: number, one: string, many: string): string =>
  `${formatNumber(count, "en")} ${count === 1 ? one : many}`;

/** Says what may be missing from the file. */
export function warnOfMissing({
  missing,
  isChecked,
  isConsistent,
}: ListingsEnd): readonly Localized[] {
  if (!isChecked) {
    return [
      {
        tr: "Pazaryerinin verdiği toplam sayı tutarsız; eksik satır olup olmadığı bununla denetlenemedi.",
        en: "The totals that the marketplace states cannot be right, so they could not be used to check for missing rows.",
      },
    ];
  }
  if (!isConsistent) {
    return [
      {
        tr: "Mağaza okunurken sürekli değişti; eksik satır olup olmadığı denetlenemedi. Daha sakin bir saatte yineleyin.",
        en: "The store kept changing while it was read, so it could not be checked for missing rows. Export again at a quieter hour.",
      },
    ];
  }
  if (missing === 0) return [];
  return [
    {
      tr: `Pazaryeri ${formatNumber(missing, "tr")} kayıt daha olduğunu söylüyor, ama listelerde göstermedi. Dışa aktarmayı daha sonra yineleyin.`,
      en: `The marketplace states ${plural(missing, "more record", "more records")} than its listings showed, on two readings. Export again later.`,
    },
  ];
}
