import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { answeredPrice, idSchemas, priceMinor } from "../src/ids.ts";

it.each(Object.entries(idSchemas))(
  "an id accepts any text but an empty one as an id of kind %s",
  (_name, schema) => {
    expect(schema.parse("5f1e0c2a9d3b4a0011223344")).toBe("5f1e0c2a9d3b4a0011223344");
    expect(schema.parse("kısa")).toBe("kısa");
    for (const value of ["", 5, null, undefined, {}]) {
      expect(schema.safeParse(value).success).toBe(false);
    }
  },
);

describe("priceMinor", () => {
  it.each([[1], [129_990], [Number.MAX_SAFE_INTEGER]])(
    "takes %d as a price in minor units",
    (price) => {
      expect(priceMinor.parse(price)).toBe(price);
    },
  );

  it.each([[0], [-1], [19.99], [2 ** 53], [Number.NaN], [Infinity], ["100"], [null], [undefined]])(
    "refuses %j as a price in minor units",
    (price) => {
      expect(priceMinor.safeParse(price).success).toBe(false);
    },
  );
});

describe("answeredPrice", () => {
  it.each([
    [129_990, 129_990],
    [1299.9, 1299.9],
    ["1299.90", 1299.9],
    ["1299", 1299],
    ["0.07", 0.07],
    ["-5.5", -5.5],
    ["1299.9000", 1299.9],
  ])("reads the answered price %j as %d", (answered, price) => {
    expect(answeredPrice.parse(answered)).toBe(price);
  });

  it.each([
    ["1299,90"],
    ["1.299,90"],
    ["1 299.90"],
    ["12.345"],
    ["1e3"],
    [""],
    ["₺5"],
    [null],
    [NaN],
  ])("refuses the answered price %j, which could be misread", (answered) => {
    expect(answeredPrice.safeParse(answered).success).toBe(false);
  });

  it("keeps every minor unit of a price that is written in whole currency", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (minor) => {
        const text = `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`;

        expect(BigInt(Math.round(answeredPrice.parse(text) * 100))).toBe(minor);
      }),
    );
  });
});
