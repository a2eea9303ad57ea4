import { describe, expect, it } from "vitest";

import { brief, mapOne } from "../helpers/map-sheet.ts";

describe("the words of a platform for a condition", () => {
  it.each([
    ["ebay", "Custom label (SKU)|Condition ID", "1000", "new"],
    ["ebay", "Custom label (SKU)|Condition ID", "3000", "used"],
    ["ebay", "CustomLabel|*ConditionID", 4000, "used"],
    ["ebay", "CustomLabel|*ConditionID", "2500", "E_VALUE_UNKNOWN"],
    ["facebook", "sku|condition", "used_like_new", "used"],
    ["google-merchant", "sku|condition", "refurbished", "E_VALUE_UNKNOWN"],
    ["prestashop", "Reference #|Condition", "used", "used"],
    ["prestashop", "Reference #|Condition", "3000", "E_VALUE_UNKNOWN"],
  ])("are read in its files only: %s %s %s", async (platform, header, text, expected) => {
    const { changes, issues } = await mapOne(header, ["K1", text], { platform });

    expect(changes.product_condition ?? brief(issues)[0]?.split(" ")[1]).toBe(expected);
  });
});
