import type { PlatformProfile } from "../platform.ts";

const numbered = (text: string): readonly string[] =>
  [1, 2, 3, 4, 5, 6].map((number) => `${text}${number}`);

/** Product export of Wix Stores. */
export const WIX: PlatformProfile = {
  name: "wix",
  label: "Wix",
  marks: [
    "handleId",
    "fieldType",
    "productImageUrl",
    "ribbon",
    "surcharge",
    "discountMode",
    "discountValue",
    "productOptionName1",
    "productOptionType1",
    "productOptionDescription1",
    "additionalInfoTitle1",
    "customTextField1",
  ],
  needs: ["handleId", "fieldType"],
  fields: {
    product_code: ["sku"],
    title: ["name"],
    description: ["description"],
    category: ["collection"],
    brand: ["brand"],
    price: ["price"],
    discount_type: ["discountMode"],
    discount_value: ["discountValue"],
    stock: ["inventory"],
    images: ["productImageUrl"],
  },
  words: { discountType: { 1: ["AMOUNT"], 2: ["PERCENT"] } },
  surcharge: ["surcharge"],
  variants: {
    rows: {
      kind: "grouped",
      group: ["handleId"],
      ownImage: [],
      besideImage: [],
      type: { headers: ["fieldType"], variant: "variant" },
      carried: ["price", "discount_type", "discount_value"],
    },
    options: numbered("productOptionDescription").map((header) => [header]),
    others: [...numbered("productOptionName"), ...numbered("productOptionType")],
  },
  statuses: [{ headers: ["visible"], unpublished: ["false"] }],
  ids: [],
  notSent: [
    "handleId",
    "fieldType",
    "ribbon",
    "surcharge",
    "visible",
    "weight",
    "cost",
    "additionalInfo…",
    "customTextField…",
    "customTextCharLimit…",
    "customTextMandatory…",
  ],
};
