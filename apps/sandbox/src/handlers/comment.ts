import {
  countComments,
  selectComments,
  toComment,
  toCommentedProduct,
} from "../comments/comment-listing.ts";
import { toPage } from "../http/paging.ts";
import { createMissingRefusal } from "../http/refusal.ts";
import { toStoreProduct } from "../products/listing.ts";
import type { SandboxProduct } from "../products/product-state.ts";
import type { Handlers, HandlersOptions } from "./handler.ts";

/** Comments show the current product: a new title appears in them too. */
export function createCommentHandlers(options: HandlersOptions): Handlers["comment"] {
  const { market, catalog, store } = options;
  const asItIsNow = (product: SandboxProduct): SandboxProduct =>
    store.product(product.id) ?? product;

  return {
    commentedProducts: {
      answer(query) {
        const { total, result } = toPage(countComments(market.comments(), query), query);
        return {
          total,
          result: result.map(({ product, count }) =>
            toCommentedProduct(catalog, asItIsNow(product), count),
          ),
        };
      },
    },
    productComments: {
      answer(query) {
        const { product_id: wanted } = query;
        const known = market.soldProducts().find(({ id }) => id === wanted);
        const product = store.product(wanted) ?? known;
        if (product === undefined) throw createMissingRefusal({ en: "Product", tr: "Ürün" });
        const own = market.comments().filter((comment) => comment.product.id === wanted);
        const { total, result } = toPage(selectComments(own, query), query);
        return {
          total,
          product: toStoreProduct(catalog, product),
          result: result.map(toComment),
        };
      },
    },
    storeComments: {
      answer(query) {
        const { total, result } = toPage(selectComments(market.comments(), query), query);
        return { total, result: result.map(toComment) };
      },
    },
  };
}
