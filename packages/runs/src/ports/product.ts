/**
 * Products as the engine knows them: what a listing shows, and what a row asks to send. Fields have
 * the names of the marketplace's API. The types are the engine's own; an adapter of a marketplace
 * passes values that fit them.
 */

/** Marks a text or a number as one kind of thing. No value has the field, so that types of the same shape from elsewhere fit. */
interface Branded<Name extends string> {
  readonly "~brand": Name;
}

/** The id of one kind of thing. */
type Id<Kind extends string> = string & Branded<Kind>;

/** The id of a product in the store. */
export type ProductId = Id<"ProductId">;

/** Reads the id of a product; throws where the text is empty. */
export function parseProductId(text: string): ProductId {
  if (text === "") throw new TypeError("a product id is not empty");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand's one constructor
  return text as ProductId;
}

/** The lists into which the store's products are divided. */
export const LISTING_STATUSES = ["approved", "passive", "veto"] as const;
/** One of the store's lists of products. */
export type ListingStatus = (typeof LISTING_STATUSES)[number];

/** Products that one call lists. Calls are estimated with it, and products are looked up by as many ids. */
export const PAGE_SIZE = 50;

type Maybe<T> = T | null | undefined;

interface ProductProperty {
  readonly property?: Maybe<string>;
  readonly property_id?: Maybe<Id<"PropertyId">>;
  readonly option?: Maybe<string>;
  readonly option_id?: Maybe<Id<"PropertyOptionId">>;
}

/** A product as the store lists it. The unit of its prices is not stated. */
export interface StoreProduct {
  readonly id: ProductId;
  readonly title?: Maybe<string>;
  readonly subtitle?: Maybe<string>;
  readonly product_code?: Maybe<string>;
  readonly category_name?: Maybe<string>;
  readonly brand_id?: Maybe<Id<"BrandId">>;
  readonly brand_name?: Maybe<string>;
  readonly warranty?: Maybe<string>;
  readonly warranty_time?: Maybe<string>;
  readonly warranty_type?: Maybe<number>;
  readonly warranty_period?: Maybe<number>;
  readonly stock?: Maybe<number>;
  readonly sid?: Maybe<number>;
  readonly description?: Maybe<string>;
  readonly item_type?: Maybe<string>;
  readonly properties?: Maybe<readonly ProductProperty[]>;
  readonly variants?: Maybe<readonly unknown[]>;
  readonly currency?: Maybe<string>;
  readonly url?: Maybe<string>;
  readonly price?: Maybe<number>;
  readonly has_discount?: Maybe<boolean>;
  readonly discount_type?: Maybe<number>;
  readonly discount_value?: Maybe<number | false>;
  readonly paid_price?: Maybe<number>;
  readonly images?: Maybe<readonly unknown[]>;
  readonly shipping_price?: Maybe<string>;
  readonly shipping_template_id?: Maybe<Id<"ShippingTemplateId">>;
}

/** A price in minor units. */
type PriceMinor = number & Branded<"PriceMinor">;

/** An option that is chosen for a property of the category. */
interface PropertyChoice {
  readonly property_id: Id<"PropertyId">;
  readonly option_id: Id<"PropertyOptionId">;
}

/** The body that adds a product. */
export interface ProductAdd {
  readonly title: string;
  readonly sub_title: string;
  readonly brand_id: Id<"BrandId">;
  readonly brand_model: string;
  readonly description: string;
  readonly currency?: "TL" | "USD" | "EUR" | undefined;
  readonly price: PriceMinor;
  readonly product_code: string;
  readonly warranty_type: 1 | 2 | 3 | 4;
  readonly warranty_period: 0 | 12 | 24 | 36;
  readonly has_discount: boolean;
  readonly discount_type?: 1 | 2 | 3 | undefined;
  /** Type 1: minor units off; type 2: percent; type 3: discounted price in minor units. */
  readonly discount_value?: number | undefined;
  readonly category_id: Id<"CategoryId">;
  readonly shipping_template_id: Id<"ShippingTemplateId">;
  readonly stock_count: number;
  readonly product_condition?: "new" | "used" | undefined;
  readonly images: readonly (string | { readonly url: string })[];
  readonly custom_order_input?: boolean | undefined;
  readonly properties?: readonly PropertyChoice[] | undefined;
}

/** Fields of a product to set; one that is absent is left as it is. */
export type ProductChanges = {
  readonly [Field in keyof ProductAdd]?: ProductAdd[Field] | undefined;
};

/** The body that updates a product. */
export interface ProductUpdate extends ProductChanges {
  readonly product_id: ProductId;
}
