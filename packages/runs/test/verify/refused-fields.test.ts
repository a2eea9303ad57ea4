import { type ProductChanges } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createRefusalWatch } from "../../src/verify/refused-fields.ts";
import { updateBody } from "../helpers/products.ts";

type Sent = readonly [
  state: "done" | "rejected",
  fields: ProductChanges,
  note?: string,
  status?: number,
];

const NAMED = "stock_count cannot be updated";

const wordsOf = (field: string): readonly string[] =>
  field === "stock_count" ? ["Stok", "Stock"] : [];

function judge(...sent: readonly Sent[]): readonly string[] {
  const watch = createRefusalWatch({ wordsOf });
  for (const [state, fields, note = null, status] of sent) {
    watch.observe({ state, action: "update", payload: updateBody("p1", fields), note, status });
  }
  return watch.judge().map(({ finding, rows }) => `${finding.field} ${rows}`);
}

describe("an undocumented field", () => {
  const cases: readonly (readonly [string, readonly Sent[], readonly string[]])[] = [
    [
      "is refused where the words name it, whatever stands beside it",
      [
        ["rejected", { stock_count: 1, warranty_period: 24 }, NAMED],
        ["rejected", { stock_count: 2, title: "Mug" }, NAMED],
      ],
      ["stock_count 2"],
    ],
    [
      "is not blamed for one refusal, which may be of its value",
      [["rejected", { stock_count: 1 }, NAMED]],
      [],
    ],
    [
      "is refused where the words call it what people do, and it is the only one",
      [
        ["rejected", { stock_count: 1 }, "Stok: bu çağrıyla güncellenemez", 422],
        ["rejected", { stock_count: 2, title: "Mug" }, "the stock is fixed", 400],
      ],
      ["stock_count 2"],
    ],
    [
      "is not blamed for a word that only begins like it",
      [
        ["rejected", { stock_count: 1 }, "ürün stokta yok"],
        ["rejected", { stock_count: 2 }, "ürün stokta yok"],
      ],
      [],
    ],
    [
      "is not blamed for refusals of the product, though nothing else was sent",
      [
        ["rejected", { stock_count: 1 }, "product not found", 400],
        ["rejected", { stock_count: 2 }, "ürün bulunamadı"],
        ["rejected", { stock_count: 3 }],
      ],
      [],
    ],
    ...[401, 403, 404, 409, 429].map(
      (status): readonly [string, readonly Sent[], readonly string[]] => [
        `is not blamed for a ${status}, whatever it says`,
        [
          ["rejected", { stock_count: 1 }, NAMED, status],
          ["rejected", { stock_count: 2 }, NAMED, status],
        ],
        [],
      ],
    ),
    [
      "is not refused where one update with it went through",
      [
        ["rejected", { stock_count: 1 }, NAMED],
        ["rejected", { stock_count: 3 }, NAMED],
        ["done", { stock_count: 2 }],
      ],
      [],
    ],
    [
      "is not blamed where another could be the reason",
      [
        ["rejected", { stock_count: 1, warranty_period: 24 }],
        ["rejected", { stock_count: 2, warranty_period: 24 }],
      ],
      [],
    ],
    [
      "is not a discount, which the price decides about",
      [
        ["rejected", { has_discount: true, discount_value: 9 }, "discount_value is too high"],
        ["rejected", { has_discount: true, discount_value: 8 }, "discount_value is too high"],
      ],
      [],
    ],
    [
      "is not one that is documented",
      [
        ["rejected", { title: "Mug" }, "title is too long"],
        ["rejected", { title: "Cup" }, "title is too long"],
      ],
      [],
    ],
  ];
  for (const [name, sent, expected] of cases) {
    it(name, () => expect(judge(...sent)).toEqual(expected));
  }
});
