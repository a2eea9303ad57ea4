import { describe, expect, it } from "vitest";

import { detectDialect } from "../../src/csv/csv-source.ts";

describe("detectDialect", () => {
  const cases = [
    ["semicolons", "Kod;Ad;Fiyat\n1;a;2\n", ";"],
    ["commas", "Kod,Ad,Fiyat\n1,a,2\n", ","],
    ["tabs", "Kod\tAd\n1\ta\n", "\t"],
    ["bars", "Kod|Ad\n1|a\n", "|"],
    ["semicolons beside decimal commas", "Kod;Fiyat;Eski\n1;1,5;2,5\n2;3,5;4,5\n", ";"],
    ["semicolons below a title with a comma", "Rapor, 2026\n\nKod;Ad\n1;a\n2;b\n", ";"],
    ["commas beside semicolons in quotes", 'Kod,Ad\n1,"a;b;c"\n2,"d;e\n;f"\n', ","],
    ["semicolons that rows leave out", "Kod;Ad;Fiyat;Not;Ek\n1;a;1,5\n2;b;2,5\n3;c;3,5;x\n", ";"],
    ["one semicolon more in rows", "Kod;Fiyat\n1;1,5;\n2;2,5;\n3;3,5;\n", ";"],
    ["semicolons of a header longer than its rows", "Kod;Fiyat;\n1;1,5\n2;2,5\n3;3,5\n", ";"],
    ["commas beside a semicolon in every row", "Kod,Ad,Not\n1,a;b,\n2,c;d,\n3,e;f,\n", ","],
    ["nothing to separate", "Kod\n1\n2\n", ";"],
    ["a single line without an end", "Kod,Ad", ","],
  ] as const;
  for (const [what, sample, delimiter] of cases) {
    it(`finds ${JSON.stringify(delimiter)} with ${what}`, () => {
      expect(detectDialect(sample).delimiter).toBe(delimiter);
    });
  }

  it("uses the delimiter of Excel's separator line", () => {
    expect(detectDialect("sep=|\r\na;b\r\nc;d\r\n")).toEqual({
      delimiter: "|",
      newline: "\n",
      hasSeparatorLine: true,
    });
  });

  it("prefers the caller's delimiter to the separator line", () => {
    expect(detectDialect("sep=|\na;b\n", ",")).toMatchObject({
      delimiter: ",",
      hasSeparatorLine: true,
    });
  });

  it("ends records at CR where the sample has no LF", () => {
    expect(detectDialect("a;b\rc;d\r")).toMatchObject({ newline: "\r", delimiter: ";" });
  });
});
