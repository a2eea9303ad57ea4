import { UsageError } from "@catalog/toolkit";
import { describe, expect, it } from "vitest";

import {
  countFlag,
  FILE_FLAGS,
  LIMIT_FLAGS,
  pairsFlag,
  parseMaxErrors,
  textFlag,
  textsFlag,
  UNKNOWN_FLAG,
} from "../src/flags.ts";

/** The words of a refusal in both languages. */
function refusalOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return [error.localized.tr, error.localized.en];
    throw error;
  }
  return [];
}

describe("the flags", () => {
  it("are described in both languages", () => {
    const described = Object.entries({ ...FILE_FLAGS, ...LIMIT_FLAGS, ...UNKNOWN_FLAG });

    for (const [name, { describe: words }] of described) {
      expect([name, words.tr.length > 3, words.en.length > 3]).toEqual([name, true, true]);
      expect(words.tr).not.toBe(words.en);
    }
  });

  it("default to what is least surprising", () => {
    const flags = { ...FILE_FLAGS, ...LIMIT_FLAGS, ...UNKNOWN_FLAG };
    const defaults = Object.entries(flags).flatMap(([name, flag]) =>
      flag.default === undefined ? [] : [[name, flag.default]],
    );

    expect(Object.fromEntries(defaults)).toEqual({
      mode: "upsert",
      properties: "send",
      report: "catalog-results/{run}",
    });
  });
});

describe("textFlag", () => {
  it.each([
    ["csv", "csv"],
    ["", undefined],
    [5, undefined],
    [true, undefined],
    [undefined, undefined],
  ])("reads %j as %j", (value, expected) => {
    expect(textFlag({ sheet: value }, "sheet")).toBe(expected);
  });
});

describe("textsFlag", () => {
  it("reads a list, and nothing as an empty one", () => {
    expect(textsFlag({ map: ["a=b", 5] }, "map")).toEqual(["a=b", "5"]);
    expect(textsFlag({}, "map")).toEqual([]);
    expect(textsFlag({ map: "a=b" }, "map")).toEqual([]);
  });
});

describe("countFlag", () => {
  it("reads whole numbers from 1 up, and nothing where nothing was given", () => {
    expect(countFlag({ concurrency: 1 }, "concurrency")).toBe(1);
    expect(countFlag({ concurrency: 250 }, "concurrency")).toBe(250);
    expect(countFlag({}, "concurrency")).toBeUndefined();
  });

  it.each([[0], [-1], [1.5], [Number.NaN], [Infinity], [2 ** 53], ["4"], [true]])(
    "refuses %j and names the flag",
    (value) => {
      expect(refusalOf(() => countFlag({ concurrency: value }, "concurrency"))).toEqual([
        "--concurrency için 1 ya da daha büyük bir tam sayı verin.",
        "Give --concurrency a whole number from 1 up.",
      ]);
    },
  );
});

describe("pairsFlag", () => {
  it.each([
    ["Satış Fiyatı=price", "Satış Fiyatı", "price"],
    [" Kod = product_code ", "Kod", "product_code"],
    // Headers may hold the sign; fields do not.
    ["A=B=price", "A=B", "price"],
    ["Not=", "Not", ""],
  ])("splits %j", (text, left, right) => {
    expect([...pairsFlag({ map: [text] }, "map")]).toEqual([[left, right]]);
  });

  it("keeps several, the last word for one name", () => {
    const pairs = pairsFlag({ set: ["stock=1", "brand=Çınar", "stock=2"] }, "set");

    expect([...pairs]).toEqual([
      ["stock", "2"],
      ["brand", "Çınar"],
    ]);
  });

  it.each([["Fiyat"], ["=price"], [""]])("refuses %j and shows how it is written", (text) => {
    const [tr = "", en = ""] = refusalOf(() => pairsFlag({ map: [text] }, "map"));

    expect(tr).toContain(`--map "${text}"`);
    expect(tr).toContain("sol=sağ");
    expect(en).toContain(`--map "${text}"`);
    expect(en).toContain("left=right");
  });
});

describe("parseMaxErrors", () => {
  it.each([
    [undefined, undefined],
    ["0", 0],
    ["10", 10],
    [" 10 ", 10],
    ["10.9", 10],
    ["0%", 0],
    ["5%", 10],
    ["5,5%", 11],
    ["5.5%", 11],
    ["0.4%", 0],
    ["100%", 200],
  ])("reads %j of 200 rows as %j", (text, expected) => {
    expect(parseMaxErrors(text, 200)).toBe(expected);
  });

  it.each([["abc"], [""], ["-1"], ["%"], ["5 %"], ["5%%"], ["1e3"], [",5"]])(
    "refuses %j and shows both forms",
    (text) => {
      const [tr = "", en = ""] = refusalOf(() => parseMaxErrors(text, 200));

      expect(tr).toContain(`--max-errors "${text}"`);
      expect(en).toContain("10 or 5%");
    },
  );
});
