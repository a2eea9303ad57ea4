import { expect, it } from "vitest";

import { createFindGarbled } from "../../../src/plan/rows/garbled-letters.ts";

const LOST = "its letters are lost";

it.each([
  ["Ã‡elik KaÅŸÄ±k", "Çelik Kaşık"],
  ["Þarj Cihazý", "Şarj Cihazı"],
  ["Yýldýznur Iþýldak Ðð", "Yıldıznur Işıldak Ğğ"],
  ["Y?ld?znur I??ldak", LOST],
  ["G??l Usta Zincir", LOST],
  ["?leri Teknoloji Aksesuar", LOST],
  ["Egedem Plus ?emsiye", LOST],
  ["<p>?ndirimli ka??k tak?m?</p>", LOST],
])("finds garbled letters: %s", (text, expected) => {
  const found = createFindGarbled()(text);

  expect(found && (found.meant ?? LOST)).toBe(expected);
});

it.each([
  ["Gazl? Mangal", "title", true],
  ["Gazl? Mangal nedir", undefined, false],
  ["Sefiller?", "title", false],
] as const)("takes marks before further words of a title for letters: %s, %s", (text, kind, is) => {
  expect(createFindGarbled()(text, kind) !== undefined).toBe(is);
});

it.each([
  "Çelik Kaşık Seti İstanbul Ğğ",
  "Neden bu ürün? Çünkü dayanıklı.",
  "Ürün sayfası: https://a.example/u?kod=1&renk=a?b",
  `${"Uzun bir açıklama. ".repeat(20)} Neden?Çünkü iyi.`,
  "Café crème, Ünlü, Öz",
  "5 m? halı",
])("leaves a text as it is: %s", (text) => {
  expect(createFindGarbled()(text)).toBeUndefined();
});
