import {
  createIssue,
  createTestConnection,
  CUP,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas, priceMinor } from "@catalog/contract";
import { PRICE_UNIT_CODE } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { indexRows, type RowIndex } from "../src/run-order.ts";
import { readRowViews } from "../src/run-view.ts";

const ID = idSchemas.product.parse("p-1");

const toUpdate = (code: string, old: number, next: number, more: Partial<StoredRow> = {}) =>
  ({
    cells: [code],
    action: "update",
    payload: { product_id: ID, price: priceMinor.parse(next) },
    changes: [{ field: "price", old, new: next }],
    ...more,
  }) satisfies StoredRow;

/** Row 2 is the first; the stock of the new product is 5. */
const ROWS: readonly StoredRow[] = [
  toUpdate("Ş-10", 10_000, 11_000),
  toUpdate("S-9", 20_000, 4_000, {
    state: "held",
    issues: [createIssue({ code: "E_GUARD_PRICE_DROP", row: 3 })],
  }),
  { cells: ["ı-1"], action: "add", payload: { ...CUP, title: "Çaydanlık" } },
  {
    cells: ["S-10"],
    action: "update",
    payload: { product_id: ID, stock_count: 70 },
    changes: [{ field: "stock_count", old: 4, new: 70 }],
  },
  { cells: ["Z-1"], state: "invalid", issues: [createIssue({ row: 6 })] },
  toUpdate("Z-2", 100, 9_000, {
    state: "held",
    payload: { product_id: ID, price: priceMinor.parse(9_000), stock_count: 3 },
    changes: [
      { field: "price", old: 100, new: 9_000 },
      { field: "stock_count", old: 2, new: 3 },
    ],
    issues: [createIssue({ code: PRICE_UNIT_CODE, row: 7 })],
  }),
];

async function openRun() {
  const { connection } = await createTestConnection();
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows: ROWS });
  return { connection, run, index: await indexRows(connection, run) };
}

type Listing = Parameters<RowIndex["list"]>[0];

const up = (column: NonNullable<Listing["sort"]>["column"]): Listing => ({
  filter: {},
  sort: { column, isDescending: false },
});

const down = (column: NonNullable<Listing["sort"]>["column"]): Listing => ({
  filter: {},
  sort: { column, isDescending: true },
});

describe("the order of rows", () => {
  const cases: readonly (readonly [string, Listing, readonly number[]])[] = [
    ["as in the sheet", { filter: {} }, [2, 3, 4, 5, 6, 7]],
    ["by code, with numbers and Turkish letters in their order", up("code"), [4, 3, 5, 2, 6, 7]],
    ["by title, rows without one last", down("title"), [4, 2, 3, 5, 6, 7]],
    ["by state, mistakes first", up("state"), [6, 3, 7, 2, 4, 5]],
    ["by old price", up("old"), [7, 2, 3, 4, 5, 6]],
    ["by new price", down("new"), [4, 2, 7, 3, 5, 6]],
    ["by percent", up("percent"), [3, 2, 7, 4, 5, 6]],
    ["by stock", down("stock"), [5, 4, 7, 2, 3, 6]],
    ["by the size of the change", down("changes"), [7, 3, 2, 5, 4, 6]],
    ["held rows", { filter: { states: ["held"] } }, [3, 7]],
    ["held rows that may be let go", { filter: { states: ["held"], isFree: true } }, [3]],
    ["held rows whose stock goes", { filter: { states: ["held"], sendsStock: true } }, [7]],
    ["adds", { filter: { action: "add" } }, [4]],
    ["rows of a guard", { filter: { group: "price-drop" } }, [3]],
    ["rows that change a field", { filter: { field: "stock_count" } }, [5, 7]],
    ["rows with an issue", { filter: { code: "E_NOT_A_NUMBER" } }, [6]],
    ["rows with a text, however its letters are written", { filter: { text: "CAYDANLIK" } }, [4]],
    ["rows with a price", { filter: { text: "200,00" } }, [3]],
    ["nothing", { filter: { text: "Kupa" } }, []],
  ];

  it.each(cases)("lists %s", async (_name, listing, expected) => {
    const { index } = await openRun();

    expect([...(await index.list(listing))]).toEqual(expected);
  });
});

it("reads rows in the order that was asked for, without numbers that no row has", async () => {
  const { connection, run } = await openRun();

  const rows = await readRowViews(connection, run, { rows: [7, 2, 99, 4], lang: "tr" });

  expect(rows.map(({ row, code, title }) => [row, code, title])).toEqual([
    [7, "Z-2", null],
    [2, "Ş-10", null],
    [4, "ı-1", "Çaydanlık"],
  ]);
});
