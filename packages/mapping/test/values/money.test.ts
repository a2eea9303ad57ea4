import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { formatMoney, parseMoney, splitCurrency } from "../../src/values/money.ts";

const read = (value: string | number | boolean | null): string => {
  const reading = parseMoney(value);
  if (!reading.ok) return reading.problem.text;
  const { minor, currency } = reading.value;
  return currency === undefined ? `${minor}` : `${minor} ${currency}`;
};

describe("parseMoney", () => {
  const cases: readonly (readonly [string | number | boolean | null, string])[] = [
    ["1.234,56", "123456"],
    ["1,234.56", "123456"],
    ["19,99 TL", "1999 TL"],
    ["₺19,99", "1999 TL"],
    ["19.99 TRY", "1999 TL"],
    ["$ 19.99", "1999 USD"],
    ["19,99 €", "1999 EUR"],
    ["EUR 19,99 €", "1999 EUR"],
    ["1 299,90", "129990"],
    ["1\u2009299,90", "129990"],
    ["1299", "129900"],
    ["1e2", "10000"],
    ["58.120000000000005", "5812"],
    ["58.1200000000001234", "5812"],
    ["58.123456789012", "E_PRICE_PRECISION"],
    ["\u00a019,9 ", "1990"],
    ["1.234", "E_NUMBER_AMBIGUOUS"],
    ["19,999", "E_NUMBER_AMBIGUOUS"],
    ["1999,999", "E_PRICE_PRECISION"],
    ["0", "E_PRICE_NOT_POSITIVE"],
    ["0,00", "E_PRICE_NOT_POSITIVE"],
    ["-5", "E_PRICE_NOT_POSITIVE"],
    ["1E+3", "E_NOT_A_NUMBER"],
    ["0x10", "E_NOT_A_NUMBER"],
    ["١٢", "E_NOT_A_NUMBER"],
    ["19,99 GBP", "E_PRICE_CURRENCY.unknown"],
    ["$19,99 TL", "E_NOT_A_NUMBER"],
    ["$19,99 GBP", "E_PRICE_CURRENCY.unknown"],
    ["abc", "E_NOT_A_NUMBER"],
    ["", "E_NOT_A_NUMBER"],
    ["99999999999999999999", "E_NUMBER_TOO_LARGE"],
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
  for (const [value, expected] of cases) {
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
