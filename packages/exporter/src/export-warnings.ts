/** Warnings about a finished export. */

import type { Localized } from "@catalog/i18n";

import type { ListingsEnd } from "./read-listings.ts";

/** Says how many texts a workbook could not hold. */
export const warnOfCuts = (count: number): readonly Localized[] =>
  count === 0
    ? []
    : [
        {
          tr: `${count} metin bir Excel hücresine sığmadı; sonu kesildi ve yerine … kondu. Tamamı için --format csv kullanın.`,
          en: `${count} texts do not fit a cell of Excel; their ends were cut off and … put there. Use --format csv to have them whole.`,
        },
      ];

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
      tr: `Pazaryeri ${missing} kayıt daha olduğunu söylüyor, ama listelerde göstermedi. Dışa aktarmayı daha sonra yineleyin.`,
      en: `The marketplace states ${missing} more records than its listings showed, on two readings. Export again later.`,
    },
  ];
}
