import type { PlatformProfile } from "../platform.ts";

/** Product list of T-Soft. No source shows how its files hold variants, so each row is a product. */
export const T_SOFT: PlatformProfile = {
  name: "t-soft",
  label: "T-Soft",
  marks: ["Web Servis Kodu", "Tedarikçi Ürün Kodu", "Stok Birimi", "Ürün İd", "SEO Link"],
  needs: ["Web Servis Kodu"],
  fields: {
    title: ["Ürün Adı"],
    brand: ["Marka"],
    stock: ["Stok"],
  },
  // The shop's own number; some shops keep their stock code in it and some the supplier's.
  unsure: { product_code: ["Web Servis Kodu"] },
  statuses: [{ headers: ["Aktif"], unpublished: ["0", "false", "hayır"] }],
  ids: ["Ürün İd"],
  notSent: ["Barkod", "Stok Birimi", "Aktif", "SEO Link", "Tedarikçi", "Tedarikçi Ürün Kodu"],
};
