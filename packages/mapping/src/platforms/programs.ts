/** Files of accounting programs. */

import type { PlatformProfile } from "./platform.ts";

/** Stock list of Mikro. It does not say whether its sale prices include tax. */
export const MIKRO: PlatformProfile = {
  name: "mikro",
  label: "Mikro",
  marks: [
    "STOK CİNSİ",
    "ELDEKİ MİKTAR",
    "SATIŞ FİYATI 1",
    "MARKA KODU",
    "KATEGORİ KODU",
    "RAF KODU",
  ],
  fields: {
    product_code: ["STOK KODU"],
    title: ["STOK ADI", "STOK İSMİ"],
    stock: ["ELDEKİ MİKTAR"],
    currency: ["DÖVİZ CİNSİ"],
  },
  unsure: {
    price: ["SATIŞ FİYATI 1"],
  },
  ids: [],
  notSent: [
    "STOK CİNSİ",
    "BİRİM",
    "MARKA KODU",
    "KATEGORİ KODU",
    "SATIŞ FİYATI 2",
    "SATIŞ FİYATI 3",
    "ALIŞ FİYATI",
    "RAF KODU",
    "SEVİYE",
  ],
};

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
