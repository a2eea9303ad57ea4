/** What is stated of a field, and how certainly a header means it. */

import type { DiscountType, ProductAdd } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import type { ValueKeyword } from "../values/keywords.ts";

/** What a column is for. */
export type ColumnTarget =
  | FieldTarget
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "never-sent" }
  | { readonly kind: "own-result" }
  /** Holds the ids of another system. */
  | { readonly kind: "other-id" }
  /** Left out by a person, refused, or beaten by a column of lower rank. */
  | { readonly kind: "unused" }
  | { readonly kind: "unknown"; readonly suggestion?: FieldKey };

/** The likely target of a column; a lower rank is more certain (see `RANK`). */
export interface HeaderMatch {
  readonly target: ColumnTarget;
  readonly rank: number;
  /** @default no question is asked */
  readonly doubt?: MatchDoubt | undefined;
  /** Whether it is a header or key that this program writes, word for word. @default false */
  readonly isOwn?: boolean | undefined;
  /**
   * Whether the header names the currency of its prices or says that tax is included. @default
   * false
   */
  readonly isTelling?: boolean | undefined;
  /** Whether it is one of several columns that may make up the field together. @default false */
  readonly isPart?: boolean | undefined;
  /** Whether the header is that of the suggested field with an addition. @default false */
  readonly isVariant?: boolean | undefined;
}

/** A column about which a person may have to be asked, and its target if the person confirms it. */
interface MatchDoubt {
  /**
   * `rival`: asked even beside a column of lower rank, because it changes the meaning of that one.
   */
  readonly kind: HeaderDoubt | "rival";
  readonly target: FieldTarget;
  /** Header of the column whose cells raise the doubt. @default the header itself does */
  readonly because?: string | undefined;
}

type ImageNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The machine name of a column that is read. */
export type FieldKey =
  | "action"
  | "product_id"
  | "product_code"
  | "title"
  | "sub_title"
  | "category"
  | "brand"
  | "brand_model"
  | "description"
  | "currency"
  | "price"
  | "list_price"
  | "discount_type"
  | "discount_value"
  | "stock"
  | "warranty_type"
  | "warranty_period"
  | "shipping_template"
  | `image_${ImageNumber}`
  | "images"
  | "condition"
  | "custom_order"
  | "note";

/** A column that gives a field its values. */
export interface FieldTarget {
  readonly kind: "field";
  readonly field: FieldKey;
  /** The kind of discount that the header states by itself. */
  readonly discountType?: DiscountType;
}

/** Another header that means the field. */
export interface FieldAlias {
  readonly text: string;
  /**
   * Rank as in `RANK`: of two columns for one field the lower rank is used; equal ranks are an
   * error.
   */
  readonly rank: number;
  /** The kind of discount that this header states by itself. */
  readonly discountType?: DiscountType;
  /** The header means something else in some files. @default it always means the field */
  readonly doubt?: HeaderDoubt | undefined;
}

/**
 * When a person decides whether a header means its field. `uncertain`: unless a column of lower
 * rank has the field. `trade-list`: likewise, but only in a file that looks like a supplier's price
 * list or order.
 */
type HeaderDoubt = "uncertain" | "trade-list";

/** One column that is read, as a row of the field table. */
export interface FieldDefinition {
  readonly key: FieldKey;
  /** Without the star that marks required fields. */
  readonly header: Localized;
  /** As templates and exports write it, with a star where a new product requires the field. */
  readonly writtenHeader: Localized;
  readonly aliases: readonly FieldAlias[];
  /** Headers that are too uncertain to map; this field is only suggested for them. */
  readonly suggestOnly: readonly string[];
  /** Whether the add call requires it (section Products, add). Of the images any one is enough. */
  readonly requiredForAdd: boolean;
  /**
   * Whether the specification names it among the fields of an update (section Products, update).
   */
  readonly documentedForUpdate: boolean;
  /** Fields of the request body that it sets; empty for columns that are not sent as they are. */
  readonly apiFields: readonly (keyof ProductAdd | "product_id")[];
  /** What a cell of the field holds, for templates and cell formats. */
  readonly kind: "text" | "id" | "name" | "words" | "money" | "number" | "integer" | "image";
  /** The only words that the field accepts. @default any text */
  readonly keywords?: readonly ValueKeyword<unknown>[];
  /**
   * Whether new products without a value may take one that a person has set once: no other field
   * depends on it, and a value that fits one product fits others.
   */
  readonly takesDefault: boolean;
  readonly help: Localized;
  readonly example: Localized;
}

/**
 * How certainly a header means its field; lower is more certain. `chosen` is a person's decision,
 * `platform` what the recognised platform writes. `seller` and `store` headers name the seller's own code where a file also has the platform's code
 * under the field's own header. `weak` headers name something close to the field.
 */
export const RANK = {
  chosen: 0,
  platform: 1,
  seller: 2,
  store: 3,
  header: 4,
  alias: 5,
  weak: 6,
} as const;

/**
 * Added to the rank of a header with a harmless addition, so that a header without one is always
 * preferred.
 */
export const ADDITION_RANK = 10;

/** Makes aliases of one rank. */
export function aliases(rank: number, ...texts: readonly string[]): readonly FieldAlias[] {
  return texts.map((text) => ({ text, rank }));
}

/** Makes aliases about which a person may have to be asked. */
export function doubtful(doubt: HeaderDoubt, ...texts: readonly string[]): readonly FieldAlias[] {
  return texts.map((text) => ({ text, rank: RANK.alias, doubt }));
}

/** What the field table states of a field; the rest has defaults. */
type FieldSpec = Pick<FieldDefinition, "key" | "header" | "kind" | "help" | "example"> &
  Partial<FieldDefinition>;

/** Fills in the defaults: not required, not documented for update, no aliases. */
export function defineField(spec: FieldSpec): FieldDefinition {
  const { header, requiredForAdd } = spec;
  const writtenHeader = { tr: `${header.tr} *`, en: `${header.en} *` };
  return {
    writtenHeader: requiredForAdd === true ? writtenHeader : header,
    aliases: [],
    suggestOnly: [],
    requiredForAdd: false,
    documentedForUpdate: false,
    apiFields: [],
    takesDefault: false,
    ...spec,
  };
}

/** The answer that leaves a column out. */
export const LEAVE_OUT = "-";

/** One column of the file and what it is for. */
export interface Column {
  readonly index: number;
  readonly letter: string;
  /** As it stands in the file, trimmed. */
  readonly header: string;
  readonly target: ColumnTarget;
}
