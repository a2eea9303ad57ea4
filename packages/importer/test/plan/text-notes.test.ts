import type { MappedRow } from "@catalog/mapping";
import { expect, it } from "vitest";

import { createFindGarbled, createTextNotes } from "../../src/plan/text-notes.ts";

interface Texts {
  readonly title?: string;
  readonly model?: string;
  readonly names?: MappedRow["names"];
  /** The text of the cell of every name. */
  readonly cell?: string;
  readonly isCoded?: boolean;
}

function notesOf(rows: readonly Texts[]): readonly string[] {
  const notes = createTextNotes({ nameRow: String });
  for (const [index, { title, model, names = {}, cell = "", isCoded = false }] of rows.entries()) {
    const place = { sheet: "S", row: index + 2, column: "A", cell: `A${index + 2}`, value: cell };
    const message = { tr: "", en: "" };
    const warning = { ...place, code: "W_TEXT_CODES", message } as const;
    notes.note({
      row: index + 2,
      changes: {
        ...(title !== undefined && { title }),
        ...(model !== undefined && { brand_model: model }),
      },
      names,
      warnings: isCoded ? [warning] : [],
      locationOf: () => place,
    });
  }
  return notes.notes().map(({ tr }) => tr);
}

it("names a name that other letters stand for, once", () => {
  const rows = [
    { cell: "Isik", names: { category: "Işık" } },
    { cell: "Ev > Isik", names: { category: "Işık" } },
    { cell: "Kasik", names: { brand: "Kaşık" } },
  ];

  expect(notesOf(rows)).toEqual([
    "Yazımı farklı olup mağazadaki adıyla alınanlar: “Isik” → “Işık” · “Kasik” → “Kaşık”",
  ]);
});

it("names each model that is nearly a listed one, with the listed one", () => {
  const near = { model: "Seedef Modern", names: { nearModel: "Sedef Modern" } };

  expect(notesOf([near, near, { model: "Pera" }])).toEqual([
    "Listede olmayan, ama listedeki bir modele çok benzeyen modeller yazıldığı gibi gönderilir; yanlışsa düzeltin: “Seedef Modern” (listede “Sedef Modern”)",
  ]);
});

it.each([
  ["IŞIK", "Işık"],
  ["PHILIPS", "Philips"],
  ["KARACA HOM", "Karaca Home"],
  ["5f0a", "Işık"],
])("says nothing of case, rules and ids: %s", (cell, category) => {
  expect(notesOf([{ cell, names: { category } }])).toEqual([]);
});

it("counts the rows with the title of an earlier row", () => {
  const rows = ["Tişört", "Kazak", "Tişört", "Tişört"].map((title) => ({ title }));

  expect(notesOf(rows)).toEqual([
    expect.stringContaining("2 satırın başlığı daha önceki bir satırla aynı (satırlar: 4, 5)"),
  ]);
  expect(notesOf([{}, {}])).toEqual([]);
});

it("counts the rows whose titles have HTML codes", () => {
  const rows = Array.from({ length: 7 }, () => ({ isCoded: true }));

  expect(notesOf(rows)).toEqual([
    expect.stringContaining(
      "7 satırın başlığında &amp; gibi bir HTML kodu var (satırlar: 2, 3, 4, 5, 6, …)",
    ),
  ]);
});

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
