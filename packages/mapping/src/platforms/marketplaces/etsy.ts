import type { PlatformProfile } from "../platform.ts";

/** All variations of a listing stand in its one row. */
const VARIATIONS: readonly string[] = [1, 2].flatMap((number) =>
  ["TYPE", "NAME", "VALUES"].map((part) => `VARIATION ${number} ${part}`),
);

/** Download of the listings of an Etsy shop. */
export const ETSY: PlatformProfile = {
  name: "etsy",
  label: "Etsy",
  marks: ["CURRENCY_CODE", "MATERIALS", ...VARIATIONS],
  fields: {
    product_code: ["SKU"],
    title: ["TITLE"],
    description: ["DESCRIPTION"],
    price: ["PRICE"],
    currency: ["CURRENCY_CODE"],
    stock: ["QUANTITY"],
    image_1: ["IMAGE1"],
    image_2: ["IMAGE2"],
    image_3: ["IMAGE3"],
    image_4: ["IMAGE4"],
    image_5: ["IMAGE5"],
    image_6: ["IMAGE6"],
    image_7: ["IMAGE7"],
    image_8: ["IMAGE8"],
    images: ["IMAGE9", "IMAGE10"],
  },
  // A listing with variations is one row with the codes of all of them, and their stocks together.
  listings: { variations: ["VARIATION 1 TYPE", "VARIATION 2 TYPE"], separator: "," },
  ids: [],
  notSent: ["TAGS", "MATERIALS", ...VARIATIONS],
};
