import type { PlatformProfile } from "../platform.ts";
import {
  FEED_FIELDS,
  FEED_MARKS,
  FEED_NOT_SENT,
  FEED_STOCK,
  FEED_WORDS,
} from "./google-merchant.ts";

/** Headers that the feeds of Google do not have. */
const OWN_MARKS: readonly string[] = [
  "quantity_to_sell_on_facebook",
  "fb_product_category",
  "rich_text_description",
  "video[0].url",
  "product_tags[0]",
  "style[0]",
];

/** Product catalog of Facebook and Instagram (Meta Commerce). */
export const FACEBOOK: PlatformProfile = {
  name: "facebook",
  label: "Facebook",
  marks: [...FEED_MARKS, ...OWN_MARKS],
  needs: OWN_MARKS,
  fields: { ...FEED_FIELDS, stock: ["quantity_to_sell_on_facebook", "inventory"] },
  unsure: { product_code: ["id"] },
  salePeriod: { spans: ["sale_price_effective_date"] },
  stock: FEED_STOCK,
  words: FEED_WORDS,
  statuses: [
    { headers: ["status"], unpublished: ["archived"] },
    { headers: ["visibility"], unpublished: ["hidden", "staging"] },
  ],
  ids: ["google_product_category", "fb_product_category"],
  notSent: [...FEED_NOT_SENT, "status", "visibility", "style[0]", "product_tags[…", "video[…"],
};
