import { describe, expect, it } from "vitest";

import { plainAdvice, plainText } from "../../src/server/plain-advice.ts";

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
});
