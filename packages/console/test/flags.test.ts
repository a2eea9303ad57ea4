import { describe, expect, it } from "vitest";

import { parseLoginReference, readFlag, resolveLoginReference, UsageError } from "../src/flags.ts";

/** The text of the refusal in both languages. */
function complaintOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return [error.localized.tr, error.localized.en];
    throw error;
  }
  throw new Error("was accepted");
}

it.each([
  ["csv", "csv"],
  ["", undefined],
  [5, undefined],
  [true, undefined],
  [undefined, undefined],
])("readFlag.text reads %j as %j", (value, expected) => {
  expect(readFlag.text({ sheet: value }, "sheet")).toBe(expected);
});

it("readFlag.texts reads a list, and an empty one for a missing flag", () => {
  expect(readFlag.texts({ map: ["a=b", 5] }, "map")).toEqual(["a=b", "5"]);
  expect(readFlag.texts({}, "map")).toEqual([]);
  expect(readFlag.texts({ map: "a=b" }, "map")).toEqual([]);
});

describe("readFlag.count", () => {
  it("reads whole numbers from 1 up, and undefined for a missing flag", () => {
    expect(readFlag.count({ concurrency: 1 }, "concurrency")).toBe(1);
    expect(readFlag.count({ concurrency: 250 }, "concurrency")).toBe(250);
    expect(readFlag.count({}, "concurrency")).toBeUndefined();
  });

  it.each([[0], [-1], [1.5], [Number.NaN], [Infinity], [2 ** 53], ["4"], [true]])(
    "refuses %j and names the flag",
    (value) => {
      expect(complaintOf(() => readFlag.count({ concurrency: value }, "concurrency"))).toEqual([
        "--concurrency için 1 ya da daha büyük bir tam sayı verin.",
        "Give --concurrency a whole number from 1 up.",
      ]);
    },
  );

  it("refuses a number above its limit with the given message", () => {
    const options = { max: 65_535, complaint: { tr: "1-65535 verin.", en: "Give 1-65535." } };

    expect(readFlag.count({ port: 65_535 }, "port", options)).toBe(65_535);
    expect(complaintOf(() => readFlag.count({ port: 65_536 }, "port", options))).toEqual([
      "1-65535 verin.",
      "Give 1-65535.",
    ]);
  });
});

describe("readFlag.pairs", () => {
  it.each([
    ["Satış Fiyatı=price", "Satış Fiyatı", "price"],
    [" Kod = product_code ", "Kod", "product_code"],
    // A header can contain the sign; a field cannot.
    ["A=B=price", "A=B", "price"],
    ["Not=", "Not", ""],
  ])("splits %j", (text, left, right) => {
    expect([...readFlag.pairs({ map: [text] }, "map")]).toEqual([[left, right]]);
  });

  it("keeps several pairs, and the last value for one name", () => {
    const pairs = readFlag.pairs({ set: ["stock=1", "brand=Çınar", "stock=2"] }, "set");

    expect([...pairs]).toEqual([
      ["stock", "2"],
      ["brand", "Çınar"],
    ]);
  });

  it.each([["Fiyat"], ["=price"], [""]])("refuses %j and shows the right form", (text) => {
    const [tr = "", en = ""] = complaintOf(() => readFlag.pairs({ map: [text] }, "map"));

    expect(tr).toContain(`--map "${text}"`);
    expect(tr).toContain("sol=sağ");
    expect(en).toContain(`--map "${text}"`);
    expect(en).toContain("left=right");
  });
});

it("readFlag.reading reads a file as the flags of each command say", () => {
  const flags = {
    map: ["Qty = pcs=stock"],
    record: "Urunler/Urun",
    decimal: "point",
    platform: "none",
    "header-row": 3,
    encoding: "cp857",
    delimiter: ";",
    profile: "erp",
  };

  expect(readFlag.reading(flags)).toEqual({
    columns: new Map([["Qty = pcs", "stock"]]),
    decimal: "point",
    platform: "none",
    profile: "erp",
    sheet: { sheet: "Urunler/Urun", headerRow: 3, encoding: "cp857", delimiter: ";" },
  });
  expect(readFlag.reading({})).toEqual({ columns: new Map(), sheet: {} });
  expect(() => readFlag.reading({ map: ["stock"] })).toThrow(UsageError);
});

describe("readFlag.word and readFlag.words", () => {
  const WORDS = ["price-drop", "zero-stock"] as const;

  it("accept only the words of the flag", () => {
    expect(readFlag.word({ unit: "minor" }, "unit", ["minor", "major"])).toBe("minor");
    expect(readFlag.word({ unit: "else" }, "unit", ["minor", "major"])).toBeUndefined();
  });

  it("read words separated by commas, each once", () => {
    const given = readFlag.words({ allow: "zero-stock, price-drop,zero-stock," }, "allow", WORDS);

    expect([...given]).toEqual(["price-drop", "zero-stock"]);
    expect(readFlag.words({}, "allow", WORDS).size).toBe(0);
  });
});

it.each([
  [["Yaz"], "Yaz"],
  [
    ["Yaz", "Güz, 2026"],
    ["Yaz", "Güz, 2026"],
  ],
  ["Yaz", "Yaz"],
  [[], undefined],
  [undefined, undefined],
])("readFlag.sheet reads %j as %j", (given, sheets) => {
  expect(readFlag.sheet({ sheet: given })).toEqual(sheets);
});

describe("readFlag.duration", () => {
  it.each([
    ["90m", 5_400_000],
    ["24h", 86_400_000],
    ["7D", 604_800_000],
    ["0", 0],
  ] as const)("reads %s", (text, ms) => {
    expect(readFlag.duration({ reconcile: text }, "reconcile")).toBe(ms);
  });

  it.each(["24", "h", "-1h", "1.5h"])('refuses "%s"', (text) => {
    expect(() => readFlag.duration({ reconcile: text }, "reconcile")).toThrow(UsageError);
  });

  it("reads nothing where the flag was not given", () => {
    expect(readFlag.duration({}, "reconcile")).toBeUndefined();
  });
});

it("UsageError keeps its text in both languages, with the English one as message", () => {
  const error = new UsageError({ tr: "Böyle olmaz.", en: "Not so." });

  expect(error).toMatchObject({
    name: "UsageError",
    code: "E_USAGE",
    message: "Not so.",
    localized: { tr: "Böyle olmaz.", en: "Not so." },
  });
});

describe("where the login of a feed is", () => {
  it.each([
    [
      "basic:env:A:file:b",
      { kind: "basic", source: "env", place: "A:file:b" },
      "basic:env:A:file:b",
    ],
    ["bearer:file:a", { kind: "bearer", source: "file", place: "a" }, "bearer:file:/at/a"],
    [
      "header:X-Key:file:a:file:b",
      { kind: "header", name: "X-Key", source: "file", place: "a:file:b" },
      "header:X-Key:file:/at/a:file:b",
    ],
    ["key:u:file:id", { kind: "key", name: "u", source: "file", place: "id" }, "key:u:file:/at/id"],
  ])("is read from %s", (text, read, resolved) => {
    expect(parseLoginReference(text)).toEqual({ name: undefined, ...read });
    expect(resolveLoginReference(text, (path) => `/at/${path}`)).toBe(resolved);
  });

  it.each(["CANARY", "basic:CANARY", "key:u:env:CANARY", "header::env:CANARY", "bearer:file:"])(
    "is not understood, and not repeated, where it is %s",
    (text) => {
      expect(complaintOf(() => parseLoginReference(text)).join(" ")).not.toContain("CANARY");
    },
  );
});
