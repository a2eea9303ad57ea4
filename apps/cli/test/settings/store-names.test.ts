import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import { parseStoreNames } from "../../src/settings/server-stores.ts";
import { findNamed, parseStoreName, unknownStore } from "../../src/settings/store-names.ts";

describe("parseStoreName", () => {
  it.each([
    ["mutfak", "mutfak"],
    ["İstanbul-2", "İstanbul-2"],
    ["Ş", "Ş"],
    ["bahc\u0327e", "bahçe"],
    ["a".repeat(32), "a".repeat(32)],
    ["constructor", "constructor"],
    ["\u212Aitchen", "Kitchen"],
  ])("keeps %j as it is shown", (typed, name) => {
    expect(parseStoreName(typed)).toBe(name);
  });

  it.each([
    "",
    " ",
    "-rf",
    "mutfak-",
    "a b",
    "../login",
    "a/b",
    "__proto__",
    "a\u0000b",
    "a\nb",
    "\u202Emutfak",
    "mutfak\u200B",
    "мутфак",
    "$(id)",
    "a=b",
    "a".repeat(33),
  ])("refuses %j", (typed) => {
    expect(() => parseStoreName(typed)).toThrow(UsageError);
  });
});

describe("findNamed", () => {
  it.each([
    ["IŞIK", "ışık"],
    ["işik", "Işık"],
    ["İNCİ", "inci"],
    ["BAHÇE", "bahçe"],
    ["bahc\u0327e", "bahçe"],
  ])("takes %j for %j", (typed, name) => {
    expect(findNamed([{ name }], typed)).toEqual({ name });
  });

  it("takes ç and c for two letters", () => {
    expect(findNamed([{ name: "bahçe" }], "bahce")).toBeUndefined();
  });
});

it("suggests the name that was probably meant, and lists all of them", () => {
  const { localized } = unknownStore("bahce", ["mutfak", "bahçe"]);

  expect(localized.tr).toBe(
    "“bahce” adında bir mağaza yok. “bahçe” mi demek istediniz? Mağazalar: mutfak, bahçe. Eklemek için: catalog login --store bahce",
  );
  expect(localized.en).toContain("Did you mean “bahçe”? The stores: mutfak, bahçe.");
});

describe("parseStoreNames", () => {
  const store = { name: "ankara", baseUrl: "https://a.example", storeId: "s-1" };

  it.each([
    [JSON.stringify([store]), [store]],
    ["[]", []],
    ["", undefined],
    ["{", undefined],
    ['[{"name":1}]', undefined],
  ])("reads %j", (text, stores) => {
    expect(parseStoreNames({ CATALOG_STORE_NAMES: text })).toEqual(stores);
  });
});
