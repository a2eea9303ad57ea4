import type { PlatformProfile } from "../platform.ts";

/** Upload form of Çiçeksepeti. */
export const CICEKSEPETI: PlatformProfile = {
  name: "ciceksepeti",
  label: "Çiçeksepeti",
  marks: [
    "Tedarikçi Ürün Stok Kodu",
    "Tedarikçi Varyant Stok Kodu",
    "Varyant Yapan Özellikler",
    "Kişiselleştirilebilir Özellikler",
    "KDV Dahil Üstü Çizili Fiyat",
    "Teslimat Türü",
  ],
  fields: {
    // All variants of a product have its stock code.
    product_code: ["Tedarikçi Varyant Stok Kodu", "Tedarikçi Ürün Stok Kodu"],
    title: ["Ürün Adı"],
    description: ["Açıklama"],
    price: ["KDV Dahil Satış Fiyatı"],
    list_price: ["KDV Dahil Üstü Çizili Fiyat"],
    stock: ["Stok Miktarı"],
    image_1: ["Ürün Görseli"],
  },
  statuses: [
    { headers: ["Durum", "Ürün Durumu"], unpublished: ["Pasif", "Satışa Kapalı", "Reddedildi"] },
  ],
  ids: [],
  notSent: ["Barkod", "Durum", "Ürün Durumu", "Teslimat Tipi", "Teslimat Türü", "Youtube Linki"],
};
