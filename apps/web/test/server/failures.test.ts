import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { describeFailure, toProblem } from "../../src/server/failures.ts";
import { nameFields, plainAdvice, plainText } from "../../src/server/plain-advice.ts";

const ID = "r-260101-0900-aabbccddeeff";

it.each(["E_DRAFT_UNKNOWN", "E_RUN_UNKNOWN", "E_PLAN_OLD", "E_PLAN_FILE"])(
  "says %s in words of the page, without a command",
  (code) => {
    for (const lang of ["tr", "en"] as const) {
      const text = `"${ID}" yok. catalog runs`;
      const { problem, isBug } = describeFailure(new Error("x"), lang, () => ({
        code,
        text,
        isLogin: false,
      }));

      expect(isBug).toBe(false);
      expect(problem.code).toBe(code);
      expect(problem.message).not.toMatch(/catalog|--|r-26/u);
      expect(problem.message.split(". ").length).toBeGreaterThan(1);
    }
  },
);

it("keeps the sentence of the program for any other error", () => {
  const known = { code: "E_STORE_BUSY", text: "Mağaza meşgul.", isLogin: false };

  expect(describeFailure(new Error("x"), "tr", () => known)).toEqual({
    status: 423,
    problem: { code: "E_STORE_BUSY", message: "Mağaza meşgul." },
    isBug: false,
  });
});

const ended = (document: unknown) => ({ exit: 137, document, errors: "Error: x\n    at y.ts:1:1" });

describe("a command that has ended", () => {
  it("without a document is told of by its exit code, and by nothing that it has written", () => {
    expect(toProblem(ended(undefined), "tr")).toEqual({
      code: "E_COMMAND",
      message:
        "İşlem beklenmedik biçimde durdu (çıkış kodu 137). Yeniden deneyin; yine olursa bu kodu bildirin.",
    });
    expect(toProblem(ended(undefined), "en")?.message).toContain("(exit code 137). Try again");
  });

  it("has failed where its document says so, unless a person has stopped it", () => {
    const failed = { error: { code: "E_X", message: "Olmadı. Bakmak için: catalog runs" } };

    expect(toProblem(ended(failed), "tr")).toEqual({ code: "E_X", message: "Olmadı." });
    expect(toProblem(ended({ error: { code: "E_INTERRUPTED", message: "" } }), "tr")).toBeNull();
    expect(toProblem(ended({ run: "r-1" }), "tr")).toBeNull();
  });
});

describe("texts without the command line", () => {
  it("lose the sentences that name a command, a flag or a result file", () => {
    expect(
      plainAdvice("Onay bekliyor olabilir. Sonra yeniden bakmak için: catalog report r-1"),
    ).toBe("Onay bekliyor olabilir.");
    expect(plainAdvice("Oturum açılamadı. CATALOG_BASE_URL değerini kontrol edin.")).toBe(
      "Oturum açılamadı.",
    );
    expect(plainAdvice("Doğruysa --allow price-drop ile gönderin.")).toBeNull();
    expect(plainAdvice("Fiyatı düzeltin. “Doğru” ise held.xlsx içinde onaylayın.")).toBe(
      "Fiyatı düzeltin.",
    );
  });

  it("keep what a sentence says before it names a command", () => {
    expect(
      plainAdvice(
        'Pazaryerine ulaşılamadı. Bağlantıyı kontrol edip yeniden deneyin; adresi "catalog doctor" gösterir.',
      ),
    ).toBe("Pazaryerine ulaşılamadı. Bağlantıyı kontrol edip yeniden deneyin.");
    expect(
      plainAdvice(
        "Panelde arayın. Oradaysa: catalog release r-1 --as-done; yoksa yeniden deneyin.",
      ),
    ).toBe("Panelde arayın.");
  });

  it("lose the ids of products and runs behind words", () => {
    expect(
      plainText(
        `Mağazada “KML-006” var (${"658aeff8".repeat(3)}), “KML-6” daha önce gönderildi (r-261124-0930-4f2a).`,
      ),
    ).toBe("Mağazada “KML-006” var, “KML-6” daha önce gönderildi.");
  });

  it("lose flags behind words, and keep a sentence of which nothing would be left", () => {
    expect(
      plainText("Dosya okunuşu: sayfa “Ürünler” (--sheet), başlık 1. satır (--header-row)."),
    ).toBe("Dosya okunuşu: sayfa “Ürünler”, başlık 1. satır.");
    expect(plainText("catalog runs")).toBe("catalog runs");
  });

  it("stay whole sentences wherever a text of the packages names the command line", () => {
    const texts = readTexts().filter((text) => COMMAND_LINE.test(text));
    const kept = texts.flatMap((text) => plainAdvice(text) ?? []);

    expect(kept.length).toBeGreaterThan(50);
    expect(kept.filter((text) => COMMAND_LINE.test(text) || !isBalanced(text))).toEqual([]);
  });
});

const COMMAND_LINE = /\bcatalog [a-z]|(?:^|[\s(])--[a-z]/u;

/** The texts in the sources of the packages that the page shows. */
function readTexts(): readonly string[] {
  const root = fileURLToPath(new URL("../../../../packages/", import.meta.url));
  const packages = "{connection,exporter,images,importer,mapping,runs,sheets}";
  return globSync(`${root}${packages}/src/**/*.ts`).flatMap((path) =>
    Array.from(
      readFileSync(path, "utf8").matchAll(/"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\]*)`/gu),
      ([, double, single, template]) => double ?? single ?? template ?? "",
    ),
  );
}

const isBalanced = (text: string): boolean =>
  ["()", "“”"].every(([open = "", close = ""]) => {
    const depth = text.split(open).length - text.split(close).length;
    return depth === 0;
  });

it("names fields of the API as the columns of files do", () => {
  expect(nameFields("discount_value: fiyattan küçük olmalı", "tr")).toBe(
    "İndirim Değeri: fiyattan küçük olmalı",
  );
  expect(nameFields("stock_count is wrong, see some_thing", "en")).toBe(
    "Stock is wrong, see some_thing",
  );
});
