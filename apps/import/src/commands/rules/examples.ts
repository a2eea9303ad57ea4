/** Command lines that the help of `catalog rules` and its messages show. */

import type { Lang, Localized } from "@catalog/i18n";

export const RULE_EXAMPLES: readonly (string | Localized)[] = [
  "rules",
  {
    tr: 'rules add Marka "KARACA HOM" "Karaca Home"',
    en: 'rules add Brand "KARACA HOM" "Karaca Home"',
  },
  { tr: 'rules remove Marka "KARACA HOM"', en: 'rules remove Brand "KARACA HOM"' },
  {
    tr: 'rules default "Teslimat Şablonu" "Standart Teslimat"',
    en: 'rules default "Shipping Template" "Standart Teslimat"',
  },
  { tr: 'rules forget "Teslimat Şablonu"', en: 'rules forget "Shipping Template"' },
  "rules forget 3f2a91bc",
  { tr: "rules export kurallar.xlsx", en: "rules export rules.xlsx" },
  { tr: "rules export profil.json --profile erp", en: "rules export profile.json --profile erp" },
  { tr: "rules import kurallar.xlsx", en: "rules import rules.xlsx" },
  "rules undo",
  { tr: 'rules share Marka "KARACA HOM"', en: 'rules share Brand "KARACA HOM"' },
  "rules unshare --profile erp",
  { tr: "rules price export fiyatlar.xlsx", en: "rules price export prices.xlsx" },
  { tr: "rules price import fiyatlar.xlsx", en: "rules price import prices.xlsx" },
  { tr: "rules costs import maliyetler.xlsx", en: "rules costs import costs.xlsx" },
  { tr: "rules try stok.xlsx", en: "rules try stock.xlsx" },
  {
    tr: "rules try https://tedarikci.example/urunler.xml --record Urunler/Urun",
    en: "rules try https://supplier.example/products.xml --record Products/Product",
  },
];

/** The first example of an action; one with `--profile` where a profile was named. */
export function exampleOf(action: string, lang: Lang, isOfProfile: boolean): string {
  const lines = RULE_EXAMPLES.map((each) => (typeof each === "string" ? each : each[lang]));
  const own = lines.filter((line) => line.startsWith(`rules ${action} `));
  const best = own.find((line) => line.includes(" --profile ") === isOfProfile);
  return best ?? own[0] ?? "rules";
}
