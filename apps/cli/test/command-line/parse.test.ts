import { type Flags, UsageError } from "@catalog/console";
import type { Lang } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { parseCommandLine } from "../../src/command-line/parse.ts";
import { COMMANDS } from "../../src/command-list.ts";
import { createCommand } from "../helpers/commands.ts";

const SEND = createCommand();

async function flagsOf(...argv: readonly string[]): Promise<Flags> {
  const parsed = await parseCommandLine([SEND], argv, { lang: "en" });
  if (parsed.kind === "help") throw new Error("the command line asked for help");
  return parsed.flags;
}

async function helpOf(lang: Lang, ...argv: readonly string[]): Promise<string> {
  const parsed = await parseCommandLine(COMMANDS, argv, { lang });
  if (parsed.kind !== "help") throw new Error("the command line asked for no help");
  return parsed.text;
}

/** The error message for an invalid command line. */
async function answerTo(lang: Lang, ...argv: readonly string[]): Promise<string> {
  try {
    await parseCommandLine([SEND, ...COMMANDS], argv, { lang });
  } catch (error) {
    if (error instanceof UsageError) return error.localized[lang];
    throw error;
  }
  return "";
}

const head = (text: string, lines: number): string => text.split("\n").slice(0, lines).join("\n");

const wordsOf = async (...argv: readonly string[]): Promise<readonly unknown[]> => {
  const parsed = await parseCommandLine(COMMANDS, argv, { lang: "en" });
  if (parsed.kind === "help") return [parsed.kind];
  const { command, flags } = parsed;
  return [
    command.name,
    flags["run"] ?? flags["kind"],
    flags["plan"] === true,
    flags["json"] === true,
  ];
};

describe("words behind --", () => {
  it.each([
    [
      ["retry", "--plan", "--", "r-1"],
      ["retry", "r-1", true, false],
    ],
    [
      ["retry", "--json", "--", "--help"],
      ["retry", "--help", false, true],
    ],
    [
      ["retry", "--", "-h"],
      ["retry", "-h", false, false],
    ],
    [
      ["retry", "--", "--plan"],
      ["retry", "--plan", false, false],
    ],
    [
      ["retry", "--", "--"],
      ["retry", "--", false, false],
    ],
    [
      ["export", "--out=a", "--", "comments"],
      ["export", "comments", false, false],
    ],
    [["retry", "--help", "--", "r-1"], ["help"]],
  ])("are arguments, whatever they look like: %j (#37)", async (argv, expected) => {
    expect(await wordsOf(...argv)).toEqual(expected);
  });

  it.each([
    [["retry", "--"], "run"],
    [["retry", "--", "r-1", "--plan"], "--plan"],
    [["retry", "r-1", "--", "r-2"], "r-2"],
    [["export", "--out=a", "--", "--help"], "--help"],
  ])("are missed and checked as other arguments are: %j (#37)", async (argv, named) => {
    expect(await answerTo("en", ...argv)).toContain(named);
  });
});

describe("help", () => {
  it("lists the commands in Turkish", async () => {
    expect(head(await helpOf("tr", "--help"), 7)).toMatchInlineSnapshot(`
      "Kullanım: catalog <komut> [seçenekler]

      Komutlar:
        template  Doldurulacak Excel şablonunu, seçim listeleriyle birlikte yazar
        plan      Dosyayı okur, denetler ve ne gönderileceğini gösterir; hiçbir şey
                  göndermez
        import    Dosyadaki ürünleri ekler ve günceller, sonucu raporlar"
    `);
  });

  it("lists the commands in English", async () => {
    expect(head(await helpOf("en", "--help"), 7)).toMatchInlineSnapshot(`
      "Usage: catalog <command> [options]

      Commands:
        template  Writes a workbook to fill in, with drop-down lists
        plan      Reads and checks a file and shows what would be sent; sends nothing
        import    Adds and updates the products of a file and reports the outcome
        apply     Sends a stored plan as it was shown; refuses a plan that is out of"
    `);
  });

  it("is shown where no command is given", async () => {
    expect(await helpOf("tr")).toBe(await helpOf("tr", "--help"));
  });

  it("lists the flags of a command in Turkish", async () => {
    expect(head(await helpOf("tr", "resume", "--help"), 27)).toMatchInlineSnapshot(`
      "Kullanım: catalog resume <çalıştırma>

      Yarım kalmış bir çalıştırmayı sürdürür; hiç gönderilmemiş planı da sormadan
      gönderir

      Girdiler:
        çalıştırma  Çalıştırma kimliği

      Seçenekler:
        --strict             Tek bir hatalı satırda hiçbir şey gönderme
        --max-errors         Bundan çok satır hatalıysa hiçbir şey gönderme (sayı ya
                             da yüzde)
        --on-unknown         Sonucu bilinmeyen ekleme: beklet (hold) ya da bir kez
                             daha gönder [hold | resend]
        --no-verify          Gönderilenleri mağazadan okuyup denetleme yapma
        --yes                Hiçbir şey sorma; karar isteyen satırlar bekler
        --price-unit         Mağaza listesindeki fiyatların birimi: kuruş (minor) ya
                             da lira (major) [minor | major]
        --requests-per-hour  Bir saatte en çok istek
        --concurrency        Aynı anda en çok istek: bir sayı (verilmezse auto)
        --wait               Mağazada başka bir işlem sürüyorsa en çok bu kadar bekle
                             (10m, 2h) [varsayılan: beklemez, 75 ile biter]
        --no-files           Sonuç dosyalarını yazma
        --queued             Bir kişinin karar vermesi gerekiyorsa sürdürme; sıradan
                             alan worker böyle başlatır

      Her komutta:"
    `);
  });

  it("of one kind of export names the kind", async () => {
    expect(head(await helpOf("tr", "export", "orders", "--help"), 6)).toMatchInlineSnapshot(`
      "Kullanım: catalog export orders

      Siparişleri dosyaya yazar

      Seçenekler:
        --out                Yazılacak dosya; - standart çıktıdır"
    `);
    expect(head(await helpOf("en", "help", "export"), 1)).toBe("Usage: catalog export <kind>");
  });

  it.each(["tr", "en"] as const)("in %s fits 80 columns and shows examples", async (lang) => {
    for (const { name, examples } of COMMANDS) {
      const text = await helpOf(lang, name, "--help");

      const described = text.split("\n").filter((line) => !line.startsWith("  catalog "));
      expect(described.filter((line) => line.length > 80)).toEqual([]);
      for (const example of examples) {
        expect(text).toContain(
          `  catalog ${typeof example === "string" ? example : example[lang]}`,
        );
      }
    }
  });

  it("in Turkish has no word of the library's own texts", async () => {
    for (const { name } of COMMANDS) {
      const text = (await helpOf("tr", name, "--help")).replaceAll(/ +catalog .*| --.*/gu, "");
      expect(text).not.toMatch(/Options|Commands|Positionals|Show |<(?:file|run|row|kind)>/u);
    }
  });
});

describe("a command line", () => {
  it("becomes a command with its flags and their defaults", async () => {
    const parsed = await parseCommandLine([SEND], ["send", "a.xlsx", "--port", "4010"], {
      lang: "tr",
    });

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
    ["a missing file", ["send"], "send a.xlsx"],
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
    expect(await answerTo("tr", "send", "a.xlsx", "--mode", "ad")).toMatchInlineSnapshot(`
      "--mode için “ad” geçerli değil. “add” mi demek istediniz? Yazılabilecekler: add, update.
      Örnek: catalog send a.xlsx --yes
      Bütün seçenekler için: catalog send --help"
    `);
  });

  it("gets a question for a missing file, with an example", async () => {
    expect(await answerTo("tr", "import")).toMatchInlineSnapshot(`
      "Hangi dosya?
      Örnek: catalog import urunler.xlsx
      Bütün seçenekler için: catalog import --help"
    `);
    expect(await answerTo("en", "import")).toMatchInlineSnapshot(`
      "Which file?
      Example: catalog import products.xlsx
      For all options: catalog import --help"
    `);
  });

  it("of one kind of export gets an example of that kind", async () => {
    expect(await answerTo("tr", "export", "orders", "products")).toContain(
      "\nÖrnek: catalog export orders --days 7 ",
    );
    expect(await answerTo("en", "export", "--yess", "questions")).toContain(
      "\nExample: catalog export questions ",
    );
    expect(await answerTo("en", "export", "--yess")).toContain(
      "\nExample: catalog export products ",
    );
  });

  it("gets a suggestion for a misspelt command", async () => {
    expect(await answerTo("tr", "imprt", "x.xlsx")).toMatchInlineSnapshot(`
      "“imprt” diye bir komut yok. “import” mi demek istediniz?
      Bütün komutlar için: catalog --help"
    `);
  });

  it("takes the value of a misspelt flag as its value", async () => {
    const answer = await answerTo("tr", "plan", "urunler.csv", "--prce-unit", "minor");

    expect(answer).toContain("--prce-unit diye bir seçenek yok. --price-unit mi");
    expect(answer).not.toContain("fazladan");
  });

  it.each([
    ["yardım", "“yardım” diye bir komut yok. “help” mi demek istediniz?"],
    ["YARDIM", "“YARDIM” diye bir komut yok. “help” mi demek istediniz?"],
    ["hlep", "“hlep” diye bir komut yok. “help” mi demek istediniz?"],
    ["sürüm", "“sürüm” diye bir komut yok. “--version” mi demek istediniz?"],
    ["-v", "-v diye bir seçenek yok. --version mi demek istediniz?"],
  ])("names what %s means", async (word, answer) => {
    expect(await answerTo("tr", word)).toBe(`${answer}\nBütün komutlar için: catalog --help`);
  });

  it("knows no version of a single command", async () => {
    expect(await answerTo("en", "import", "a.xlsx", "-v")).toContain("There is no option -v.\n");
  });

  it.each([
    ["--yess", "--yes"],
    ["-yes", "--yes"],
    ["--YES", "--yes"],
    ["--prot", "--port"],
    ["--jsn", "--json"],
  ])("gets a suggestion for %s", async (typed, meant) => {
    const answer = await answerTo("en", "send", "a.xlsx", typed);

    expect(answer).toContain(`There is no option ${typed}. Did you mean ${meant}?`);
  });

  it.each([
    ["tr", "“demo” komutunda --map yok; şu komutlarda var: send, plan, import, …. --map yazmadan"],
    ["en", "“demo” does not take --map; these commands do: send, plan, import, …. Leave --map out"],
  ] as const)("says in %s which commands take a flag of others", async (lang, told) => {
    const answer = await answerTo(lang, "demo", "--map", "a=b");

    expect(answer).toContain(told);
    // The flag's value is not one word too many: the example and the help follow.
    expect(answer.split("\n")).toHaveLength(3);
  });

  it("names the command that shows what another one would send", async () => {
    expect(await answerTo("en", "import", "a.xlsx", "--dry-run")).toContain(
      "“import” does not take --dry-run. For that: catalog plan FILE",
    );
  });

  it.each([
    ["tr", "--home diye bir seçenek yok. Mağazayı --store AD seçer"],
    ["en", "There is no option --home. --store NAME chooses the store"],
  ] as const)("says in %s what chooses the store and the folder", async (lang, told) => {
    const answer = await answerTo(lang, "send", "a.xlsx", "--home=shoes");

    expect(answer).toContain(told);
    expect(answer).toContain("CATALOG_HOME");
  });

  it.each([
    ["tr", "“demo” saklanan bir mağazayla çalışmaz"],
    ["en", "“demo” works on no stored store"],
  ] as const)("says in %s that a command opens no stored store", async (lang, told) => {
    const answer = await answerTo(lang, "demo", "--store", "shoes");

    expect(answer).toContain(told);
    // The name is not one word too many: the example and the help follow.
    expect(answer.split("\n")).toHaveLength(3);
    expect(await answerTo(lang, "send", "a.xlsx", "--store", "shoes")).toBe("");
  });

  it("names the one command that takes a flag, and no more than three of several", async () => {
    expect(await answerTo("tr", "demo", "--as-done", "8")).toContain(
      "“demo” komutunda --as-done yok, “release” komutunda var.",
    );
    expect(await answerTo("en", "demo", "--yes")).toContain(
      "these commands do: send, import, apply, …. Leave --yes out here",
    );
  });

  it("gets every mistake at once", async () => {
    const answer = await answerTo("tr", "send", "--mode", "sil", "--port", "--port", "1", "--x");

    expect(answer).toMatchInlineSnapshot(`
      "--mode için “sil” geçerli değil. Yazılabilecekler: add, update.
      --port için bir değer yazın.
      --port birden çok kez verilmiş; bir kez verin.
      --x diye bir seçenek yok.
      Hangi file?
      Örnek: catalog send a.xlsx --yes
      Bütün seçenekler için: catalog send --help"
    `);
  });
});

describe("a valid command line", () => {
  it.each([
    ["send", "a.xlsx", "--no-json"],
    ["send", "a.xlsx", "--port=-1"],
    ["send", "a.xlsx", "--port", "-1"],
    ["--lang", "en", "send", "a.xlsx"],
  ])("is accepted: %s %s %s %s", async (...argv) => {
    const parsed = await parseCommandLine([SEND], argv, { lang: "tr" });

    expect(parsed.kind).toBe("command");
  });

  it("may name another command in a value", async () => {
    const parsed = await parseCommandLine(COMMANDS, ["rules", "import", "a.csv"], { lang: "tr" });

    expect(parsed).toMatchObject({ flags: { action: "import", what: "a.csv" } });
  });

  it("asks for help with the word as with the flag", async () => {
    expect(await helpOf("tr", "help", "plan")).toBe(await helpOf("tr", "plan", "--help"));
    expect(await helpOf("tr", "help")).toBe(await helpOf("tr", "--help"));
    expect(await helpOf("tr", "plan", "-h")).toBe(await helpOf("tr", "plan", "--help"));
  });
});
