/** Converts and selects comments for the listings. */

import type {
  Comment,
  CommentedProduct,
  CommentedProductQuery,
  ProductCommentQuery,
  StoreCommentQuery,
} from "@catalog/contract";

import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { sortByTime, isWithinPeriod, toIso } from "../history/time-filters.ts";
import { brandName, paidAmount, shippingPrice } from "../products/listing.ts";
import type { SandboxProduct } from "../products/product-state.ts";
import type { CommentSource, SandboxComment } from "./seed-comments.ts";

type CommentQuery = StoreCommentQuery &
  Pick<ProductCommentQuery, "commented_at_product_details" | "commented_at_order">;

/** The comments that match the query, in its order; paging is not applied. */
export function selectComments(
  comments: readonly SandboxComment[],
  query: CommentQuery,
): readonly SandboxComment[] {
  const wanted = wantedVisibility(query);
  const found = comments.filter(
    (comment) =>
      isWithinPeriod(comment.createdAtMs, query) &&
      (query.satisfaction ?? comment.satisfaction) === comment.satisfaction &&
      isBetween(comment.rate, [query.rate, query.min_rate, query.max_rate]) &&
      (wanted.length === 0 || wanted.includes(comment.source)),
  );
  return sortByTime(found, query.sort_by_date);
}

/** The sources that the two filters select; both filters, or none, select both sources. */
function wantedVisibility(query: CommentQuery): readonly CommentSource[] {
  const { commented_at_product_details: atDetails, commented_at_order: atOrder } = query;
  return [
    ...(atDetails === 1 ? ["product_details" as const] : []),
    ...(atOrder === 1 ? ["order" as const] : []),
  ];
}

type Bounds = readonly [
  exact: number | undefined,
  min: number | undefined,
  max: number | undefined,
];

const isBetween = (value: number, [exact = value, min = value, max = value]: Bounds): boolean =>
  value === exact && value >= min && value <= max;

/** Makes an element of a comment listing, which does not name its product. */
export function toComment(comment: SandboxComment): Comment {
  return {
    id: comment.id,
    status: "approved",
    full_name: comment.name,
    satisfaction: comment.satisfaction,
    message: comment.message,
    rate: comment.rate,
    comment_type: comment.source,
    created_at: toIso(comment.createdAtMs),
  };
}

export interface CommentCount {
  readonly product: SandboxProduct;
  readonly count: number;
}

/** The commented products that match the query, in its order; equal counts are sorted by code. */
export function countComments(
  comments: readonly SandboxComment[],
  query: CommentedProductQuery,
): readonly CommentCount[] {
  const { comment_count, min_comment_count, max_comment_count } = query;
  const byProduct = Map.groupBy(comments, ({ product }) => product);
  const counts = [...byProduct]
    .map(([product, own]) => ({ product, count: own.length }))
    .filter(({ count }) => isBetween(count, [comment_count, min_comment_count, max_comment_count]))
    .toSorted(
      (a, b) => a.count - b.count || (a.product.product_code < b.product.product_code ? 1 : -1),
    );
  return sortByTime(counts, query.sort_by_comment_count);
}

/** Makes an element of the listing of commented products: prices are minor units, as text. */
export function toCommentedProduct(
  catalog: SandboxCatalog,
  product: SandboxProduct,
  count: number,
): CommentedProduct {
  return {
    id: product.id,
    title: product.title,
    subtitle: product.sub_title,
    product_code: product.product_code,
    category_name: catalog.category(product.category_id)?.name,
    brand_name: brandName(catalog, product),
    comment_count: count,
    stock: product.stock_count,
    sid: product.sid,
    description: product.description,
    currency: product.currency ?? "TL",
    paid_price: String(paidAmount(product)),
    shipping_price: String(shippingPrice(catalog, product)),
    created_at: toIso(product.addedAtMs),
    images: product.images,
  };
}
