import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { formatMoney, parseMoney, splitCurrency } from "../../src/values/money.ts";
import { casesOf } from "../helpers/cases-of.ts";

const read = (value: string | number | boolean | null): string => {
  const reading = parseMoney(value);
  if (!reading.ok) return reading.problem.text;
  const { minor, currency } = reading.value;
  return currency === undefined ? `${minor}` : `${minor} ${currency}`;
};

describe("parseMoney", () => {
  const numbers: readonly (readonly [number | boolean | null, string])[] = [
    [19.99, "1999"],
    [19.989999999999998, "1999"],
    [57.699999999999996, "5770"],
    [1.005, "E_PRICE_PRECISION"],
    [0.0000001, "E_PRICE_NOT_POSITIVE"],
    [0, "E_PRICE_NOT_POSITIVE"],
    [-1, "E_PRICE_NOT_POSITIVE"],
    [1e21, "E_NUMBER_TOO_LARGE"],
    [Number.NaN, "E_NOT_A_NUMBER"],
    [true, "E_NOT_A_NUMBER"],
    [null, "E_NOT_A_NUMBER"],
  ];
  const texts = casesOf({
    "123456": "1.234,56|1,234.56",
    "1999 TL": "19,99 TL|₺19,99|19.99 TRY",
    "1999 USD": "$ 19.99",
    "1999 EUR": "19,99 €|EUR 19,99 €",
    "129990": "1 299,90|1\u2009299,90",
    "129900": "1299",
    "10000": "1e2",
    "5812": "58.120000000000005|58.1200000000001234",
    "1990": "\u00a019,9 ",
    E_PRICE_PRECISION: "58.123456789012|1999,999",
    E_NUMBER_AMBIGUOUS: "1.234|19,999",
    E_PRICE_NOT_POSITIVE: "0|0,00|-5",
    E_NOT_A_NUMBER: "1E+3|0x10|١٢|$19,99 TL|abc|",
    "E_PRICE_CURRENCY.unknown": "19,99 GBP|$19,99 GBP",
    E_NUMBER_TOO_LARGE: "99999999999999999999",
  });
  for (const [value, expected] of [...numbers, ...texts]) {
    it(`reads ${JSON.stringify(value)} as ${expected}`, () => expect(read(value)).toBe(expected));
  }

  it("reads back every amount that formatMoney writes, in both notations", () => {
    const minor = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(minor, fc.constantFrom("comma", "point"), (amount, decimal) => {
        const reading = parseMoney(formatMoney(amount, decimal), { decimal, isMixed: false });
        return reading.ok && Number(reading.value.minor) === amount;
      }),
    );
  });

  it("reads a bare number as it reads it with a currency", () => {
    const bare = fc.stringMatching(/^\d{1,14}(?:[.,]\d{1,4})?$/u);
    const decimal = fc.constantFrom("comma" as const, "point" as const, undefined);
    fc.assert(
      fc.property(bare, decimal, fc.boolean(), (text, sign, isMixed) => {
        const notation = { decimal: sign, isMixed };
        const alone = parseMoney(text, notation);
        const named = parseMoney(`${text} TL`, notation);

        expect(alone.ok ? alone.value.minor : alone.problem).toEqual(
          named.ok ? named.value.minor : named.problem,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it("reads every number cell with two decimals exactly", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e12 }),
        (amount) => read(amount / 100) === `${amount}`,
      ),
    );
  });
});

it("formatMoney groups thousands and always writes two decimals", () => {
  expect(formatMoney(129990)).toBe("1.299,90");
  expect(formatMoney(123456789, "point")).toBe("1,234,567.89");
  expect(formatMoney(5)).toBe("0,05");
});

it("splitCurrency finds nothing beside a word that is no currency", () => {
  expect(splitCurrency("12 adet")).toBeUndefined();
});

describe("an amount in a currency that the marketplace does not take", () => {
  it.each(
    "29.00 GBP|1499.00 INR|£4,250.00|SAR 75.00|₹ 120,00|75 sterlin|12,50 zł|10 Rs.|Rs. 500|Rs 500|CHF 5.00|A$ 4.00|sar 7.5".split(
      "|",
    ),
  )("is refused by its currency: %s", (text) => {
    expect(read(text)).toBe("E_PRICE_CURRENCY.unknown");
  });

  it.each("29.00 KG|10 adet|1,5 kg|$5 GBP x|$ 5 kg|$5 TL".split("|"))(
    "is no other text: %s",
    (text) => {
      expect(read(text)).toBe("E_NOT_A_NUMBER");
    },
  );
});
