/**
 * The products of the store, in the order in which they were added, the rules that an added product
 * meets, and the personality of the store. No product is ever removed; those at the start are the
 * same for the same count.
 */

import { isDeepStrictEqual } from "node:util";

import type { Clock } from "@catalog/clock";
import {
  idSchemas,
  type ListingStatus,
  priceMinor,
  type ProductAdd,
  type ProductChanges,
  type ProductId,
} from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import type { Behavior } from "../behavior/behavior-settings.ts";
import { createHashedId, pickFrom, pickNumber } from "../catalog/names.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import {
  createInputRefusal,
  createMissingRefusal,
  type FieldProblem,
  type Refusal,
} from "../http/answers.ts";
import { createProductIndex, type ListedProducts } from "./product-index.ts";

const ID_PATTERN = /^[0-9a-f]{24}$/u;

/**
 * Throws a refusal that names the fields of `given` that do not fit `product`, which is the product
 * after the change. Other fields are not checked, because they were valid before.
 */
export function assertProductFits(
  catalog: SandboxCatalog,
  product: ProductAdd,
  given: ProductChanges,
): void {
  const problems = RULES.filter(
    (rule) =>
      rule.fields.some((field) => given[field] !== undefined) && !rule.isKept(catalog, product),
  );
  if (problems.length > 0) throw createInputRefusal(problems);
}

interface Rule extends FieldProblem {
  readonly field: keyof ProductAdd;
  /** The fields; the rule is checked when one of them is given. */
  readonly fields: readonly (keyof ProductAdd)[];
  readonly isKept: (catalog: SandboxCatalog, product: ProductAdd) => boolean;
}

const RULES: readonly Rule[] = [
  {
    field: "category_id",
    fields: ["category_id"],
    isKept: (catalog, { category_id }) => catalog.isLeaf(category_id),
    message: {
      en: "must be a category without subcategories",
      tr: "alt kategorisi olmayan bir kategori olmalı",
    },
  },
  {
    field: "brand_id",
    fields: ["brand_id", "category_id"],
    isKept: (catalog, { category_id, brand_id }) =>
      catalog.brand(category_id, brand_id) !== undefined,
    message: { en: "must be a brand of the category", tr: "kategorinin bir markası olmalı" },
  },
  {
    field: "brand_model",
    fields: ["brand_model"],
    isKept: (catalog, { category_id, brand_id, brand_model }) =>
      !ID_PATTERN.test(brand_model) ||
      catalog.models(category_id, brand_id).some(({ id }) => id === brand_model),
    message: {
      en: "must be a model of the brand in the category, or its name",
      tr: "markanın kategorideki bir modeli veya model adı olmalı",
    },
  },
  {
    field: "shipping_template_id",
    fields: ["shipping_template_id"],
    isKept: (catalog, { shipping_template_id }) =>
      catalog.shippingTemplates.some(({ id }) => id === shipping_template_id),
    message: {
      en: "must be a shipping template of the store",
      tr: "mağazanın bir teslimat şablonu olmalı",
    },
  },
  {
    field: "discount_value",
    fields: ["price", "has_discount", "discount_type", "discount_value"],
    isKept: (_, { has_discount, discount_type, discount_value, price }) =>
      !has_discount || discount_type === 2 || (discount_value ?? 0) < price,
    message: { en: "must be below the price", tr: "fiyattan küçük olmalı" },
  },
  {
    field: "properties",
    fields: ["properties", "category_id"],
    isKept: areKnownProperties,
    message: {
      en: "must be properties of the category with their options",
      tr: "kategorinin özellikleri ve seçenekleri olmalı",
    },
  },
];

function areKnownProperties(catalog: SandboxCatalog, product: ProductAdd): boolean {
  const known = catalog.properties(product.category_id);
  return (product.properties ?? []).every((choice) => {
    const property = known.find(({ id }) => id === choice.property_id);
    return property?.property_options.some(({ id }) => id === choice.option_id) === true;
  });
}

/** A stored product: the sent fields, and those that the marketplace adds. */
export interface SandboxProduct extends ProductAdd {
  readonly id: ProductId;
  /** A number that increases with every product. */
  readonly sid: number;
  readonly status: ListingStatus;
  /** Milliseconds since 1970. */
  readonly addedAtMs: number;
  /**
   * No listing shows the product before this time, or before its approval. @default shown at once
   */
  readonly hiddenUntilMs?: number | "approval";
}

/** A product of the start, which was not added by a call. */
export interface InitialProduct {
  readonly product: ProductAdd;
  readonly status: ListingStatus;
  readonly addedAtMs: number;
  readonly hiddenUntilMs?: number | "approval";
}

interface ProductStateOptions {
  readonly catalog: SandboxCatalog;
  readonly clock: Clock;
  /** Called again by each reset; oldest first. */
  readonly fill: () => readonly InitialProduct[];
}

export interface ProductState {
  /** Number of products. */
  count(): number;
  /** Every product, in the order of addition; a copy. */
  products(): readonly SandboxProduct[];
  product(id: string): SandboxProduct | undefined;
  /** Products with exactly this code, in the order of addition. */
  withCode(code: string): readonly SandboxProduct[];
  /** Products that listings show now. */
  listed(): ListedProducts;
  /** Adds a product; throws a refusal when the catalog does not know a name or id in it. */
  add(product: ProductAdd, hidden?: Pick<SandboxProduct, "hiddenUntilMs">): SandboxProduct;
  /**
   * Updates a product; returns whether anything changed. Throws a refusal for an unknown id or an
   * invalid value.
   */
  update(id: ProductId, changes: ProductChanges): "changed" | "unchanged";
  /** Shows every hidden product. Returns their number. */
  approve(): number;
  reset(): void;
  /** Replaces all products, in this order. */
  load(products: readonly SandboxProduct[]): void;
}

const FIRST_SID = 1_000_001;

export function createProductState({ catalog, clock, fill }: ProductStateOptions): ProductState {
  const index = createProductIndex();

  const keep = ({ product, ...rest }: InitialProduct): SandboxProduct => {
    const kept = { ...product, ...rest, ...identify(index.size) };
    index.put(kept);
    return kept;
  };
  const reset = (): void => {
    index.clear();
    for (const initial of fill()) keep(initial);
  };
  reset();

  return {
    count: () => index.size,
    products: () => index.products(),
    product: (id) => index.get(id),
    withCode: (code) => index.withCode(code),
    listed: () => index.listed(clock.now()),
    add(product, hidden = {}) {
      assertProductFits(catalog, product, product);
      return keep({ product, status: "approved", addedAtMs: clock.now(), ...hidden });
    },
    update(id, changes) {
      const before = index.get(id);
      if (before === undefined) throw createMissingRefusal({ en: "Product", tr: "Ürün" });
      const after = applyChanges(before, changes);
      assertProductFits(catalog, after, changes);
      if (isDeepStrictEqual(before, after)) return "unchanged";
      index.put(after);
      return "changed";
    },
    approve() {
      const waiting = index.hidden(clock.now());
      for (const { hiddenUntilMs: _, ...product } of waiting) index.put(product);
      return waiting.length;
    },
    reset,
    load(saved) {
      index.clear();
      for (const product of saved) index.put(product);
    },
  };
}

/** The ids of the product with this index in the order of addition, from 0. */
export function identify(index: number): Pick<SandboxProduct, "id" | "sid"> {
  const sid = FIRST_SID + index;
  return { id: idSchemas.product.parse(createHashedId("product", String(sid))), sid };
}

function applyChanges(product: SandboxProduct, changes: ProductChanges): SandboxProduct {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.assign({ ...product }, Object.fromEntries(given));
}

interface SeedProductsOptions {
  readonly catalog: SandboxCatalog;
  readonly count: number;
  /** Time of the start; the newest product was added one step before. */
  readonly nowMs: number;
  /** Number of products to create, from the oldest on. @default all of them */
  readonly first?: number;
  /** Prefix of the codes; all values of a product follow from its code. @default "SBX" */
  readonly prefix?: string;
}

const STEP_MS = 37 * 60 * 1000;
const MAX_STOCK = 250;
const MAX_DISCOUNT_PERCENT = 40;

/**
 * Creates products "SBX-000001" and up, oldest first, with 80 % approved, 15 % passive and 5 %
 * veto.
 */
export function createSeedProducts(options: SeedProductsOptions): readonly InitialProduct[] {
  const { catalog, count, nowMs, first = count, prefix = "SBX" } = options;
  const leaves = catalog.categories.filter(({ id }) => catalog.isLeaf(id));
  return Array.from({ length: Math.min(first, count) }, (_, index) => {
    const code = `${prefix}-${String(index + 1).padStart(6, "0")}`;
    return {
      product: createProduct(catalog, pickFrom(leaves, "category", code).id, code),
      status: pickStatus(index),
      addedAtMs: nowMs - (count - index) * STEP_MS,
    };
  });
}

/** Makes a product of a category with this code. */
export function createProduct(
  catalog: SandboxCatalog,
  categoryId: ProductAdd["category_id"],
  code: string,
): ProductAdd {
  const brand = pickFrom(catalog.brands(categoryId), "brand", code);
  const model = catalog.pickModel(categoryId, brand.id, "model", code);
  const template = pickFrom(catalog.shippingTemplates, "template", code);
  const name = catalog.category(categoryId)?.name ?? "";
  return {
    title: `${brand.name} ${model.name} ${name}`,
    sub_title: `${brand.name} ${name}`,
    brand_id: brand.id,
    brand_model: model.id,
    description: `<p>${brand.name} ${model.name} ${name}, orijinal ambalajında gönderilir.</p>`,
    currency: "TL",
    price: pickPrice(catalog.priceRangeMinor(categoryId), code),
    product_code: code,
    ...pickWarranty(code),
    ...pickDiscount(code),
    category_id: categoryId,
    shipping_template_id: template.id,
    stock_count: pickNumber(MAX_STOCK, "stock", code),
    images: [1, 2].map((number) => `https://sandbox.example/images/${code}-${number}.jpg`),
  };
}

/** Of every twenty products, sixteen are approved, three passive and one veto. */
function pickStatus(index: number): ListingStatus {
  const position = index % 20;
  if (position < 16) return "approved";
  return position < 19 ? "passive" : "veto";
}

/** Picks a price that ends in ",90". */
function pickPrice(
  [lowest, highest]: readonly [number, number],
  code: string,
): ProductAdd["price"] {
  const wholeTl = Math.floor((lowest + pickNumber(highest - lowest, "price", code)) / 100);
  return priceMinor.parse(wholeTl * 100 + 90);
}

function pickWarranty(code: string): Pick<ProductAdd, "warranty_type" | "warranty_period"> {
  return pickFrom(
    [
      { warranty_type: 1, warranty_period: 0 },
      { warranty_type: 2, warranty_period: 24 },
      { warranty_type: 3, warranty_period: 24 },
      { warranty_type: 4, warranty_period: 36 },
    ] as const,
    "warranty",
    code,
  );
}

/** Gives one product in five a percentage discount. */
function pickDiscount(
  code: string,
): Pick<ProductAdd, "has_discount" | "discount_type" | "discount_value"> {
  if (pickNumber(5, "discount", code) > 0) return { has_discount: false };
  const value = 5 + pickNumber(MAX_DISCOUNT_PERCENT - 4, "discount value", code);
  return { has_discount: true, discount_type: 2, discount_value: value };
}

/** The store, and the personality that it gets. */
interface ProductBehaviorOptions {
  readonly store: ProductState;
  readonly clock: Clock;
  readonly behavior: Behavior;
}

/** Milliseconds until listings show a new product with `new-product=after-delay`. */
export const VISIBILITY_DELAY_MS: number = 10 * 60 * 1000;

/** Wraps `add` and `update` of a store in the personality; all other methods are the store's. */
export function createProductBehavior({
  store,
  clock,
  behavior,
}: ProductBehaviorOptions): ProductState {
  const duplicate = behavior["duplicate-code"];
  const toStoredCode = CODE_FORMS[behavior["stored-code"]];

  const hide = (): Pick<SandboxProduct, "hiddenUntilMs"> => {
    const hidden = {
      visible: {},
      "after-approval": { hiddenUntilMs: "approval" },
      "after-delay": { hiddenUntilMs: clock.now() + VISIBILITY_DELAY_MS },
    } as const;
    return hidden[behavior["new-product"]];
  };

  return {
    ...store,
    add(given) {
      const product = { ...given, product_code: toStoredCode(given.product_code) };
      const twin = duplicate === "accepted" ? undefined : findTwin(store, product);
      if (twin === undefined) return store.add(product, hide());
      if (duplicate === "refused") throw createFieldRefusal("product_code", TWIN);
      store.update(twin.id, product);
      return store.product(twin.id) ?? twin;
    },
    update(id, { stock_count: stock, product_code: code, ...rest }) {
      const named = code === undefined ? rest : { ...rest, product_code: toStoredCode(code) };
      const obeyed = behavior["update-stock"];
      if (stock !== undefined && obeyed === "refused") {
        throw createFieldRefusal("stock_count", FIXED);
      }
      return store.update(id, obeyed === "obeyed" ? { ...named, stock_count: stock } : named);
    },
  };
}

const TWIN: Localized = { en: "is used by another product", tr: "başka bir üründe kullanılıyor" };
const FIXED: Localized = { en: "cannot be updated", tr: "bu çağrıyla güncellenemez" };

function findTwin(store: ProductState, product: ProductAdd): SandboxProduct | undefined {
  return store.withCode(product.product_code)[0];
}

function createFieldRefusal(field: string, message: Localized): Refusal {
  return createInputRefusal([{ field, message }]);
}

const CODE_FORMS: Readonly<Record<Behavior["stored-code"], (code: string) => string>> = {
  "as-sent": (code) => code,
  trimmed: (code) => code.trim(),
  "upper-cased": (code) => code.trim().toUpperCase(),
  "lower-cased": (code) => code.trim().toLowerCase(),
};
