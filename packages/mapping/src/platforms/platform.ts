/** What is known of the files that one other platform writes: data only, one file per platform. */

import type { FieldKey } from "../columns/fields/field.ts";

/**
 * A field of a platform's file. `sale_price` is the price that the buyer pays while it is filled
 * in; `price` is then the one that is struck out.
 */
export type PlatformField = FieldKey | "sale_price";

/** Headers by field; of several columns in one file the first that is not empty is used. */
export type PlatformFields = Readonly<Partial<Record<PlatformField, readonly string[]>>>;

/** A column whose content makes the meaning of another one uncertain, so that a person is asked. */
export interface PlatformDoubt {
  /** The field whose column is asked about. */
  readonly field: PlatformField;
  /** Headers of the columns that decide. */
  readonly when: readonly string[];
  /** `filled`: any cell holds something. `no`: any cell says no, such as `0` or `Hayır`. */
  readonly is: "filled" | "no";
}

/**
 * The headers of one platform in all languages in which it writes them. A header that ends with `…`
 * stands for all headers that begin like it; the others are compared by their header key.
 */
export interface PlatformProfile {
  /** Value of `--platform`. */
  readonly name: string;
  /** As people write it. */
  readonly label: string;
  /** Headers that few other programs write; several of them tell the platform. */
  readonly marks: readonly string[];
  /** Marks of which the file must have one. @default any marks do */
  readonly needs?: readonly string[];
  readonly fields: PlatformFields;
  /** Headers that mean their field in most files of the platform only, so that a person is asked. */
  readonly unsure?: PlatformFields;
  readonly doubts?: readonly PlatformDoubt[];
  /** Ids of the platform: products, variants, categories. They are never this marketplace's. */
  readonly ids: readonly string[];
  /** Known headers that no call takes, with prices that no buyer pays. */
  readonly notSent: readonly string[];
  /** Text behind which a header names the currency of all prices, up to a sign. */
  readonly currencyBehind?: string;
}
