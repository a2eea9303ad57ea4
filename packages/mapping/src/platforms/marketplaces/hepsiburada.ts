import type { PlatformProfile } from "../platform.ts";

/** Upload form and list of offers of Hepsiburada. */
export const HEPSIBURADA: PlatformProfile = {
  name: "hepsiburada",
  label: "Hepsiburada",
  marks: [
    "Satıcı Stok Kodu",
    "Varyant Grup Id",
    "Garanti Süresi (Ay)",
    "Video1",
    "Satışa Hazır",
    "Kargo Firması 1",
    "Kargoya Veriliş Süresi",
    "Maksimum Satış Adedi",
  ],
  needs: ["Satıcı Stok Kodu"],
  fields: {
    product_code: ["Satıcı Stok Kodu"],
    title: ["Ürün Adı"],
    description: ["Ürün Açıklaması"],
    brand: ["Marka"],
    category: ["Kategori"],
    price: ["Fiyat"],
    stock: ["Stok"],
    warranty_period: ["Garanti Süresi (Ay)"],
  },
  // The code of the product in the catalog of the platform.
  ids: ["SKU", "HB SKU", "Varyant Grup Id"],
  notSent: [
    "Barkod",
    "Desi",
    "KDV",
    "Video1",
    "Komisyon Oranı",
    "Kargoya Veriliş Süresi",
    "Kargo Firması 1",
    "Kargo Firması 2",
    "Kargo Firması 3",
    "Maksimum Satış Adedi",
    "Satışa Hazır",
    "Durum",
  ],
};
