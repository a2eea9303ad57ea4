/** What is known of the files that one other platform writes: data only, one profile per platform. */

import type { DiscountType, ProductCondition } from "@catalog/contract";

import type { FieldKey } from "../fields/fields.ts";
import type { NamedCurrency } from "../fields/other-headers.ts";
import { headerKey, withoutParents } from "../text-keys.ts";

/** The mark at the end of a pattern that stands for all headers that begin like it. */
export const REST = "…";

const toStart = (text: string): string => text.trim().normalize("NFKC").toLocaleLowerCase("tr");

/** Looks values up by header. */
export interface HeaderTable<Value> {
  /** The value of the header itself. */
  find(header: string): Value | undefined;
  /** The value of the header, or for one of a record's parents that of the record's own. */
  findAny(header: string): Value | undefined;
}

/**
 * Makes a table of header patterns. A header is compared by its header key, a pattern that ends
 * with `…` by its beginning; of two patterns for one header the first counts.
 */
export function createHeaderTable<Value>(
  entries: Iterable<readonly [pattern: string, value: Value]>,
): HeaderTable<Value> {
  const whole = new Map<string, Value>();
  const starts: (readonly [start: string, value: Value])[] = [];
  for (const [pattern, value] of entries) {
    const key = headerKey(pattern);
    if (pattern.endsWith(REST)) starts.push([toStart(pattern.slice(0, -REST.length)), value]);
    else if (!whole.has(key)) whole.set(key, value);
  }
  const find = (header: string): Value | undefined => {
    const exact = whole.get(headerKey(header));
    if (exact !== undefined || starts.length === 0) return exact;
    const text = toStart(header);
    return starts.find(([start]) => text.startsWith(start))?.[1];
  };
  return {
    find,
    findAny(header) {
      const own = withoutParents(header);
      return find(header) ?? (own === undefined ? undefined : find(own));
    },
  };
}

/**
 * Indexes of the columns with these headers, in the order of the sheet: those of a record itself, or
 * else those of its parents.
 */
export function findHeaders(
  columns: readonly { readonly header: string; readonly index: number }[],
  patterns: readonly string[],
): readonly number[] {
  const table = createHeaderTable(patterns.map((pattern) => [pattern, true]));
  const own = columns.filter(({ header }) => table.find(header));
  const found = own.length > 0 ? own : columns.filter(({ header }) => table.findAny(header));
  return found.map(({ index }) => index);
}

/**
 * A field of a platform's file. `sale_price` is the price that the buyer pays while it is filled
 * in; `price` is then the one that is struck out. `amount_off` and `percent_off` are discounts of
 * which a row gives one.
 */
export type PlatformField = FieldKey | keyof typeof DISCOUNTS;

/** The kinds of discounts that platforms have columns for. */
export const DISCOUNTS = { amount_off: 1, percent_off: 2, sale_price: 3 } as const;

/** Headers by field; of several columns in one file the first that is not empty is used. */
export type PlatformFields = Readonly<Partial<Record<PlatformField, readonly string[]>>>;

/** A column whose content makes the meaning of another one uncertain, so that a person is asked. */
export interface PlatformDoubt {
  /** The field whose column is asked about. */
  readonly field: FieldKey;
  /** Headers of the columns that decide. */
  readonly when: readonly string[];
  /**
   * `filled`: any cell holds something. `no`: any cell says no, such as `0` or `Hayır`. `not-no`: any
   * filled cell says something else.
   */
  readonly is: "filled" | "no" | "not-no";
}

/**
 * How the rows of a product with variants stand in the files of a platform. Each variant becomes a
 * product of its own.
 */
export interface VariantLayout {
  readonly rows: GroupedRows | ReferringRows | WholeRows;
  /** Headers of the columns of options, in their order, each with its spellings. */
  readonly options: readonly (readonly string[])[];
  /** A text that stands for a product without options. */
  readonly noOption?: string;
  /** Columns that say something about the rows of a product; no call takes them. */
  readonly others: readonly string[];
}

/** A column that says whether the product of a row is on sale on the platform. */
interface PlatformStatus {
  /** Headers of the column in its spellings. */
  readonly headers: readonly string[];
  /** Its values for a product that is not on sale. */
  readonly unpublished: readonly string[];
}

/** Words of a platform for the values of closed lists, by the value that they mean. */
export interface PlatformWords {
  readonly condition?: Readonly<Partial<Record<ProductCondition, readonly string[]>>>;
  readonly discountType?: Readonly<Partial<Record<DiscountType, readonly string[]>>>;
}

/** Columns of dates between which the reduced price of a row is valid. */
export interface PlatformSalePeriod {
  readonly starts?: readonly string[];
  readonly ends?: readonly string[];
  /** Columns of both dates with a slash between. */
  readonly spans?: readonly string[];
}

/** Columns that say whether the prices of a row include tax. */
interface PlatformTax {
  /** Headers of the column that says no where they do not. */
  readonly included: readonly string[];
  /** Headers of the rate; where it is 0, the price is the same with tax. */
  readonly rate: readonly string[];
}

/** Columns of a listing whose one row has all variations of a product. */
interface PlatformListings {
  /** Headers that are filled in for a listing with variations. */
  readonly variations: readonly string[];
  /** What stands between the codes of the variations. */
  readonly separator: string;
}

/**
 * What is known of the nested data of a platform, XML or JSON. Headers of a record's parents may be
 * written with `../` before them; without it they stand for the record's own as well.
 */
export interface NestedLayout {
  /**
   * Ends of the paths of its records. Where a file has several, one within another is that of the
   * variants; a product without variants is a record by itself.
   */
  readonly records: readonly string[];
  /** Headers of the options of a variant, in their order, each with its spellings. @default none */
  readonly options?: readonly (readonly string[])[];
  /** A text that stands for a product without options. */
  readonly noOption?: string;
  /** Headers that mean their field in most documents only, also where they do in all sheets. */
  readonly unsure?: PlatformFields;
  /** Headers of prices of a variant beside which that of its product is asked about. */
  readonly ownPrice?: readonly string[];
}

/** How a platform writes stocks that are no number, or none at all. */
export interface PlatformStock {
  /** Headers of the column that says only whether there is any stock. @default there is none */
  readonly state?: readonly string[];
  /** Its words for none, in lower case. @default there are none */
  readonly none?: readonly string[];
  /**
   * Headers of the column that names who counts the stock. Where its cell is empty nobody does, and
   * the platform writes 0. @default there is none
   */
  readonly tracker?: readonly string[];
  /** The text of a stock that a variant shares with its parent row. @default there is none */
  readonly shared?: string;
}

/**
 * Each row has all values of its product, so that it takes nothing from other rows. Its options tell
 * its title apart from theirs.
 */
export interface WholeRows {
  readonly kind: "whole";
  /** The column that tells products from parents, which are sold through other rows. */
  readonly type?: { readonly headers: readonly string[]; readonly parents: readonly string[] };
}

/**
 * Rows of one product follow each other and have one text in the column `group`. The first of them
 * has the values of the product and is a variant itself, unless `type` tells variants from it. A row
 * with an image only adds the image.
 */
export interface GroupedRows {
  readonly kind: "grouped";
  readonly group: readonly string[];
  /** Columns of the image of one variant. */
  readonly ownImage: readonly string[];
  /** Columns that a row with an image only may fill in besides. */
  readonly besideImage: readonly string[];
  /** The column that tells variants from the product, which is none where it has any. */
  readonly type?: { readonly headers: readonly string[]; readonly variant: string };
  /** Fields that variants take besides those that all platforms share. @default none */
  readonly carried?: readonly FieldKey[];
}

/** A variant names its parent in the column `parent`; the parent stands anywhere above it. */
export interface ReferringRows {
  readonly kind: "referring";
  readonly parent: readonly string[];
  /** A text in `parent` that stands for no parent. */
  readonly noParent?: string;
  /** Columns of ids, by which `id:123` in `parent` names its row. @default only codes name rows */
  readonly ids?: readonly string[];
  /** The column that tells variants from parents, which are no products. */
  readonly type?: {
    readonly headers: readonly string[];
    readonly variant: string;
    readonly parents: readonly string[];
  };
}

/**
 * The headers of one platform in all languages in which it writes them. A header that ends with `…`
 * stands for all headers that begin like it; the others are compared by their header key.
 */
export interface PlatformProfile {
  /** Value of `--platform`. */
  readonly name: string;
  /** Documents of the format, or code that reads or writes it. @default named beside its tests */
  readonly sources?: readonly string[];
  /** As people write it. */
  readonly label: string;
  /** Headers that few other programs write; several of them tell the platform. */
  readonly marks: readonly string[];
  /** Marks of which the file must have one. @default any marks do */
  readonly needs?: readonly string[];
  readonly fields: PlatformFields;
  /** Headers that mean their field in most files of the platform only, so that a person is asked. */
  readonly unsure?: PlatformFields;
  /**
   * Headers of columns that sellers fill in with a field's values by hand; proposed where the
   * field's own column holds names that the store does not know.
   */
  readonly alternatives?: Readonly<Partial<Record<FieldKey, readonly string[]>>>;
  /** @default only the words that every file may have */
  readonly words?: PlatformWords;
  readonly doubts?: readonly PlatformDoubt[];
  /** @default reduced prices are valid always */
  readonly salePeriod?: PlatformSalePeriod;
  /** @default prices include tax */
  readonly tax?: PlatformTax;
  /** Headers of the column with what is added to the price. @default nothing is */
  readonly surcharge?: readonly string[];
  /** @default each row has one code */
  readonly listings?: PlatformListings;
  /** Ids of the platform: products, variants, categories. They are never this marketplace's. */
  readonly ids: readonly string[];
  /** Known headers that no call takes, with prices that no buyer pays. */
  readonly notSent: readonly string[];
  /** @default every row is a product by itself */
  readonly variants?: VariantLayout;
  /** @default stocks are numbers */
  readonly stock?: PlatformStock;
  /**
   * Whether line breaks of descriptions are written as `\n`, and that text itself as `\\n`.
   * @default false
   */
  readonly escapesLines?: boolean;
  /** Columns of which any one says that a product is not on sale. @default there are none */
  readonly statuses?: readonly PlatformStatus[];
  /** Text behind which a header names the currency of all prices, up to a sign. */
  readonly currencyBehind?: string;
  /**
   * The currency of prices that name none, `other` where it differs from shop to shop. @default that
   * of any file
   */
  readonly currency?: NamedCurrency;
  /** @default it writes sheets only */
  readonly nested?: NestedLayout;
}
