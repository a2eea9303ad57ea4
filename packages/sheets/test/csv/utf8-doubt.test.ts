import { describe, expect, it } from "vitest";

import { createUtf8Doubt } from "../../src/csv/encoding.ts";

const readingsOf = (...slices: readonly string[]) => {
  const doubt = createUtf8Doubt();
  for (const slice of slices) doubt.inspect(slice);
  return doubt.readings("utf-8");
};

const twice = (text: string, takenFor: string): string =>
  new TextDecoder(takenFor).decode(Buffer.from(text));

describe("text that was encoded twice", () => {
  for (const takenFor of ["windows-1252", "windows-1254", "windows-1250", "macintosh"]) {
    for (const text of ["Kaşık", "GÜMÜŞ", "Ü", "KLASÖR", "İNCİ", "30°C"]) {
      it(`is recognised: ${text} read as ${takenFor}`, () => {
        const damaged = twice(text, takenFor);

        expect(readingsOf(`1;${damaged};2\n`)).toEqual([
          { encoding: "utf-8-twice", words: [text] },
          { encoding: "utf-8", words: [damaged] },
        ]);
      });
    }
  }

  it("is recognised where a slice ends within a word", () => {
    expect(readingsOf("KaÅ", "ŸÄ", "±k")).toHaveLength(2);
  });

  it("is recognised in one word among many correct ones", () => {
    const right = "Çelik Düdüklü Tencere\n".repeat(5000);

    expect(readingsOf(right, "KaÅŸÄ±k\n", right)[0]?.words).toEqual(["Kaşık"]);
  });
});

it("accepts the brands of other languages as UTF-8, however their letters stand", () => {
  const texts =
    "São Ålborg MAÇÃ BLÅ™ BLÅ” AVÃ™ IRMÃ® Ä Å Ã Â «àlies» „COMANDĂ” VYPÍŠE CZĘŚCI KNĚŽNOU 30° Œuvre";

  for (const text of texts.split(" ")) expect([text, readingsOf(text)]).toEqual([text, []]);
  expect(readingsOf("Привет мир, Ştefan, Ștefan, قميص, 你好, 😀 Kaşık😀")).toEqual([]);
});

it("detects MacTurkish text that happens to be valid UTF-8", () => {
  const bytes = Buffer.from([0xdc, 0x8d, 0x69, 0x6d]);

  expect(readingsOf(`1;${bytes.toString()}\n`).map(({ words }) => words)).toContainEqual(["İçim"]);
});
