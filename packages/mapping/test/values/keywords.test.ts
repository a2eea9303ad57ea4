import { expect, it } from "vitest";

import { nameKey } from "../../src/names/name-key.ts";
import { createKeywordReader, VALUE_KEYWORDS } from "../../src/values/keywords.ts";
import { createValueReaders } from "../../src/values/value-readers.ts";

it.each(Object.entries(VALUE_KEYWORDS))("gives no keyword of %s two values", (_subject, words) => {
  const values = new Map<string, unknown>();
  for (const word of words) {
    for (const text of [word.tr, word.en, ...word.also]) {
      const key = nameKey(text);
      expect([undefined, word.value]).toContain(values.get(key));
      values.set(key, word.value);
    }
  }
});

const readers = createValueReaders();
const cases: readonly (readonly [unknown, unknown])[] = [
  [readers.warrantyPeriod.find("2 Yıl"), 24],
  [readers.warrantyPeriod.find("24 ay"), 24],
  [readers.warrantyPeriod.find("0"), 0],
  [readers.warrantyPeriod.find("18"), undefined],
  [readers.discountType.find("%"), 2],
  [readers.discountType.find("İndirim Oranı"), 2],
  [readers.discountType.find("TL"), 1],
  [readers.condition.find("2. El"), "used"],
  [readers.yesNo.find("DOĞRU"), true],
  [readers.yesNo.find("YANLIŞ"), false],
  [readers.yesNo.find("x"), true],
  [readers.currency.find("₺"), "TL"],
  [readers.currency.find("$"), "USD"],
  [readers.action.find("GÜNCELLE"), "update"],
  [readers.warrantyPeriod.find("12-Ay."), 12],
  [readers.warrantyPeriod.find("(24 Ay)"), 24],
  [readers.discountType.find("İndirim Oranı %"), 2],
  [readers.discountType.find("Yüzde (%)"), 2],
  [readers.discountType.find("Percent off (%)"), 2],
  [readers.currency.find("USD ($)"), "USD"],
  [readers.currency.find("₺ TL"), "TL"],
  [readers.currency.find("us$"), "USD"],
  [readers.condition.find("2.El"), "used"],
  [readers.yesNo.find("Evet!"), true],
  [readers.yesNo.find("“Evet”"), true],
];
for (const [index, [value, expected]] of cases.entries()) {
  it(`reads keyword case ${index} as ${String(expected)}`, () => expect(value).toBe(expected));
}

it.each<readonly [string, unknown]>([
  ["-12 Ay", readers.warrantyPeriod.find("-12 Ay")],
  ["2 Yıl+", readers.warrantyPeriod.find("2 Yıl+")],
  [">24 ay", readers.warrantyPeriod.find(">24 ay")],
  ["12 Ay?", readers.warrantyPeriod.find("12 Ay?")],
  ["-1", readers.yesNo.find("-1")],
  ["+1", readers.warrantyType.find("+1")],
  ["%3", readers.discountType.find("%3")],
  ["TL %", readers.discountType.find("TL %")],
  ["US€", readers.currency.find("US€")],
  ["TL $", readers.currency.find("TL $")],
  ["TL+", readers.currency.find("TL+")],
])("does not read %s as if its sign were missing", (text, value) => {
  expect(value).toBeUndefined();
});

const types = createKeywordReader(VALUE_KEYWORDS.warranty_type);

it("reads a keyword in either language and any case, with and without accents", () => {
  const texts = ["İthalatçı Garantili", "ITHALATCI GARANTILI", "importer", "2"];

  expect(texts.map((text) => types.find(text))).toEqual([2, 2, 2, 2]);
});

it("refuses an unknown word with the list of keywords", () => {
  const reading = types.read("Ömür boyu");

  expect(reading).toMatchObject({
    ok: false,
    problem: {
      text: "E_VALUE_UNKNOWN",
      params: { names: { en: expect.stringContaining("None") } },
    },
  });
});

it("only suggests a value for a word that is too uncertain", () => {
  expect(types.read("distribütör")).toEqual({
    ok: false,
    problem: {
      text: "E_VALUE_UNKNOWN",
      params: { names: { tr: "“Tedarikçi Garantili”", en: "“Supplier”" } },
    },
  });
});
