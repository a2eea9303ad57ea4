/** Products that are at hand already, in the columns of an export, as a workbook of one sheet. */

import { type Connection, createNameLists } from "@catalog/connection";
import { InputError, type Lang } from "@catalog/i18n";
import { createNameIndexes } from "@catalog/mapping";
import type { PriceUnit } from "@catalog/runs";
import { SHEET_MAX, streamXlsx } from "@catalog/sheets";

import { headerOf, type OutColumn, type TableStyle, toReadingOrder } from "./columns/out-column.ts";
import { createProductColumns, type ListedProduct } from "./columns/product-columns.ts";
import { isMoney, toSheetColumn } from "./write-table.ts";

/** Products, and how they are written. */
export interface ProductSheetOptions {
  /** Absolute path of the file. */
  readonly path: string;
  readonly lang: Lang;
  readonly products: AsyncIterable<ListedProduct>;
  /** Keys of the columns besides the product's id, which is always there. */
  readonly columns: readonly string[];
  /** Unit of the listed prices. */
  readonly priceUnit: PriceUnit;
  readonly signal?: AbortSignal | undefined;
}

const SHEET_NAMES: Readonly<Record<Lang, string>> = { tr: "Ürünler", en: "Products" };

/**
 * Writes the products, one a row below the header. Prices stay empty while their unit is not known.
 * Throws {@link InputError} for a key that no column has.
 */
export async function writeProductSheet(
  connection: Pick<Connection, "client" | "baseUrl"> & {
    readonly memory: Pick<Connection["memory"], "names">;
  },
  { path, lang, products, columns: keys, priceUnit, signal }: ProductSheetOptions,
): Promise<void> {
  const { client, baseUrl, memory } = connection;
  const names = createNameLists({ client, cache: memory.names, baseUrl, signal });
  const templates = keys.includes("shipping_template")
    ? await createNameIndexes(names).templates()
    : undefined;
  const all = createProductColumns({
    priceUnit,
    templateLabel(id) {
      const found = templates?.items.find((each) => each.id === id);
      return found && templates?.textOf(found);
    },
    onTooLong: () => undefined,
  });
  const columns = toReadingOrder(pickColumns(all, keys));
  const style: TableStyle = {
    lang,
    isForPrograms: false,
    moments: "local",
    maxChars: SHEET_MAX.cellChars,
  };
  const frozen = columns.findIndex(({ place }) => place !== "first");
  await streamXlsx({
    path,
    sheets: [
      {
        name: SHEET_NAMES[lang],
        columns: columns.map((column) => toSheetColumn(column, headerOf(column, lang))),
        frozenColumns: Math.max(frozen, 0),
        rows: (async function* eachRow() {
          for await (const item of products) {
            yield columns.map((column) => {
              const cell = column.cell(item, style);
              return typeof cell === "number" && isMoney(column, item) ? { amount: cell } : cell;
            });
          }
        })(),
      },
    ],
  });
}

/** In the order of the export, whatever the order of the keys. */
function pickColumns<Item>(
  all: readonly OutColumn<Item>[],
  keys: readonly string[],
): readonly OutColumn<Item>[] {
  const unknown = keys.filter((key) => !all.some((column) => column.key === key));
  if (unknown.length > 0) {
    const list = unknown.join(", ");
    throw new InputError({
      tr: `Böyle bir sütun yok: ${list}.`,
      en: `There is no such column: ${list}.`,
    });
  }
  return all.filter(({ key }) => key === "product_id" || keys.includes(key));
}
