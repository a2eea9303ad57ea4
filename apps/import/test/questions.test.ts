import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { createFakeTerminal } from "@catalog/console/testing";
import { describe, expect, it } from "vitest";

import { importCommand } from "../src/commands/import/index.ts";
import { planCommand } from "../src/commands/plan/index.ts";
import { createQuestions } from "../src/questions.ts";
import { createCommandHarness } from "./helpers/command-harness.ts";
import { startMarketplaceServer } from "./helpers/marketplace-server.ts";

/** The questions on a terminal whose person chooses these, one after the other. */
function askOn(...choices: readonly string[]) {
  const terminal = createFakeTerminal({ answer: true, choices });
  return { ...createQuestions(terminal, "tr"), questions: terminal.questions };
}

describe("createQuestions", () => {
  it("asks nothing where the terminal cannot ask", () => {
    expect(createQuestions({}, "tr")).toEqual({});
  });

  it("says before each question that it is asked", async () => {
    const asked: string[] = [];
    const choose = async (): Promise<undefined> => {
      asked.push("question");
      return undefined;
    };

    await createQuestions({ choose }, "tr", () => asked.push("end")).askEncoding?.(LETTERS);

    expect(asked).toEqual(["end", "question"]);
  });
});

const LETTERS = {
  file: "liste.csv",
  readings: [
    { encoding: "windows-1254", words: ["Ülker", "SÜT"] },
    { encoding: "macturkish", words: ["İlker", "SİT"] },
  ],
};

describe("the question about an encoding", () => {
  it.each([
    ["İlker · SİT (macturkish)", "macturkish"],
    ["Hiçbiri; dosya okunmasın", undefined],
    [undefined, undefined],
  ])("shows the words that differ, and takes %s as %s", async (choice, expected) => {
    const { askEncoding, questions } = askOn(...(choice === undefined ? [] : [choice]));

    expect(await askEncoding?.(LETTERS)).toBe(expected);
    expect(questions).toEqual([
      "“liste.csv” dosyasındaki harfler birden çok biçimde okunabiliyor. Hangisi doğru? Ülker · SÜT (windows-1254) | İlker · SİT (macturkish) | Hiçbiri; dosya okunmasın",
    ]);
  });
});

const NAME = {
  field: "brand",
  column: "Marka",
  value: "KARACA HOM",
  choices: ["Karaca Home", "Karaca"],
  rows: 1412,
  titles: [],
  suggestions: [],
};

describe("the question about a name", () => {
  it.each([
    ["Karaca", { kind: "means", target: "Karaca" }],
    ["Hiçbiri; bu satırlar hatalı kalsın", { kind: "leave" }],
    ["Sormayı bırak", { kind: "stop" }],
    [undefined, { kind: "stop" }],
  ])("names column, value and rows, and takes %s as %o", async (choice, expected) => {
    const { askName, questions } = askOn(...(choice === undefined ? [] : [choice]));

    expect(await askName?.(NAME)).toEqual(expected);
    expect(questions).toEqual([
      "Marka: “KARACA HOM” mağazadaki adlardan biriyle eşleşmedi (1.412 satır). Hangisi olsun? " +
        "Karaca Home | Karaca | Hiçbiri; bu satırlar hatalı kalsın | Sormayı bırak",
    ]);
  });

  it.each([
    ["resembles none", "Karaca", ["Kayaka", "Kanca"]],
    ["may mean several", "Philipx", ["Philips", "Philipp"]],
  ])("offers to leave the name open first where it %s", async (_, value, choices) => {
    const { askName, questions } = askOn();

    await askName?.({ ...NAME, value, choices });

    expect(questions[0]).toContain(
      `Hangisi olsun? Hiçbiri; bu satırlar hatalı kalsın | ${choices.join(" | ")} | Sormayı bırak`,
    );
  });

  it("shows products that have the name, and what speaks for a choice besides its words", async () => {
    const { askName, questions } = askOn();
    const store = { kind: "store", similar: 9, of: 12 } as const;

    await askName?.({
      ...NAME,
      titles: ["Çelik tencere", "x".repeat(99)],
      suggestions: [
        { target: "Karaca", targetId: "b-1", why: store },
        { target: "Karaca Home", targetId: "b-2", why: { kind: "words" } },
      ],
    });

    expect(questions).toEqual([
      `Marka: “KARACA HOM” mağazadaki adlardan biriyle eşleşmedi (1.412 satır). Örnek: “Çelik tencere”, “${"x".repeat(60)}…”. Hangisi olsun? ` +
        "Karaca Home | Karaca (Mağazanızdaki 12 benzer üründen 9 tanesi burada) | Hiçbiri; bu satırlar hatalı kalsın | Sormayı bırak",
    ]);
  });

  it("tells a candidate from an answer with the same text", async () => {
    const { askName } = askOn("leave");

    const answer = await askName?.({ ...NAME, choices: ["leave"] });

    expect(answer).toEqual({ kind: "means", target: "leave" });
  });
});

describe("the question about the unit of prices", () => {
  it.each([
    ["major", "major"],
    ["minor", "minor"],
    ["unknown", undefined],
    [undefined, undefined],
  ])("turns the answer %s into the unit %s", async (answer, unit) => {
    const asked: string[] = [];
    const choose = async (question: string): Promise<string | undefined> => {
      asked.push(question);
      return answer;
    };
    const question = { examples: [{ code: "P-17", currency: "TL", shown: 1000 }] };

    expect(await createQuestions({ choose }, "tr").askPriceUnit?.(question)).toBe(unit);
    expect(asked[0]).toContain("Mağaza P-17 için 1000 gösteriyor");
  });
});

describe("the question about a sheet", () => {
  it.each([
    ["none", "none"],
    ["Aynı başlıklı sayfaların hepsi, tek dosya gibi", "all"],
    ["Hiçbiri; dosya okunmasın", undefined],
    [undefined, undefined],
  ])("shows the sheets with their rows, and takes %s as %s", async (choice, expected) => {
    const { askSheet, questions } = askOn(...(choice === undefined ? [] : [choice]));
    const sheets = [
      { name: "Ürünler", rows: 1_200 },
      { name: "none", rows: undefined },
    ];

    expect(await askSheet?.({ file: "liste.xlsx", of: "sheet", sheets })).toBe(expected);
    expect(questions).toEqual([
      "“liste.xlsx” dosyasının birden çok sayfasında veri var. Hangisi okunsun? Ürünler (1.200 dolu satır) | none | Aynı başlıklı sayfaların hepsi, tek dosya gibi | Hiçbiri; dosya okunmasın",
    ]);
  });

  it("takes several of more than two sheets", async () => {
    const { askSheet, questions } = askOn("C", "A", "Hayır; okunacaklar: C, A");
    const sheets = ["A", "B", "C"].map((name) => ({ name, rows: undefined }));

    expect(await askSheet?.({ file: "liste.xlsx", of: "sheet", sheets })).toEqual(["C", "A"]);
    expect(questions[1]).toBe(
      "Onunla birlikte başka bir sayfa da okunsun mu? Hayır; okunacaklar: C | A | B",
    );
  });
});

it("shows the records of a document with what they hold", async () => {
  const { askSheet, questions } = askOn("urunler/urun (1.200: kod, fiyat)");
  const sheets = [
    { name: "urunler/urun", rows: 1_200, sample: ["kod", "fiyat"] },
    { name: "urunler/set", rows: 3, sample: ["kod"] },
  ];

  expect(await askSheet?.({ file: "a.xml", of: "record", sheets })).toBe("urunler/urun");
  expect(questions).toEqual([
    "“a.xml” içinde hangi kayıt bir ürün (ya da varyant)? urunler/urun (1.200: kod, fiyat) | urunler/set (3: kod) | Hiçbiri; dosya okunmasın",
  ]);
});

/** A product of the marketplace, with a note that reads Ülker or İlker. */
const SHEET = Buffer.from("product_code;stock;note\nKOD-1;7;\xdclker\n", "latin1");

async function createFixture(choices: readonly string[], answer: boolean | undefined = true) {
  const { baseUrl, updates } = await startMarketplaceServer();
  const asked = answer === undefined ? {} : { answer };
  const harness = createCommandHarness({ baseUrl, choices, lang: "tr", ...asked });
  const file = join(harness.folder, "liste.csv");
  writeFileSync(file, SHEET);
  return { ...harness, updates, file };
}

describe("catalog import of a file with an ambiguous encoding", () => {
  it("asks on a terminal and continues with the answer", async () => {
    const { context, terminal, file, updates } = await createFixture(["Ülker (windows-1254)"]);

    const exit = await importCommand.run(context, { file });

    expect(exit).toBe(0);
    expect(terminal.questions[0]).toContain("Ülker (windows-1254) | İlker (macturkish)");
    expect(updates).toEqual([{ product_id: "p-1", stock_count: 7 }]);
    expect(terminal.written.out).toContain("kodlama windows-1254, ayırıcı ; (--delimiter)");
  });

  it("reads nothing when no encoding is right", async () => {
    const { context, file, updates } = await createFixture([]);

    await expect(planCommand.run(context, { file })).rejects.toMatchObject({
      code: "E_ENCODING_UNSURE",
    });
    expect(updates).toEqual([]);
  });

  it("asks nothing when the encoding is given", async () => {
    const { context, terminal, file, updates } = await createFixture([]);

    await importCommand.run(context, { file, encoding: "macturkish" });

    expect(terminal.questions).toHaveLength(1);
    expect(updates).toHaveLength(1);
    expect(terminal.written.out).toContain("kodlama macturkish, ayırıcı ; (--delimiter)");
  });

  it("refuses it when no question can be asked, with both encodings and the flag", async () => {
    const { context, terminal, file } = await createFixture(["Ülker (windows-1254)"], undefined);

    await expect(importCommand.run(context, { file, yes: true })).rejects.toMatchObject({
      code: "E_ENCODING_UNSURE",
      localized: {
        tr: "“liste.csv” hangi karakter kodlamasıyla kaydedilmiş, kesin değil; aynı harfler farklı okunabiliyor. windows-1254: “Ülker”; macturkish: “İlker”. Doğru okunanı --encoding ile belirtin (örneğin --encoding windows-1254) ya da dosyayı UTF-8 olarak yeniden kaydedin.",
        en: expect.stringContaining(
          "windows-1254: “Ülker”; macturkish: “İlker”. Give the right one with --encoding",
        ),
      },
    });
    expect(terminal.questions).toEqual([]);
  });
});
