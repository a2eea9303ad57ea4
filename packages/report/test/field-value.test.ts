import { productId } from "@catalog/contract";
import type { Payload } from "@catalog/runs";
import { expect, test } from "vitest";

import { formatFieldValue, payloadBefore } from "../src/field-values.ts";

const show = (value: number, sent: Payload | null): string =>
  formatFieldValue("discount_value", value, { payload: sent, lang: "tr" });

test("the old value of a discount is read with its old type, where that changes", () => {
  const payload: Payload = { product_id: productId.parse("p-1"), discount_type: 3 };
  const changes = [
    { field: "discount_type", old: 2, new: 3 },
    { field: "discount_value", old: 20, new: 9_000 },
  ];
  const before = payloadBefore({ payload, changes });
  expect([show(20, before), show(9_000, payload)]).toEqual(["20", "90,00"]);
  expect(payloadBefore({ payload, changes: [] })).toBe(payload);
});
