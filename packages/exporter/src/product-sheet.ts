/**
 * Products that are at hand already, in the columns of an export: as a workbook of one sheet that a
 * draft reads, or as a file of any format that a person gets.
 */

import { type Connection, createNameLists } from "@catalog/connection";
import { InputError, type Lang, type Localized } from "@catalog/i18n";
import { createNameIndexes } from "@catalog/mapping";
import type { PriceUnit } from "@catalog/runs";
import { streamXlsx } from "@catalog/sheets";

import { chooseColumns } from "./columns/choose-columns.ts";
import { headerOf, type OutColumn, toReadingOrder } from "./columns/out-column.ts";
import {
  createProductColumns,
  FURTHER_PRODUCT_COLUMNS,
  type ListedProduct,
} from "./columns/product-columns.ts";
import type { ExportFormat } from "./kinds.ts";
import { PRICE_UNIT_UNKNOWN, warnOfCuts, warnOfTooLong } from "./sources/source.ts";
import { isMoney, toSheetColumn, toStyle, writeTable } from "./write-table.ts";

/** Products, and how they are written. */
interface ProductSheetOptions {
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
  connection: NameTools,
  { path, lang, products, columns: keys, priceUnit, signal }: ProductSheetOptions,
): Promise<void> {
  const isWanted = (key: string): boolean => keys.includes(key);
  const all = await openColumns(connection, { priceUnit, isWanted, signal });
  const columns = toReadingOrder(pickColumns(all, keys));
  const style = toStyle(lang, "xlsx");
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

type NameTools = Pick<Connection, "client" | "baseUrl"> & {
  readonly memory: Pick<Connection["memory"], "names">;
};

interface OpenColumnsOptions {
  readonly priceUnit: PriceUnit;
  readonly isWanted: (key: string) => boolean;
  readonly signal: AbortSignal | undefined;
  /** Called with each text that an import would refuse. @default it is not counted */
  readonly onTooLong?: () => void;
}

/** The columns of an export; the names of shipping templates are read where they are wanted. */
async function openColumns(
  { client, baseUrl, memory }: NameTools,
  { priceUnit, isWanted, signal, onTooLong = () => undefined }: OpenColumnsOptions,
): Promise<readonly OutColumn<ListedProduct>[]> {
  const names = createNameLists({ client, cache: memory.names, baseUrl, signal });
  const templates = isWanted("shipping_template")
    ? await createNameIndexes(names).templates()
    : undefined;
  return createProductColumns({
    priceUnit,
    templateLabel(id) {
      const found = templates?.items.find((each) => each.id === id);
      return found && templates?.textOf(found);
    },
    onTooLong,
  });
}

/** Products, and the file that a person gets of them. */
interface ProductFileOptions extends ProductSheetOptions {
  readonly format: ExportFormat;
  /** Keys of the columns in their order; none for all that an import reads. */
  readonly columns: readonly string[];
  /** Number of the products at most. */
  readonly count: number;
  /** Lines that explain the table. */
  readonly remarks: readonly string[];
}

/** Writes the products as an export would, from what is at hand. */
export async function writeProductFile(
  connection: NameTools,
  options: ProductFileOptions,
): Promise<{ readonly rows: number; readonly warnings: readonly Localized[] }> {
  const { path, lang, format, products, columns: keys, priceUnit, count, signal } = options;
  const isWanted = (key: string): boolean => keys.length === 0 || keys.includes(key);
  let longTexts = 0;
  const onTooLong = (): void => void (longTexts += 1);
  const known = await openColumns(connection, { priceUnit, isWanted, signal, onTooLong });
  const columns =
    keys.length === 0 ? known : chooseColumns([...known, ...FURTHER_PRODUCT_COLUMNS], keys);
  const lacksUnit = priceUnit === "unknown" && ["price", "discount_value"].some(isWanted);
  const remarks = [...options.remarks, ...(lacksUnit ? [PRICE_UNIT_UNKNOWN[lang]] : [])];
  const written = await writeTable(
    { name: SHEET_NAMES[lang], columns, items: products, count, isOrdered: keys.length > 0 },
    {
      path,
      format,
      decimal: lang === "tr" ? "comma" : "point",
      style: toStyle(lang, format),
      remarks,
    },
  );
  return {
    rows: written.rows,
    warnings: [
      ...(lacksUnit ? [PRICE_UNIT_UNKNOWN] : []),
      ...(longTexts > 0 ? [warnOfTooLong(longTexts)] : []),
      ...warnOfCuts(written.cutTexts),
    ],
  };
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
