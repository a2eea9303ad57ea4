import type { PlatformProfile } from "../platform.ts";

/** Table of products and services of Paraşüt, whose prices may be without tax. */
export const PARASUT: PlatformProfile = {
  name: "parasut",
  label: "Paraşüt",
  marks: ["Ürün/Hizmet Adı", "Ürün/Hizmet Kodu", "GTIP", "Alış Döviz", "Satış Döviz", "ÖTV"],
  fields: {
    product_code: ["Ürün/Hizmet Kodu"],
    title: ["Ürün/Hizmet Adı"],
    currency: ["Satış Döviz"],
  },
  unsure: {
    price: ["Satış Fiyatı"],
  },
  ids: [],
  notSent: ["GTIP", "Birim", "Alış Fiyatı", "Alış Döviz", "ÖTV", "Etiket"],
};
