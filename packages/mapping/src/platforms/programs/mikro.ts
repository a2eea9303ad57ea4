import type { PlatformProfile } from "../platform.ts";

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
