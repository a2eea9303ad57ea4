import { describe, expect, it } from "vitest";

import { productsPollMs } from "../../../client/lib/products.ts";
import { toSelection } from "../../../client/products/chosen-bar.tsx";
import { listActiveParts } from "../../../client/products/filter-bar.tsx";
import {
  keepFilter,
  moveColumn,
  shownColumns,
  tickColumn,
} from "../../../client/products/list-menus.tsx";
import { DEFAULT_COLUMNS } from "../../../client/products/product-columns.tsx";
import {
  COLUMNS,
  countParts,
  formatProductQuery,
  isAmount,
  MARKS,
  parseQuery,
  type ProductQuery,
  STATUSES,
} from "../../../client/products/product-filter.ts";
import { productsTr } from "../../../client/texts/products-tr.ts";
import {
  PRODUCT_COLUMNS,
  PRODUCT_MARKS,
  PRODUCT_STATUSES,
  productOrderQuery,
} from "../../../src/api/products.ts";

it("repeats the columns, marks and statuses of the server", () => {
  expect([COLUMNS, MARKS, STATUSES]).toEqual([PRODUCT_COLUMNS, PRODUCT_MARKS, PRODUCT_STATUSES]);
});

it("is asked for more often while another person may choose the unit of its prices", () => {
  const soon = productsPollMs({ reading: null, priceUnit: null });

  expect(soon).toBeLessThanOrEqual(5_000);
  expect(productsPollMs({ reading: null, priceUnit: "minor" })).toBeGreaterThan(soon);
});

const QUERIES: readonly ProductQuery[] = [
  { filter: {}, sort: null },
  { filter: { text: "ışık & gölge" }, sort: { column: "price", isDescending: true } },
  { filter: { brand: "Paşabahçe", category: "Ev > Cam" }, sort: null },
  { filter: { status: "veto", marks: ["sold-out", "others"] }, sort: null },
  {
    filter: { priceFrom: "10,50", priceTo: "99.9", stockFrom: 0, stockTo: 5 },
    sort: { column: "title", isDescending: false },
  },
];

describe("the query of the list in the address", () => {
  for (const query of QUERIES) {
    it(`is read back from ${formatProductQuery(query) || "nothing"}`, () => {
      expect(parseQuery(formatProductQuery(query))).toEqual(query);
    });

    it(`is understood by the server: ${formatProductQuery(query) || "nothing"}`, () => {
      const sent = Object.fromEntries(new URLSearchParams(formatProductQuery(query)));
      const { filter, sort } = productOrderQuery.parse(sent);

      expect({ filter: { marks: [], ...query.filter }, sort: query.sort ?? undefined }).toEqual({
        filter,
        sort,
      });
    });
  }

  for (const search of [
    "?status=gone&marks=x,y&sort=nothing",
    "?priceFrom=abc&priceTo=1.299&stockFrom=-1&stockTo=1.5",
    `?text=${"x".repeat(1_001)}`,
    "?text=%20&brand=",
  ]) {
    it(`leaves out what means nothing: ${search.slice(0, 60)}`, () => {
      expect(parseQuery(search)).toEqual({ filter: {}, sort: null });
    });
  }
});

for (const [text, isRight] of [
  ["0", true],
  ["1299", true],
  ["1299,9", true],
  ["1299.90", true],
  ["1.299", false],
  ["1,299.90", false],
  ["-1", false],
  ["", false],
] as const) {
  it(`takes ${JSON.stringify(text)} ${isRight ? "" : "not "}as an amount`, () => {
    expect(isAmount(text)).toBe(isRight);
  });
}

describe("the active parts of a filter", () => {
  const filter = {
    text: "kupa",
    brand: "Karaca",
    priceFrom: "10",
    stockFrom: 1,
    stockTo: 5,
    marks: ["discount", "no-image"] as const,
  };

  it("are counted and named without the text", () => {
    const labels = listActiveParts(filter, productsTr).map(({ label }) => label);

    expect(labels).toEqual([
      "Marka: Karaca",
      "Ödenen fiyat: en az 10",
      "Stok: 1 – 5",
      "İndirimli",
      "Görselsiz",
    ]);
    expect(countParts(filter)).toBe(labels.length);
  });

  it("go one by one, and leave the others", () => {
    const [, price, stock, discount] = listActiveParts(filter, productsTr);

    expect(price?.without).toEqual({ ...filter, priceFrom: undefined });
    expect(stock?.without).toEqual({ ...filter, stockFrom: undefined, stockTo: undefined });
    expect(discount?.without).toEqual({ ...filter, marks: ["no-image"] });
  });
});

describe("chosen products", () => {
  const order = Uint32Array.from([3, 1, 2]);
  const filter = { brand: "Karaca" };

  for (const [ticked, selection] of [
    [[1, 2, 3], { filter }],
    [[1, 3], { numbers: [1, 3] }],
    // One of them is hidden by the filter, so that the filter does not mean them.
    [[1, 2, 3, 9], { numbers: [1, 2, 3, 9] }],
    [[1, 2, 9], { numbers: [1, 2, 9] }],
  ] as const) {
    it(`are sent as ${JSON.stringify(selection)} where ${ticked.join(", ")} are ticked`, () => {
      expect(toSelection(new Set<number>(ticked), order, filter)).toEqual(selection);
    });
  }
});

describe("kept views", () => {
  it("show the columns of the beginning until others are chosen", () => {
    expect(shownColumns({ columns: [] })).toEqual(DEFAULT_COLUMNS);
    expect(shownColumns({ columns: ["title"] })).toEqual(["title"]);
  });

  it("put an added column at its usual place", () => {
    expect(tickColumn(["title", "stock"], "brand", true)).toEqual(["title", "brand", "stock"]);
    expect(tickColumn(["title", "stock"], "stock", false)).toEqual(["title"]);
    expect(tickColumn(["stock", "title"], "status", true)).toEqual(["stock", "title", "status"]);
  });

  it.each([
    ["title", 1, ["code", "stock", "title"]],
    ["title", -1, ["title", "code", "stock"]],
    ["code", -1, ["code", "title", "stock"]],
    ["stock", 1, ["code", "title", "stock"]],
    ["brand", 1, ["code", "title", "stock"]],
  ] as const)("move %s by %s among those that are shown", (column, step, moved) => {
    expect(moveColumn(["code", "title", "stock"], column, step)).toEqual(moved);
  });

  it("replace a filter of the same name", () => {
    const first = { filter: { brand: "A" }, sort: null };
    const views = keepFilter({ columns: [], saved: [] }, "Bir", first);
    const other = { filter: {}, sort: { column: "stock", isDescending: true } } as const;

    expect(keepFilter(views, "Bir", other).saved).toEqual([{ name: "Bir", ...other }]);
    expect(keepFilter(views, "İki", other).saved).toHaveLength(2);
  });
});
