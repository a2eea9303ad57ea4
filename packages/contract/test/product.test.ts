import { describe, expect, it } from "vitest";

import {
  DOCUMENTED_UPDATE_FIELDS,
  productEndpoints,
  UNDOCUMENTED_ADD_FIELDS,
} from "../src/product.ts";
import { CUP } from "./helpers/product-add.ts";

const { add, list, update } = productEndpoints;

/** Paths of what a body is refused for. */
function refusedAt(schema: typeof add.input | typeof update.input, body: unknown): string[] {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join("."));
}

/** Paths of what an add with this discount is refused for. */
const refused = (discount: object): string[] => refusedAt(add.input, { ...CUP, ...discount });

const read = (product: object): unknown =>
  list.data.parse({ total: 1, result: [product] }).result[0];

const takes = (product: object): boolean =>
  list.data.safeParse({ total: 1, result: [product] }).success;

describe("the body of an add", () => {
  it("is taken with the required fields alone, as it is", () => {
    expect(add.input.parse(CUP)).toEqual(CUP);
  });

  it("is taken with every field", () => {
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

  it("is refused for each required field that is missing", () => {
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
  ])("is refused when %s is %j", (field, value) => {
    expect(refusedAt(add.input, { ...CUP, [field]: value })).toEqual([field]);
  });

  it.each([
    ["currency", ["TL", "USD", "EUR"]],
    ["warranty_type", [1, 2, 3, 4]],
    ["warranty_period", [0, 12, 24, 36]],
    ["product_condition", ["new", "used"]],
  ])("takes every specified value of %s", (field, values) => {
    for (const value of values) {
      expect(refusedAt(add.input, { ...CUP, [field]: value })).toEqual([]);
    }
  });

  it("is refused for an image without an address and a property without an option", () => {
    expect(refusedAt(add.input, { ...CUP, images: ["https://a.example/1.jpg", ""] })).toEqual([
      "images.1",
    ]);
    expect(refusedAt(add.input, { ...CUP, properties: [{ property_id: "p-1" }] })).toEqual([
      "properties.0.option_id",
    ]);
  });
});

describe("a discount", () => {
  it("needs its type and its value", () => {
    expect(refused({ has_discount: true })).toEqual(["discount_type", "discount_value"]);
    expect(refused({ has_discount: true, discount_type: 1 })).toEqual(["discount_value"]);
    expect(refused({ has_discount: true, discount_value: 5 })).toEqual(["discount_type"]);
  });

  it("needs neither when there is none", () => {
    expect(refused({ has_discount: false })).toEqual([]);
  });

  it("is of type 1, 2 or 3", () => {
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
  ])("of %d percent is taken: %s", (rate, isTaken) => {
    const body = { has_discount: true, discount_type: 2, discount_value: rate };

    expect([...new Set(refused(body))]).toEqual(isTaken ? [] : ["discount_value"]);
  });

  it("of an amount may pass 99", () => {
    expect(refused({ has_discount: true, discount_type: 1, discount_value: 100 })).toEqual([]);
    expect(refused({ has_discount: true, discount_type: 3, discount_value: 9900 })).toEqual([]);
  });

  it("is held to its limits in an update too", () => {
    const change = { product_id: "p-1", discount_type: 2, discount_value: 100 };

    expect(refusedAt(update.input, change)).toEqual(["discount_value"]);
    expect(refusedAt(update.input, { product_id: "p-1", has_discount: true })).toEqual([
      "discount_type",
      "discount_value",
    ]);
  });
});

describe("the body of an update", () => {
  it("needs the product's id and nothing else", () => {
    expect(update.input.parse({ product_id: "p-1" })).toEqual({ product_id: "p-1" });
    expect(refusedAt(update.input, { title: "Fincan" })).toEqual(["product_id"]);
  });

  it("holds a field that is there to the rules of an add", () => {
    const changes = { product_id: "p-1", price: 0, stock_count: -1, title: "", images: [] };

    expect(refusedAt(update.input, changes).toSorted()).toEqual([
      "images",
      "price",
      "stock_count",
      "title",
    ]);
  });

  it("documents six fields, and add none for properties", () => {
    expect(DOCUMENTED_UPDATE_FIELDS).toEqual([
      "title",
      "sub_title",
      "brand_id",
      "brand_model",
      "description",
      "price",
    ]);
    expect(UNDOCUMENTED_ADD_FIELDS).toEqual(["properties"]);
  });
});

describe("the query of the product listing", () => {
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
  ])("with %s %j is taken: %s", (field, value, isTaken) => {
    expect(list.input.safeParse({ [field]: value }).success).toBe(isTaken);
  });
});

describe("an element of the product listing", () => {
  it("needs only its id", () => {
    expect(read({ id: "p-1" })).toEqual({ id: "p-1" });
    expect(takes({ title: "Fincan" })).toBe(false);
    expect(takes({ id: "" })).toBe(false);
  });

  it("keeps keys that the specification does not name", () => {
    expect(read({ id: "p-1", colour: "mavi" })).toEqual({ id: "p-1", colour: "mavi" });
  });

  it("may hold null wherever it may leave a field out", () => {
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

  it("holds the price as a number, the shipping price as text and no discount as false", () => {
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
  ])("is refused when %s is %j", (field, value) => {
    expect(takes({ id: "p-1", [field]: value })).toBe(false);
  });
});

describe("the answer to an add", () => {
  it("needs a status that is true or false", () => {
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
  ])("is refused when it is %j", (answer) => {
    expect(add.data.safeParse(answer).success).toBe(false);
  });
});

describe("the answer to an update", () => {
  it.each([[undefined], [null], ["ok"], [{ status: true }]])("may be %j", (answer) => {
    expect(update.data.parse(answer)).toEqual(answer);
  });
});
