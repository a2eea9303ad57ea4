import { describe, expect, it } from "vitest";

import { productEndpoints } from "../../src/resources/product.ts";
import { CUP } from "../helpers/product-add.ts";

const { add, list, update } = productEndpoints;

/** Paths at which the schema refuses a body. */
function refusedAt(schema: typeof add.input | typeof update.input, body: unknown): string[] {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join("."));
}

/** Paths at which an add with this discount is refused. */
const refused = (discount: object): string[] => refusedAt(add.input, { ...CUP, ...discount });

const read = (product: object): unknown =>
  list.data.parse({ total: 1, result: [product] }).result[0];

const takes = (product: object): boolean =>
  list.data.safeParse({ total: 1, result: [product] }).success;

describe("the body of an add", () => {
  it("takes an add that has only the required fields, and changes nothing in it", () => {
    expect(add.input.parse(CUP)).toEqual(CUP);
  });

  it("takes an add that has every field", () => {
    const body = {
      ...CUP,
      currency: "EUR",
      has_discount: true,
      discount_type: 3,
      discount_value: 9900,
      product_condition: "used",
      custom_order_input: true,
      properties: [{ property_id: "p-1", option_id: "o-1" }],
    };

    expect(add.input.parse(body)).toEqual(body);
  });

  it("refuses an add without one of its required fields", () => {
    for (const field of Object.keys(CUP)) {
      const { [field]: _left, ...rest } = CUP;

      expect(refusedAt(add.input, rest)).toEqual([field]);
    }
  });

  it.each([
    ["title", ""],
    ["sub_title", ""],
    ["brand_id", ""],
    ["brand_model", ""],
    ["description", ""],
    ["currency", "TRY"],
    ["currency", "GBP"],
    ["price", 0],
    ["price", -1],
    ["price", 19.99],
    ["price", "1999"],
    ["price", Number.NaN],
    ["product_code", ""],
    ["product_code", 42],
    ["warranty_type", 0],
    ["warranty_type", 5],
    ["warranty_type", "1"],
    ["warranty_period", 6],
    ["warranty_period", 48],
    ["has_discount", 1],
    ["category_id", null],
    ["shipping_template_id", 7],
    ["stock_count", -1],
    ["stock_count", 1.5],
    ["product_condition", "refurbished"],
    ["images", []],
    ["custom_order_input", "true"],
  ])("refuses an add whose %s is %j", (field, value) => {
    expect(refusedAt(add.input, { ...CUP, [field]: value })).toEqual([field]);
  });

  it.each([
    ["currency", ["TL", "USD", "EUR"]],
    ["warranty_type", [1, 2, 3, 4]],
    ["warranty_period", [0, 12, 24, 36]],
    ["product_condition", ["new", "used"]],
  ])("takes every specified value of %s in an add", (field, values) => {
    for (const value of values) {
      expect(refusedAt(add.input, { ...CUP, [field]: value })).toEqual([]);
    }
  });

  it("refuses an add with an image without an address or a property without an option", () => {
    expect(refusedAt(add.input, { ...CUP, images: ["https://a.example/1.jpg", ""] })).toEqual([
      "images.1",
    ]);
    expect(refusedAt(add.input, { ...CUP, properties: [{ property_id: "p-1" }] })).toEqual([
      "properties.0.option_id",
    ]);
  });
});

describe("a discount", () => {
  it("refuses a discount without its type or its value", () => {
    expect(refused({ has_discount: true })).toEqual(["discount_type", "discount_value"]);
    expect(refused({ has_discount: true, discount_type: 1 })).toEqual(["discount_value"]);
    expect(refused({ has_discount: true, discount_value: 5 })).toEqual(["discount_type"]);
  });

  it("needs no discount type and value when there is no discount", () => {
    expect(refused({ has_discount: false })).toEqual([]);
  });

  it("takes discount types 1, 2 and 3 only", () => {
    const five = { has_discount: true, discount_value: 5 };

    for (const type of [1, 2, 3]) expect(refused({ ...five, discount_type: type })).toEqual([]);
    for (const type of [0, 4]) {
      expect(refused({ ...five, discount_type: type })).toEqual(["discount_type"]);
    }
  });

  it.each([
    [1, true],
    [99, true],
    [0, false],
    [100, false],
    [12.5, false],
  ])("accepts a discount of %d percent: %s", (rate, isTaken) => {
    const body = { has_discount: true, discount_type: 2, discount_value: rate };

    expect([...new Set(refused(body))]).toEqual(isTaken ? [] : ["discount_value"]);
  });

  it("takes a discount amount above 99", () => {
    expect(refused({ has_discount: true, discount_type: 1, discount_value: 100 })).toEqual([]);
    expect(refused({ has_discount: true, discount_type: 3, discount_value: 9900 })).toEqual([]);
  });

  it("checks the limits of a discount in an update too", () => {
    const change = { product_id: "p-1", discount_type: 2, discount_value: 100 };

    expect(refusedAt(update.input, change)).toEqual(["discount_value"]);
    expect(refusedAt(update.input, { product_id: "p-1", has_discount: true })).toEqual([
      "discount_type",
      "discount_value",
    ]);
  });
});

describe("the body of an update", () => {
  it("takes an update that has only the product's id", () => {
    expect(update.input.parse({ product_id: "p-1" })).toEqual({ product_id: "p-1" });
    expect(refusedAt(update.input, { title: "Fincan" })).toEqual(["product_id"]);
  });

  it("checks each field of an update by the rules of an add", () => {
    const changes = { product_id: "p-1", price: 0, stock_count: -1, title: "", images: [] };

    expect(refusedAt(update.input, changes).toSorted()).toEqual([
      "images",
      "price",
      "stock_count",
      "title",
    ]);
  });
});

it("documents every field of an add but its properties", () => {
  expect(add.undocumentedFields).toEqual(["properties"]);
});

it.each([
  ["status", "approved", true],
  ["status", "passive", true],
  ["status", "veto", true],
  ["status", "draft", false],
  ["sort_by_date", "ascending", true],
  ["sort_by_date", "asc", false],
  ["ids", ["p-1", "p-2"], true],
  ["ids", "p-1,p-2", false],
  ["start_date", 1_700_000_000, true],
  ["start_date", "2024-01-01", false],
])(
  "the query of the product listing accepts a product query with %s %j: %s",
  (field, value, isTaken) => {
    expect(list.input.safeParse({ [field]: value }).success).toBe(isTaken);
  },
);

describe("an element of the product listing", () => {
  it("accepts an element of the product listing that has only an id", () => {
    expect(read({ id: "p-1" })).toEqual({ id: "p-1" });
    expect(takes({ title: "Fincan" })).toBe(false);
    expect(takes({ id: "" })).toBe(false);
  });

  it("keeps keys of a listed product that the specification does not name", () => {
    expect(read({ id: "p-1", colour: "mavi" })).toEqual({ id: "p-1", colour: "mavi" });
  });

  it("accepts null in every optional field of a listed product", () => {
    const product = {
      id: "p-1",
      title: null,
      subtitle: null,
      product_code: null,
      brand_id: null,
      stock: null,
      properties: null,
      variants: null,
      price: null,
      has_discount: null,
      discount_value: null,
      shipping_price: null,
      shipping_template_id: null,
      images: null,
    };

    expect(read(product)).toEqual(product);
  });

  it("reads a listed product's price as a number, its shipping price as text and false as no discount", () => {
    const product = { id: "p-1", price: 129.9, shipping_price: "0.00", discount_value: false };

    expect(read(product)).toEqual(product);
    expect(takes({ id: "p-1", discount_value: 15 })).toBe(true);
  });

  it.each([
    ["price", "129,90"],
    ["stock", "5"],
    ["title", 5],
    ["has_discount", "false"],
    ["discount_value", true],
    ["discount_value", "%15"],
    ["shipping_price", 0],
    ["images", "https://ornek.example/1.jpg"],
    ["properties", [{ property_id: 5 }]],
  ])("refuses a listed product whose %s is %j", (field, value) => {
    expect(takes({ id: "p-1", [field]: value })).toBe(false);
  });
});

describe("the answer to an add", () => {
  it("refuses an answer to an add whose status is not true or false", () => {
    expect(add.data.parse({ status: true, product_id: "p-1" })).toEqual({
      status: true,
      product_id: "p-1",
    });
    expect(add.data.safeParse({ status: false, message: null, product_id: null }).success).toBe(
      true,
    );
  });

  it.each([
    [{}],
    [{ status: "true" }],
    [{ status: 1 }],
    [{ status: null }],
    [{ status: true, product_id: 5 }],
    [{ status: true, product_id: "" }],
    [null],
    ["ok"],
  ])("refuses the answer %j to an add", (answer) => {
    expect(add.data.safeParse(answer).success).toBe(false);
  });
});

it.each([[undefined], [null], ["ok"], [{ status: true }]])(
  "the answer to an update accepts the answer %j to an update",
  (answer) => {
    expect(update.data.parse(answer)).toEqual(answer);
  },
);
