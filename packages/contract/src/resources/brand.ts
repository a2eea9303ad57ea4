import * as z from "zod";

import { type PagedEndpoint, type PageQuery, pageOf } from "../endpoint.ts";
import {
  type BrandId,
  brandId,
  type BrandModelId,
  brandModelId,
  type CategoryId,
  categoryId,
} from "../ids.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../limits.ts";
import { limit, page } from "../query-fields.ts";

/** Section Resources, Brand. */
export interface Brand {
  readonly id: BrandId;
  readonly name: string;
}

/** Section Resources, Brand model. */
export interface BrandModel {
  readonly id: BrandModelId;
  readonly name: string;
  readonly category_name?: string | null | undefined;
  readonly brand_name?: string | null | undefined;
}

/** Filters of the brand listing. */
export interface BrandQuery extends PageQuery {
  readonly category_id: CategoryId;
  readonly ids?: readonly BrandId[] | undefined;
  readonly name?: string | undefined;
}

/** Filters of the model listing. */
export interface BrandModelQuery extends PageQuery {
  readonly category_id: CategoryId;
  readonly brand_id: BrandId;
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
      category_id: categoryId,
      limit,
      page,
      ids: z.array(brandId).optional(),
      name: z.string().optional(),
    }),
    data: pageOf(z.looseObject({ id: brandId, name: z.string() })),
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
      category_id: categoryId,
      brand_id: brandId,
      limit,
      page,
    }),
    data: pageOf(
      z.looseObject({
        id: brandModelId,
        name: z.string(),
        category_name: z.string().nullish(),
        brand_name: z.string().nullish(),
      }),
    ),
  },
};
