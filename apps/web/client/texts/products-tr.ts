/** The words of the store's products: the list, and one product; in Turkish. */

export const productsTr = {
  product: {
    title: (id: string) => `Ürün ${id}`,
    toList: "Ürünlere dön",
  },
};

export type ProductsTexts = typeof productsTr;
