import { type Flags, UsageError } from "@catalog/console";
import type { Lang } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { COMMANDS } from "../src/command-list.ts";
import { parseCommandLine } from "../src/parse-command-line.ts";
import { createCommand } from "./helpers/commands.ts";

const SEND = createCommand();

async function flagsOf(...argv: readonly string[]): Promise<Flags> {
  const parsed = await parseCommandLine([SEND], argv, "en");
  if (parsed.kind === "help") throw new Error("the command line asked for help");
  return parsed.flags;
}

async function helpOf(lang: Lang, ...argv: readonly string[]): Promise<string> {
  const parsed = await parseCommandLine(COMMANDS, argv, lang);
  if (parsed.kind !== "help") throw new Error("the command line asked for no help");
  return parsed.text;
}

/** The error message for an invalid command line. */
async function answerTo(lang: Lang, ...argv: readonly string[]): Promise<string> {
  try {
    await parseCommandLine([SEND, ...COMMANDS], argv, lang);
  } catch (error) {
    if (error instanceof UsageError) return error.localized[lang];
    throw error;
  }
  return "";
}

const head = (text: string, lines: number): string => text.split("\n").slice(0, lines).join("\n");

describe("help", () => {
  it("lists the commands in Turkish", async () => {
    expect(head(await helpOf("tr", "--help"), 7)).toMatchInlineSnapshot(`
      "Kullanım: catalog <komut> [seçenekler]

      Komutlar:
        catalog template                          Doldurulacak Excel şablonunu, seçim
                                                  listeleriyle birlikte yazar
        catalog plan <file>                       Dosyayı okur, denetler ve ne
                                                  gönderileceğini gösterir; hiçbir şey"
    `);
  });

  it("lists the commands in English", async () => {
    expect(head(await helpOf("en", "--help"), 7)).toMatchInlineSnapshot(`
      "Usage: catalog <command> [options]

      Commands:
        catalog template                          Writes the workbook to be filled in,
                                                  with its drop-down lists
        catalog plan <file>                       Reads and checks a file and shows
                                                  what would be sent; sends nothing"
    `);
  });

  it("is shown where no command is given", async () => {
    expect(await helpOf("tr")).toBe(await helpOf("tr", "--help"));
  });

  it("lists the flags of a command in Turkish", async () => {
    expect(head(await helpOf("tr", "resume", "--help"), 26)).toMatchInlineSnapshot(`
      "catalog resume <run>

      Planlanmış ya da yarım kalmış bir çalıştırmayı kaldığı yerden sürdürür

      Değerler:
        run  Çalıştırma kimliği                                      [metin] [zorunlu]

      Seçenekler:
        --json               Sonucu tek bir JSON belgesi olarak yaz       [evet/hayır]
        --lang               Dil                        [metin] [seçimler: "tr", "en"]
        --quiet              İlerlemeyi gösterme                          [evet/hayır]
        --no-color           Renk kullanma                                [evet/hayır]
        --help               Bu yardımı göster                            [evet/hayır]
        --strict             Tek bir hatalı satırda hiçbir şey gönderme   [evet/hayır]
        --max-errors         En çok hatalı satır (sayı ya da yüzde)            [metin]
        --on-unknown         Sonucu bilinmeyen ekleme: beklet (hold) ya da bir kez
                             daha gönder          [metin] [seçimler: "hold", "resend"]
        --no-verify          Gönderilenleri mağazadan geri okuma          [evet/hayır]
        --price-unit         Mağaza listesindeki fiyatların birimi: kuruş (minor) ya
                             da lira (major)      [metin] [seçimler: "minor", "major"]
        --requests-per-hour  Bir saatte en çok istek                            [sayı]
        --concurrency        Aynı anda en çok istek: bir sayı ya da auto (auto)[metin]

      Örnekler:
        catalog resume r-261121-0930-4f2a
        catalog resume r-261121-0930-4f2a --json"
    `);
  });

  it.each(["tr", "en"] as const)("in %s fits 80 columns and shows examples", async (lang) => {
    for (const { name, examples } of COMMANDS) {
      const text = await helpOf(lang, name, "--help");

      expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
      for (const example of examples) expect(text.replaceAll(/\s+/gu, " ")).toContain(example);
    }
  });

  it("in Turkish has no word of the library's own texts", async () => {
    for (const { name } of COMMANDS) {
      expect(await helpOf("tr", name, "--help")).not.toMatch(
        /\[(?:string|number|boolean|array)\]|Options|Commands|Positionals|Show /u,
      );
    }
  });
});

describe("a command line", () => {
  it("becomes a command with its flags and their defaults", async () => {
    const parsed = await parseCommandLine([SEND], ["send", "a.xlsx", "--port", "4010"], "tr");

    expect(parsed).toMatchObject({
      kind: "command",
      command: SEND,
      flags: { file: "a.xlsx", port: 4010, mode: "add" },
    });
  });

  it("leaves out flags that were not given", async () => {
    const flags = await flagsOf("send", "a.xlsx");

    expect([flags["port"], flags["yes"], flags["json"], flags["place"]]).toEqual(
      Array(4).fill(undefined),
    );
  });

  it("accepts a flag several times, each with one word", async () => {
    const flags = await flagsOf("send", "--map", "A=price", "--map", "B=stock", "a.xlsx", "there");

    expect(flags).toMatchObject({ map: ["A=price", "B=stock"], file: "a.xlsx", place: "there" });
  });

  it.each([
    ["send", "a.xlsx", "--json", "--quiet", "--no-color", "--lang", "en"],
    ["--json", "--quiet", "--no-color", "--lang", "en", "send", "a.xlsx"],
  ])("accepts global flags before and after the command's name", async (...argv) => {
    expect(await flagsOf(...argv)).toMatchObject({ json: true, quiet: true, color: false });
  });

  it("keeps a file name that looks like a number as text", async () => {
    expect(await flagsOf("send", "007")).toMatchObject({ file: "007" });
  });
});

describe("an invalid command line", () => {
  it.each([
    ["a misspelt command", ["imprt", "x.xlsx"], "import"],
    ["a missing file", ["send"], "catalog send <file> [place]"],
    ["too many words", ["send", "a", "b", "c"], "c"],
    ["an unknown flag", ["send", "a.xlsx", "--yess"], "yess"],
    ["a bad choice", ["send", "a.xlsx", "--mode", "sil"], "sil"],
    ["a flag without its value", ["send", "a.xlsx", "--mode"], "mode"],
    ["a language that there is none of", ["send", "a.xlsx", "--lang", "de"], "de"],
  ])(
    "with %s gets an error in both languages that names the mistake",
    async (_name, argv, output) => {
      const turkish = await answerTo("tr", ...argv);
      const english = await answerTo("en", ...argv);

      expect(turkish).toContain(output);
      expect(english).toContain(output);
      expect(turkish).toContain("--help");
      expect(turkish).not.toBe(english);
    },
  );

  it("gets an error that names the choices", async () => {
    expect(await answerTo("tr", "send", "a.xlsx", "--mode", "sil")).toMatchInlineSnapshot(`
      "Geçersiz değerler:
        Argüman: mode, Verilen: "sil", Seçimler: "add", "update"
      Kullanım: catalog send <file> [place] [seçenekler]
      Bütün seçenekler için "catalog send --help" yazın."
    `);
  });

  it("gets a suggestion for a misspelt word", async () => {
    expect(await answerTo("tr", "imprt", "x.xlsx")).toMatchInlineSnapshot(`
      "Bunu mu demek istediniz: import?
      Bütün komutlar için "catalog --help" yazın."
    `);
  });

  it("gets one error only", async () => {
    expect(await answerTo("en", "imprt", "x.xlsx")).not.toContain("Unknown");
  });
});
