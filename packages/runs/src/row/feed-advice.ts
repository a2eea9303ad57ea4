/** Advice on the rows of a sync, whose feed is corrected where it comes from and never imported. */

import type { Localized } from "@catalog/i18n";

import type { RowIssue } from "./issue.ts";

const BY_CODE: ReadonlyMap<string, Localized> = new Map([
  [
    "E_PRODUCT_UNKNOWN",
    {
      tr: "Kodu kontrol edin. Eşitleme ürün eklemez; ürün yeniyse önce bir dosyayla içe aktarın. Mağazada olması gerekmeyen kodlar için eşitlemenin --ignore-unknown-codes seçeneği vardır.",
      en: "Check the code. A sync adds nothing; if the product is new, import it first. For codes that the store is not supposed to have, sync takes --ignore-unknown-codes.",
    },
  ],
  [
    "E_CHANGED",
    {
      tr: "Beslemedeki değer doğruysa bir şey yapmanız gerekmez: sıradaki eşitleme mağazadaki şimdiki değerle yeniden karşılaştırır. Mağazadaki değer kalacaksa beslemeyi düzeltin.",
      en: "If the feed's value is right, there is nothing to do: the next sync compares it with the store's present value. If the store's value is to stay, correct the feed.",
    },
  ],
  [
    "E_REJECTED",
    {
      tr: "Satırı beslemede düzeltin; sıradaki eşitleme gönderir.",
      en: "Correct the row in the feed; the next sync sends it.",
    },
  ],
  [
    "E_GUARD_PRICE_UNIT",
    {
      tr: "Birimi biliyorsanız eşitlemeyi bir kez --price-unit minor (kuruş) ya da --price-unit major (lira) ile çalıştırın; satır karşılaştırılır, uygunsa gönderilir.",
      en: "If you know the unit, run the sync once with --price-unit minor or --price-unit major; the row is compared, and sent if it is right.",
    },
  ],
]);

/**
 * The issue with advice for a sync; stored advice is that for an import. Advice that replaces it
 * names no command, as the program is named before.
 */
export function toFeedAdvice<Issue extends RowIssue>(issue: Issue): Issue {
  const { code, suggestion } = issue;
  if (suggestion === undefined) return issue;
  const { tr, en } = BY_CODE.get(code) ?? suggestion;
  return {
    ...issue,
    suggestion: {
      tr: tr.replace(CORRECTED.tr, TO_FEED.tr).replace(ALLOWED.tr, TO_SYNC.tr),
      en: en.replace(CORRECTED.en, TO_FEED.en).replace(ALLOWED.en, TO_SYNC.en),
    },
  };
}

/** Where a value is corrected that a guard holds. */
const CORRECTED: Localized = {
  tr: "kendi dosyanızda düzeltip dosyayı yeniden yükleyin",
  en: "correct it in your own file and import that file again",
};

const TO_FEED: Localized = { tr: "beslemede düzeltin", en: "correct it in the feed" };

/** How a guard is switched off for an import. */
const ALLOWED = {
  tr: /dosyayı (--allow [a-z,-]*[a-z]) ile yeniden yükleyin/u,
  en: /import the file again with (--allow [a-z,-]*[a-z])/u,
} as const;

const TO_SYNC: Localized = {
  tr: "eşitlemeyi bir kez $1 ile çalıştırın",
  en: "run the sync once with $1",
};
