import type { PlatformProfile } from "../platform.ts";

/** Product list of Nebim V3. Colours and sizes of a product have one code, so that they need a column of their own. */
export const NEBIM: PlatformProfile = {
  name: "nebim",
  label: "Nebim",
  marks: [
    "Ürün Hiyerarşisi",
    "Envanter",
    "Renk Kodu",
    "Renk Açıklaması",
    "Perakende Satış Fiyatı",
    "Ürün Açıklaması",
  ],
  fields: {
    product_code: ["Ürün Kodu"],
    title: ["Ürün Açıklaması"],
    stock: ["Envanter"],
    currency: ["Para Birimi"],
  },
  unsure: {
    price: ["Perakende Satış Fiyatı", "Fiyat"],
  },
  doubts: [{ field: "product_code", when: ["Renk Kodu", "Beden"], is: "filled" }],
  ids: [],
  notSent: ["Renk Kodu", "Renk Açıklaması", "Ürün Hiyerarşisi", "Sezon"],
};
