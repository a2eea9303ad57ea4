import { toPage } from "../http/paging.ts";
import { toStoreProduct } from "../products/listing.ts";
import { createProductSearch, toSearchResult } from "../products/product-search.ts";
import { createProductSelection } from "../products/product-selection.ts";
import type { Handlers, HandlersOptions } from "./handler.ts";

export function createProductHandlers(options: HandlersOptions): Handlers["product"] {
  const { catalog, store, stats, clock, behavior } = options;
  const offers = createProductSearch({
    catalog,
    nowMs: clock.now(),
    listed: () => store.listed(),
  });
  const selection = createProductSelection(behavior);

  return {
    search: {
      answer(query) {
        const { total, result } = toPage(offers.find(query), query);
        return { total, result: result.map((offer) => toSearchResult(catalog, offer)) };
      },
    },
    list: {
      answer(query) {
        const { total, result } = selection.page(store.listed(), query);
        return { total, result: result.map((product) => toStoreProduct(catalog, product)) };
      },
    },
    add: {
      answer(product) {
        const { id } = store.add(product);
        stats.count("adds");
        return { status: true, message: "Product added", product_id: id };
      },
    },
    update: {
      answer({ product_id, ...changes }) {
        if (store.update(product_id, changes) === "changed") stats.count("updates");
        return { status: true, message: "Product updated" };
      },
    },
  };
}
