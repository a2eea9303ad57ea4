import { describe, expect, it } from "vitest";

import type { ProductChanges } from "../../src/ports/product.ts";
import { updateBody } from "../../src/testing/rows.ts";
import { createRefusedFieldWatch } from "../../src/verify/capability.ts";

type Sent = readonly [
  state: "done" | "rejected",
  fields: ProductChanges,
  note?: string,
  status?: number,
];

const NAMED = "stock_count cannot be updated";

const namesOf = (field: string): readonly string[] =>
  field === "stock_count" ? ["Stok", "Stock"] : [];

function judge(...sent: readonly Sent[]): readonly string[] {
  const watch = createRefusedFieldWatch({ namesOf });
  for (const [state, fields, note = null, status] of sent) {
    watch.observe({
      state,
      action: "update",
      payload: updateBody("p1", fields),
      changes: [],
      note,
      status,
    });
  }
  return watch.findRefused().map(({ finding, rows }) => `${finding.field} ${rows}`);
}

describe("observing rejected updates with an undocumented field", () => {
  const cases: readonly (readonly [string, readonly Sent[], readonly string[]])[] = [
    [
      "calls the field refused where two messages name it beside other fields",
      [
        ["rejected", { stock_count: 1, warranty_period: 24 }, NAMED],
        ["rejected", { stock_count: 2, title: "Mug" }, NAMED],
      ],
      ["stock_count 2"],
    ],
    [
      "does not call the field refused after one refusal",
      [["rejected", { stock_count: 1 }, NAMED]],
      [],
    ],
    [
      "calls the field refused where two messages use its everyday name",
      [
        ["rejected", { stock_count: 1 }, "Stok: bu çağrıyla güncellenemez", 422],
        ["rejected", { stock_count: 2, title: "Mug" }, "the stock is fixed", 400],
      ],
      ["stock_count 2"],
    ],
    [
      "ignores a word that only starts like the field's name",
      [
        ["rejected", { stock_count: 1 }, "ürün stokta yok"],
        ["rejected", { stock_count: 2 }, "ürün stokta yok"],
      ],
      [],
    ],
    [
      "ignores refusals of the product",
      [
        ["rejected", { stock_count: 1 }, "product not found", 400],
        ["rejected", { stock_count: 2 }, "ürün bulunamadı"],
        ["rejected", { stock_count: 3 }],
      ],
      [],
    ],
    ...[401, 403, 404, 409, 429].map(
      (status): readonly [string, readonly Sent[], readonly string[]] => [
        `ignores a ${status} that names the field`,
        [
          ["rejected", { stock_count: 1 }, NAMED, status],
          ["rejected", { stock_count: 2 }, NAMED, status],
        ],
        [],
      ],
    ),
    [
      "does not call the field refused where one update with it succeeded",
      [
        ["rejected", { stock_count: 1 }, NAMED],
        ["rejected", { stock_count: 3 }, NAMED],
        ["done", { stock_count: 2 }],
      ],
      [],
    ],
    [
      "does not call the field refused where another field may be the reason",
      [
        ["rejected", { stock_count: 1, warranty_period: 24 }],
        ["rejected", { stock_count: 2, warranty_period: 24 }],
      ],
      [],
    ],
    [
      "never calls a discount field refused",
      [
        ["rejected", { has_discount: true, discount_value: 9 }, "discount_value is too high"],
        ["rejected", { has_discount: true, discount_value: 8 }, "discount_value is too high"],
      ],
      [],
    ],
    [
      "never calls a documented field refused",
      [
        ["rejected", { title: "Mug" }, "title is too long"],
        ["rejected", { title: "Cup" }, "title is too long"],
      ],
      [],
    ],
  ];
  it.each(cases)("%s", (_name, sent, expected) => expect(judge(...sent)).toEqual(expected));
});
