/** Files of chosen products, from what the list has of them: no call is made for their values. */

import type { Connection } from "@catalog/connection";
import { writeProductFile } from "@catalog/exporter/product-sheet";
import { formatDateTime, formatNumber, type Lang, type Localized } from "@catalog/i18n";

import {
  PRODUCT_STATUSES,
  type ProductExportBody,
  type ProductSelection,
} from "../../api/products.ts";
import type { ExportView } from "../../api/work.ts";
import { plainText } from "../plain-advice.ts";
import type { Exports } from "../work/exports.ts";
import { type StoreList, toStoreSelection } from "./product-list.ts";

interface ExportTools {
  readonly connection: Connection;
  readonly list: StoreList;
  readonly exports: Exports;
  readonly describe: (error: unknown) => { readonly code: string; readonly message: Localized };
}

/** Starts to write the file, which the list of exports then holds. */
export async function exportProducts(
  { connection, list, exports, describe }: ExportTools,
  { products, format, columns }: ProductExportBody,
  lang: Lang,
): Promise<ExportView> {
  const { total, priceUnit, readAtMs } = await list.state();
  const made = { kind: "products", format, text: describeChoice(products, lang) } as const;
  return exports.startHere(made, lang, (path) => {
    const stop = new AbortController();
    const { signal } = stop;
    let oldestMs = Infinity;
    async function* toItems() {
      for await (const some of list.selected(toStoreSelection(products))) {
        signal.throwIfAborted();
        for (const { product, status: shown, atMs } of some) {
          oldestMs = Math.min(oldestMs, atMs);
          yield { product, status: PRODUCT_STATUSES.find((each) => each === shown) ?? "passive" };
        }
      }
    }
    const write = async () => {
      try {
        const { rows, warnings } = await writeProductFile(connection, {
          path,
          lang,
          format,
          columns,
          products: toItems(),
          count: "numbers" in products ? products.numbers.length : total,
          priceUnit,
          remarks: readAtMs === null ? [] : [describeAge(readAtMs)[lang]],
          signal,
        });
        const age = rows === 0 ? [] : [describeAge(oldestMs)[lang]];
        const notes = [...age, ...warnings.map((warning) => plainText(warning[lang]))];
        return { rows, notes, problem: null };
      } catch (error) {
        const { code, message } = describe(error);
        return { rows: null, notes: [], problem: { code, message: plainText(message[lang]) } };
      }
    };
    return { ended: write(), stop: () => stop.abort(new Error("the export was removed")) };
  });
}

/** Such as `Ürünler · 12 seçilen`. */
function describeChoice(products: ProductSelection, lang: Lang): string {
  const [kind, chosen, found] =
    lang === "tr" ? ["Ürünler", "seçilen", "süzülen"] : ["Products", "chosen", "filtered"];
  return "numbers" in products
    ? `${kind} · ${formatNumber(products.numbers.length, lang)} ${chosen}`
    : `${kind} · ${found}`;
}

const describeAge = (atMs: number): Localized => {
  const at = (lang: Lang): string =>
    formatDateTime(atMs, lang, { dateStyle: "short", timeStyle: "short" });
  return {
    tr: `Değerler mağazadan ${at("tr")} tarihinde ya da sonra okundu.`,
    en: `The values were read from the store on ${at("en")} or later.`,
  };
};
