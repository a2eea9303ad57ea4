/** The words of the store's products: the list, and one product; in English. */

import type { ProductsTexts } from "./products-tr.ts";

export const productsEn: ProductsTexts = {
  product: {
    title: (id) => `Product ${id}`,
    toList: "Back to the products",
  },
};
