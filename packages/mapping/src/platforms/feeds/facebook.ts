import type { PlatformProfile } from "../platform.ts";
import { FEED_FIELDS, FEED_MARKS, FEED_NOT_SENT, FEED_STOCK } from "./google-merchant.ts";

/** Product catalog of Facebook and Instagram (Meta Commerce). */
export const FACEBOOK: PlatformProfile = {
  name: "facebook",
  label: "Facebook",
  marks: [...FEED_MARKS, "quantity_to_sell_on_facebook", "fb_product_category", "video[0].url"],
  needs: ["quantity_to_sell_on_facebook", "fb_product_category", "video[0].url"],
  fields: { ...FEED_FIELDS, stock: ["quantity_to_sell_on_facebook"] },
  unsure: { product_code: ["id"] },
  doubts: [{ field: "sale_price", when: ["sale_price_effective_date"], is: "filled" }],
  stock: FEED_STOCK,
  ids: ["google_product_category", "fb_product_category"],
  notSent: [...FEED_NOT_SENT, "video[0].url"],
};
