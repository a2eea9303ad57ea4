/** What is said of a code that the store does not show, in a file that cannot add products. */

import type { Localized } from "@catalog/i18n";
import { type FieldKey, findField } from "@catalog/mapping";

const MAX_NAMED = 4;

/** The texts about the code; `missing` are the fields that a new product needs. */
export function describeAbsent(
  code: string,
  missing: readonly FieldKey[],
): { readonly message: Localized; readonly suggestion: Localized } {
  const headers = missing.flatMap((key) => findField(key)?.header ?? []);
  const more = headers.length - MAX_NAMED;
  const named = (lang: keyof Localized): string =>
    headers
      .slice(0, MAX_NAMED)
      .map((header) => `“${header[lang]}”`)
      .join(", ");
  return {
    message: {
      tr: `Mağazanın son okunan ürünleri arasında “${code}” kodlu ürün yok.`,
      en: `No product with the code “${code}” is among those of the store that were read last.`,
    },
    suggestion: {
      tr: `Kodu kontrol edin. Ürün yeniyse eklenemez: dosyada ${named("tr")}${more > 0 ? ` ve ${more} sütun daha` : ""} yok. Bu alanlara Sütunlar adımında bütün satırlar için bir değer verebilirsiniz. Önizleme mağazaya yeniden bakar.`,
      en: `Check the code. A new product cannot be added: the file lacks ${named("en")}${more > 0 ? ` and ${more} more columns` : ""}. In the step Columns you can give these fields a value for all rows. The preview asks the store again.`,
    },
  };
}
