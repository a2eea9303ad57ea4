import { expect, it } from "vitest";

import { createKeywordReader, VALUE_KEYWORDS } from "../../src/values/keywords.ts";

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
