import type { PlatformProfile } from "../platform.ts";

/** Product list of n11. */
export const N11: PlatformProfile = {
  name: "n11",
  label: "n11",
  marks: [
    "Mağaza Ürün Kodu",
    "Mağaza Stok Kodu",
    "Katalog ID",
    "Ürün Statüsü",
    "Mağaza Notu",
    "Varyant özellik",
    "n Ürün Kodu",
    "Teslimat Şablonu İsmi",
  ],
  fields: {
    product_code: ["Mağaza Ürün Kodu", "Mağaza Stok Kodu"],
    title: ["Ürün Başlığı"],
    sub_title: ["Alt Başlık"],
    currency: ["Para Birimi"],
    price: ["Satış Fiyatı"],
    list_price: ["Piyasa Satış Fiyatı"],
    stock: ["Stok"],
    shipping_template: ["Teslimat Şablonu İsmi"],
    note: ["Mağaza Notu"],
  },
  statuses: [
    {
      headers: ["Ürün Statüsü", "Satış Durumu"],
      unpublished: ["Satışa Kapalı", "Beklemede", "Yasaklı", "Listelenmemiş", "Pasif"],
    },
  ],
  ids: ["Kategori ID", "Katalog ID", "Ürün Kodu", "n Ürün Kodu", "n11 Ürün Kodu"],
  notSent: ["Barkod", "Ürün Statüsü", "Satış Durumu", "Hazırlık Süresi", "Komisyon Oranı"],
};
