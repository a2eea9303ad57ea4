import { expect, it } from "vitest";

import { fold } from "../../src/fold.ts";
import { createValueReaders } from "../../src/values/value-readers.ts";
import { VALUE_WORDS } from "../../src/values/value-words.ts";

for (const [subject, words] of Object.entries(VALUE_WORDS)) {
  it(`gives no word of ${subject} two values`, () => {
    const values = new Map<string, unknown>();
    for (const word of words) {
      for (const text of [word.tr, word.en, ...word.also]) {
        const key = fold(text);
        expect([undefined, word.value]).toContain(values.get(key));
        values.set(key, word.value);
      }
    }
  });
}

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
];
for (const [index, [value, expected]] of cases.entries()) {
  it(`reads the word of case ${index} as ${String(expected)}`, () => expect(value).toBe(expected));
}
