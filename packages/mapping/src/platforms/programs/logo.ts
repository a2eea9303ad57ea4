import type { PlatformProfile } from "../platform.ts";

/** Stock list of Logo. Which of its stocks may be sold, and whether its price is that of a sale, the list does not say. */
export const LOGO: PlatformProfile = {
  name: "logo",
  label: "Logo",
  marks: [
    "Malzeme Kodu",
    "Malzeme Açıklaması",
    "Malzeme Türü",
    "Ana Birim",
    "Fiili Stok",
    "Gerçek Stok",
  ],
  fields: {
    product_code: ["Malzeme Kodu"],
    title: ["Malzeme Açıklaması"],
    currency: ["Döviz Türü"],
  },
  unsure: {
    stock: ["Fiili Stok", "Gerçek Stok"],
    price: ["Birim Fiyat"],
  },
  ids: [],
  notSent: ["Malzeme Türü", "Grup Kodu", "Özel Kod", "Ana Birim", "Ambar", "Miktar", "Marka Kodu"],
};
