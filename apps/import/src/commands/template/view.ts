/** Formats what `catalog template` has written, for people. */

import type { TextView } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import type { Lang } from "@catalog/i18n";
import type { MadeTemplate } from "@catalog/importer";

import { textsFor } from "../../shared/texts.ts";

export const TEMPLATE_TEXTS = {
  tr: {
    written: "Şablon",
    lists: "Listeler",
    noModels: "Çok fazla marka olduğu için model listesi eklenmedi; modeli elle yazın.",
    general:
      "Mağaza ayarları olmadığı için genel şablon yazıldı: kategori, marka ve teslimat listeleri yok. Listeler için önce: catalog login",
  },
  en: {
    written: "Template",
    lists: "Lists",
    noModels: "There are too many brands for a list of models; type the model yourself.",
    general:
      "There are no settings of a store, so this is the general template, without lists of categories, brands and shipping templates. For those, first: catalog login",
  },
} as const;

const LABEL_WIDTH = 11;

/** Formats the path of the workbook and its lists of choices. */
export function formatMade(
  { path, lists, lacksModels }: MadeTemplate,
  lang: Lang,
  { shown = String, outColumns: columns = Infinity }: TextView,
): string {
  const texts = TEMPLATE_TEXTS[lang];
  const line = (label: string, text: string): string =>
    `${wrapText(`${label.padEnd(LABEL_WIDTH)} ${shown(text)}`, { columns, indent: LABEL_WIDTH + 1 })}\n`;
  const counted = lists.map(
    ({ column, count }) => `${column.replace(/ \*$/u, "")} (${textsFor(lang).number(count)})`,
  );
  return [
    line(texts.written, path),
    line(texts.lists, counted.join(", ")),
    lacksModels ? line("", texts.noModels) : "",
  ].join("");
}
