import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";

import { createUtf8Doubt, judgeLegacyEncoding } from "../../src/csv/encoding.ts";

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

const judge = (text: string, encoding: string) => {
  const bytes = iconv.encode(text, encoding).toString("latin1");
  return judgeLegacyEncoding(bytes.match(/[0-9A-Za-z\u0080-\u00ff]+/gu) ?? []);
};

/** The chosen encoding, or the readings between which a person chooses. */
const outcome = (text: string, encoding: string): string => {
  const verdict = judge(text, encoding);
  if (verdict.isSure) return verdict.encoding;
  return verdict.readings.map(({ words }) => words.join(" ")).join(" | ");
};

describe("a list that Excel has saved in windows-1254", () => {
  const texts = [
    "ÜRÜN SETİ",
    "ÇİZME",
    "BİSİKLET",
    "İnci",
    "Crème",
    "Jalapeño",
    "Røde",
    "Málaga",
    "10€",
    "30°C",
    "m²",
    "½ kg",
    "Ø12",
    "Beko®",
    "Levi’s",
    "“Kaliteli”",
    "25µF",
    "KoçTaş",
    "GÖRÜNÜM",
  ];
  it.each(texts)("is read as windows-1254 where its only letters are %s", (text) => {
    expect(outcome(text, "windows-1254")).toBe("windows-1254");
  });

  it("is never read as MacTurkish because its Ü might be İ", () => {
    const silver = "GÜMÜŞ YÜZÜK KÜPE BÜYÜK ÜRÜN MÜHÜR SÜS TÜL KÜLAH SÜT ÜTÜ";

    expect(outcome(silver, "windows-1254")).toBe(`${silver} | ${silver.replaceAll("Ü", "İ")}`);
  });
});

describe("an ambiguous letter", () => {
  it.each([
    ["Ülker", "İlker"],
    ["Weiß", "Weiş"],
    ["SÜT", "SİT"],
  ] as const)("leads to a question: %s or %s", (text, other) => {
    expect(outcome(text, "windows-1254")).toBe(`${text} | ${other}`);
    expect(outcome(other, "macturkish")).toContain(" | ");
  });

  it.each(["cp857", "macturkish"])("is never read as %s without a question", (encoding) => {
    for (const text of ["Çatal", "Tava Ö", "Yağ", "Kapı", "Süt", "Şapka", "İnci"]) {
      expect([text, outcome(text, encoding)]).not.toEqual([text, encoding]);
    }
  });
});

for (const [text, encoding, read] of [
  ["Große Tasse Café", "cp857", "Groáe Tasse Caf‚"],
  ["Jalapeño", "macturkish", "Jalape–o"],
] as const) {
  it(`a word that windows-1254 breaks and another encoding does not leads to a question, and is not read as ${read}`, () => {
    const words = judge(text, encoding);

    expect(words.isSure).toBe(false);
  });
}

describe("other old encodings", () => {
  for (const encoding of ["cp857", "macturkish"]) {
    for (const text of ["Kaşık", "GÜMÜŞ ÇATAL", "Başlık", "çelik düdüklü tencere"]) {
      it(`are recognised by bytes that windows-1254 cannot explain: ${text} in ${encoding}`, () => {
        expect(outcome(text, encoding)).toBe(encoding);
      });
    }
  }

  for (const [text, encoding] of [
    ["Привет мир товар", "windows-1251"],
    ["Żółty płaszcz ręczny", "windows-1250"],
    ["Καλημέρα κόσμε", "windows-1253"],
    ["你好世界产品名称", "gbk"],
  ] as const) {
    it(`are refused when they are unknown: ${encoding}`, () => {
      expect(judge(text, encoding).isSure).toBe(false);
    });
  }
});

describe("a text of Central Europe in windows-1250", () => {
  it.each([
    "jakna za dečake šal",
    "devojčice žute",
    "jakna dečake ćebe",
    "příliš žluťoučký kůň",
    "ČIŽME",
  ])("is asked about: %s", (text) => {
    const verdict = judge(text, "windows-1250");

    expect(verdict.isSure).toBe(false);
    expect(outcome(text, "windows-1250").split(" | ")).toContain(text);
  });

  it("is not suspected in Turkish with a brand of that region, or with French words", () => {
    expect(outcome("Škoda yağ filtresi çağ", "windows-1254")).toBe("windows-1254");
    expect(outcome("Crème brûlée kaşığı è", "windows-1254")).toBe("windows-1254");
  });
});
