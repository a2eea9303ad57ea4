import { type DiscountType, type ProductAdd } from "@catalog/contract";
import { type Localized } from "@catalog/i18n";

type ImageNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The machine name of a column that we read. */
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

/** What a cell of the field holds, for templates and cell formats. */
export type FieldKind = "text" | "id" | "name" | "words" | "money" | "number" | "integer" | "image";

/** A column that gives a field its values. */
export interface FieldTarget {
  readonly kind: "field";
  readonly field: FieldKey;
  /** The kind of discount that the header alone states. */
  readonly discountType?: DiscountType;
}

/** Another header that means the field. */
export interface FieldAlias {
  readonly text: string;
  /** As `RANK`: of two columns for one field the lower rank is used, equal ranks are an error. */
  readonly rank: number;
  /** The kind of discount that this header alone states. */
  readonly discountType?: DiscountType;
  /** The header means something else in some files. @default it always means the field */
  readonly doubt?: HeaderDoubt | undefined;
}

/**
 * When a person has to say whether a header means its field. `uncertain`: unless a surer column has
 * the field. `trade-list`: likewise, but only in a file that looks like a price list or an order of
 * a supplier.
 */
export type HeaderDoubt = "uncertain" | "trade-list";

/** One column that we read, as a row of a table. */
export interface FieldDefinition {
  readonly key: FieldKey;
  /** Without the star that marks required ones. */
  readonly header: Localized;
  readonly aliases: readonly FieldAlias[];
  /** Headers that are too uncertain to map; they are only answered with this field. */
  readonly suggestOnly: readonly string[];
  /** The API wants it to add a product. Of the images any one will do. */
  readonly requiredForAdd: boolean;
  /** The specification names it among the fields of an update. */
  readonly documentedForUpdate: boolean;
  /** Body fields that it ends in; empty for columns that are not sent as they are. */
  readonly apiFields: readonly (keyof ProductAdd | "product_id")[];
  readonly kind: FieldKind;
  readonly help: Localized;
  readonly example: Localized;
}

/**
 * How surely a header means its field. `chosen` is a person's word. `seller` and `store` headers
 * name the seller's own code where a file also has the platform's, which our own header would
 * take for ours. `weak` headers name something that is nearly the field.
 */
export const RANK = { chosen: 0, seller: 1, store: 2, header: 3, alias: 4, weak: 5 } as const;

/** Added to the rank of a header that holds a harmless addition, so that every bare one is surer. */
export const ADDITION_RANK = 10;

/** Headers of one rank as aliases. */
export function aliases(rank: number, ...texts: readonly string[]): readonly FieldAlias[] {
  return texts.map((text) => ({ text, rank }));
}

/** Aliases about which a person may have to be asked. */
export function doubtful(doubt: HeaderDoubt, ...texts: readonly string[]): readonly FieldAlias[] {
  return texts.map((text) => ({ text, rank: RANK.alias, doubt }));
}

/** What a table of fields has to say; the rest has a default. */
export type FieldSpec = Pick<FieldDefinition, "key" | "header" | "kind" | "help" | "example"> &
  Partial<FieldDefinition>;

/** Fills in the defaults: not required, not documented for update, no aliases. */
export function defineField(spec: FieldSpec): FieldDefinition {
  return {
    aliases: [],
    suggestOnly: [],
    requiredForAdd: false,
    documentedForUpdate: false,
    apiFields: [],
    ...spec,
  };
}
