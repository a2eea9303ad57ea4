import * as z from "zod";

import {
  DEFAULT_PAGE_SIZE,
  type Endpoint,
  limit,
  MAX_PAGE_SIZE,
  page,
  type PagedEndpoint,
  pageOf,
  type PageQuery,
} from "../endpoint.ts";
import { idSchemas, type Id } from "../ids.ts";

/** Section Resources, Category. The elements of `parent` and `category_tree` are not shown. */
export interface Category {
  readonly id: Id<"category">;
  readonly name: string;
  /** Identifier in an external product taxonomy. */
  readonly external_id?: string | null | undefined;
  readonly parent?: unknown;
  readonly vat?: number | null | undefined;
  readonly commission?: number | null | undefined;
  readonly max_installment?: number | null | undefined;
  readonly volumetric_weight?: number | null | undefined;
  readonly is_adult?: boolean | null | undefined;
  /** Names from the root down to the category; the separator is not stated. */
  readonly category_path?: string | null | undefined;
  readonly category_tree?: readonly unknown[] | null | undefined;
}

/** One value that a property can have. */
export interface PropertyOption {
  readonly id: Id<"propertyOption">;
  readonly display_name: string;
  readonly tag?: string | null | undefined;
}

/** Section Resources, property object of a category. */
export interface CategoryProperty {
  readonly id: Id<"property">;
  readonly name: string;
  readonly property_options: readonly PropertyOption[];
}

/** The single category that is asked for by its external id. */
interface CategoryWithProperties extends Category {
  readonly properties: readonly CategoryProperty[];
}

/** Filters of the category listing. */
interface CategoryQuery extends PageQuery {
  readonly ids?: readonly Id<"category">[] | undefined;
  /** Searches by name. */
  readonly search?: string | undefined;
}

const categoryShape = {
  id: idSchemas.category,
  name: z.string(),
  external_id: z.string().nullish(),
  parent: z.unknown().optional(),
  vat: z.number().nullish(),
  commission: z.number().nullish(),
  max_installment: z.number().nullish(),
  volumetric_weight: z.number().nullish(),
  is_adult: z.boolean().nullish(),
  category_path: z.string().nullish(),
  category_tree: z.array(z.unknown()).nullish(),
};

const property: z.ZodType<CategoryProperty> = z.looseObject({
  id: idSchemas.property,
  name: z.string(),
  property_options: z.array(
    z.looseObject({
      id: idSchemas.propertyOption,
      display_name: z.string(),
      tag: z.string().nullish(),
    }),
  ),
});

/** The category calls. */
export interface CategoryEndpoints {
  /** Section Categories: GET /v1.1/category/. */
  readonly list: PagedEndpoint<CategoryQuery, Category>;
  /** Section Categories: GET /v1.1/category/get-by-external-id/:externalCategoryId. */
  readonly byExternalId: Endpoint<{ readonly externalCategoryId: number }, CategoryWithProperties>;
  /** Section Categories: GET /v1.1/category/get-properties/:categoryId. */
  readonly properties: Endpoint<
    { readonly categoryId: Id<"category"> },
    readonly CategoryProperty[]
  >;
}

export const categoryEndpoints: CategoryEndpoints = {
  list: {
    method: "GET",
    path: "/category/",
    versions: ["v1.1", "v1.0"],
    permission: "general",
    effect: "read",
    paging: { defaultSize: DEFAULT_PAGE_SIZE, maxSize: MAX_PAGE_SIZE },
    section: "Categories",
    summary: "List categories.",
    input: z.object({
      limit,
      page,
      ids: z.array(idSchemas.category).optional(),
      search: z.string().optional(),
    }),
    data: pageOf(z.looseObject(categoryShape)),
  },
  byExternalId: {
    method: "GET",
    path: "/category/get-by-external-id/:externalCategoryId",
    versions: ["v1.1", "v1.0"],
    permission: "general",
    effect: "read",
    paging: undefined,
    section: "Categories",
    summary: "One category with its properties, by its id in the external taxonomy.",
    input: z.object({ externalCategoryId: z.int() }),
    data: z.looseObject({ ...categoryShape, properties: z.array(property) }),
  },
  properties: {
    method: "GET",
    path: "/category/get-properties/:categoryId",
    versions: ["v1.1", "v1.0"],
    permission: "general",
    effect: "read",
    paging: undefined,
    section: "Categories",
    summary: "Properties of a category with their options.",
    input: z.object({ categoryId: idSchemas.category }),
    data: z.array(property),
  },
};

/** Section Resources, Brand. */
export interface Brand {
  readonly id: Id<"brand">;
  readonly name: string;
}

/** Section Resources, Brand model. */
export interface BrandModel {
  readonly id: Id<"brandModel">;
  readonly name: string;
  readonly category_name?: string | null | undefined;
  readonly brand_name?: string | null | undefined;
}

/** Filters of the brand listing. */
interface BrandQuery extends PageQuery {
  readonly category_id: Id<"category">;
  readonly ids?: readonly Id<"brand">[] | undefined;
  readonly name?: string | undefined;
}

/** Filters of the model listing. */
interface BrandModelQuery extends PageQuery {
  readonly category_id: Id<"category">;
  readonly brand_id: Id<"brand">;
}

/** The brand calls. */
export interface BrandEndpoints {
  /** Section Brands: GET /v1.1/brand/. */
  readonly list: PagedEndpoint<BrandQuery, Brand>;
  /** Section Brands: GET /v1.1/brand/brand-model. */
  readonly models: PagedEndpoint<BrandModelQuery, BrandModel>;
}

export const brandEndpoints: BrandEndpoints = {
  list: {
    method: "GET",
    path: "/brand/",
    versions: ["v1.1", "v1.0"],
    permission: "general",
    effect: "read",
    paging: { defaultSize: DEFAULT_PAGE_SIZE, maxSize: MAX_PAGE_SIZE },
    section: "Brands",
    summary: "List the brands of a category.",
    input: z.object({
      category_id: idSchemas.category,
      limit,
      page,
      ids: z.array(idSchemas.brand).optional(),
      name: z.string().optional(),
    }),
    data: pageOf(z.looseObject({ id: idSchemas.brand, name: z.string() })),
  },
  models: {
    method: "GET",
    path: "/brand/brand-model",
    versions: ["v1.1", "v1.0"],
    permission: "general",
    effect: "read",
    paging: { defaultSize: DEFAULT_PAGE_SIZE, maxSize: MAX_PAGE_SIZE },
    section: "Brands",
    summary: "List the models of a brand in a category.",
    input: z.object({
      category_id: idSchemas.category,
      brand_id: idSchemas.brand,
      limit,
      page,
    }),
    data: pageOf(
      z.looseObject({
        id: idSchemas.brandModel,
        name: z.string(),
        category_name: z.string().nullish(),
        brand_name: z.string().nullish(),
      }),
    ),
  },
};
