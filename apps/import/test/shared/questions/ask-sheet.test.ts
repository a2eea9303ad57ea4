import { createFakeTerminal } from "@catalog/console/testing";
import { expect, it } from "vitest";

import { askSheetOn } from "../../../src/questions.ts";

const QUESTION = {
  file: "liste.xlsx",
  sheets: [
    { name: "Ürünler", rows: 1_200 },
    { name: "none", rows: undefined },
  ],
};

const ask = async (...choices: readonly string[]) => {
  const terminal = createFakeTerminal({ answer: true, choices });
  const answer = await askSheetOn(terminal, "tr")?.(QUESTION);
  return { answer, questions: terminal.questions };
};

it("shows the sheets with their numbers of rows", async () => {
  const { answer, questions } = await ask("none");

  expect(questions).toEqual([
    "“liste.xlsx” dosyasının birden çok sayfasında veri var. Hangisi okunsun? Ürünler (1.200 dolu satır) | none | Aynı başlıklı sayfaların hepsi, tek dosya gibi | Hiçbiri; dosya okunmasın",
  ]);
  expect(answer).toBe("none");
});

it("takes several of more than two sheets", async () => {
  const sheets = ["A", "B", "C"].map((name) => ({ name, rows: undefined }));
  const terminal = createFakeTerminal({
    answer: true,
    choices: ["C", "A", "Hayır; okunacaklar: C, A"],
  });

  const answer = await askSheetOn(terminal, "tr")?.({ file: "liste.xlsx", sheets });

  expect(answer).toEqual(["C", "A"]);
  expect(terminal.questions[1]).toBe(
    "Onunla birlikte başka bir sayfa da okunsun mu? Hayır; okunacaklar: C | A | B",
  );
});

it("takes all sheets with the same headers", async () => {
  const { answer } = await ask("Aynı başlıklı sayfaların hepsi, tek dosya gibi");

  expect(answer).toBe("all");
});

it("returns no answer when no sheet is chosen and when it is cancelled", async () => {
  expect((await ask("Hiçbiri; dosya okunmasın")).answer).toBeUndefined();
  expect((await ask()).answer).toBeUndefined();
});
