import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";

import { readBytes } from "./read-file.ts";

const ROWS = [
  ["Ürün Kodu", "Başlık", "Açıklama", "Fiyat"],
  ["00123", "Çelik kaşık, 6'lı", "Paslanmaz; ılık suda\nyıkayın", "1.299,90"],
  ["1-2", "ŞEKERLİK | İNCE", "Gümüş\tığdır “özel”".replaceAll(/[“”]/g, ""), "19,90"],
  ["8690000000000", "Düğme", "Öğütücü ve çığ", "5,00"],
] as const;

const ENCODINGS = [
  ["utf-8", "utf8", false],
  ["utf-8", "utf8", true],
  ["utf-16le", "utf-16le", true],
  ["utf-16le", "utf-16le", false],
  ["utf-16be", "utf-16be", true],
  ["utf-16be", "utf-16be", false],
  ["windows-1254", "windows-1254", false],
  ["windows-1254", "iso-8859-9", false],
  ["cp857", "cp857", false],
  ["macturkish", "macturkish", false],
] as const;

/** Every cell is quoted, because every delimiter occurs in some cell. */
const textWith = (delimiter: string): string =>
  ROWS.map((row) => row.map((cell) => `"${cell}"`).join(delimiter)).join("\r\n");

describe("one Turkish file", () => {
  for (const [expected, encoding, addBOM] of ENCODINGS) {
    for (const delimiter of [";", ",", "\t", "|"]) {
      const mark = addBOM ? " with a mark" : "";
      it(`reads the same in ${encoding}${mark}, split by ${JSON.stringify(delimiter)}`, async () => {
        const bytes = iconv.encode(textWith(delimiter), encoding, { addBOM });

        const { guesses, header, rows } = await readBytes("a.csv", bytes);

        expect(guesses).toEqual({ encoding: expected, delimiter, headerRow: 1 });
        expect([header, ...rows.map(({ cells }) => cells)]).toEqual(ROWS);
      });
    }
  }

  it("reads the same when its encoding is given", async () => {
    for (const [, encoding, addBOM] of ENCODINGS) {
      const bytes = iconv.encode(textWith(";"), encoding, { addBOM });

      const { header } = await readBytes("a.csv", bytes, { encoding });

      expect(header).toEqual(ROWS[0]);
    }
  });

  it("is recognized in its encoding by few letters", async () => {
    for (const [expected, encoding] of ENCODINGS.slice(6)) {
      for (const text of ["Kod;Ad\n1;Kaşık\n", "Kod;Ad\n1;GÜMÜŞ ÇATAL\n", "Kod;Başlık\n1;a\n"]) {
        const { guesses, rows, header } = await readBytes("a.csv", iconv.encode(text, encoding));

        const cells = [header, ...rows.map((row) => row.cells)];
        expect([text, guesses.encoding, cells.map((row) => row.join(";")).join("\n")]).toEqual([
          text,
          expected,
          text.trim(),
        ]);
      }
    }
  });

  it("is recognized with its headers below a title and blank lines", async () => {
    const text = `Stok raporu\n\n"Mağaza";\n\n${"\n".repeat(3)}${textWith(";")}`;

    const { guesses, header } = await readBytes("a.csv", text);

    expect([guesses.headerRow, header]).toEqual([8, ROWS[0]]);
  });
});
