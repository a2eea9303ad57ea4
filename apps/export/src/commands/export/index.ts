import { EXPORT_KINDS, type ExportKind } from "@catalog/exporter/kinds";
import type { Localized } from "@catalog/i18n";

import type { Command } from "../../context.ts";
import { COMMON_FLAGS, EXPORT_FLAGS, flagsOf } from "./flags.ts";

/** Each runs in a store about which nothing is known yet. */
const EXAMPLES: readonly Localized[] = [
  { tr: "export products --out urunler.xlsx", en: "export products --out products.xlsx" },
  {
    tr: "export products --columns product_code,title,stock --out stok.csv",
    en: "export products --columns product_code,title,stock --out stock.csv",
  },
  {
    tr: "export products --columns price --price-unit minor --out fiyat.csv",
    en: "export products --columns price --price-unit minor --out prices.csv",
  },
  {
    tr: "export comments --store-wide --since last --out yorumlar.csv",
    en: "export comments --store-wide --since last --out comments.csv",
  },
  {
    tr: "export orders --days 7 --out - --format jsonl",
    en: "export orders --days 7 --out - --format jsonl",
  },
  { tr: "export orders --all --out siparisler.xlsx", en: "export orders --all --out orders.xlsx" },
  {
    tr: "export orders --per package --status 0 --out paketler.xlsx",
    en: "export orders --per package --status 0 --out packages.xlsx",
  },
  {
    tr: "export questions --unanswered --out sorular.xlsx",
    en: "export questions --unanswered --out questions.xlsx",
  },
  {
    tr: "export payments --start-date 2026-01-01 --out odemeler.xlsx",
    en: "export payments --start-date 2026-01-01 --out payments.xlsx",
  },
  {
    tr: "export search --type b2c --key cezve --out arama.xlsx",
    en: "export search --type b2c --key cezve --out search.xlsx",
  },
  { tr: "export templates --out sablonlar.xlsx", en: "export templates --out templates.xlsx" },
];

/** What each kind does, for its own help. */
const WRITES: Readonly<Record<ExportKind, Localized>> = {
  products: { tr: "Ürünleri dosyaya yazar", en: "Writes products to a file" },
  comments: { tr: "Yorumları dosyaya yazar", en: "Writes comments to a file" },
  orders: { tr: "Siparişleri dosyaya yazar", en: "Writes orders to a file" },
  questions: { tr: "Soruları dosyaya yazar", en: "Writes questions to a file" },
  payments: { tr: "Ödemeleri dosyaya yazar", en: "Writes payments to a file" },
  search: {
    tr: "Pazaryerinde aranan ürünleri, hangi mağazanın olursa olsun, dosyaya yazar",
    en: "Writes the products that a search finds, of whichever store, to a file",
  },
  templates: {
    tr: "Teslimat şablonlarını dosyaya yazar",
    en: "Writes shipping templates to a file",
  },
  companies: { tr: "Kargo firmalarını dosyaya yazar", en: "Writes shipping companies to a file" },
  addresses: {
    tr: "Şablonların kullandığı adresleri dosyaya yazar",
    en: "Writes the addresses of the templates to a file",
  },
  cities: {
    tr: "Şehirleri ve ilçeleri dosyaya yazar",
    en: "Writes cities and districts to a file",
  },
  "shipping-prices": {
    tr: "Anlaşmalı firmaların paketler için istediği ücretleri dosyaya yazar; her paket bir istektir",
    en: "Writes what the contracted companies ask for packages to a file; each package takes a call",
  },
};

const isKind = (word: string): word is ExportKind => EXPORT_KINDS.some((kind) => kind === word);

/** `catalog export KIND --out FILE`: exports the store's listings as a table. */
export const exportCommand: Command = {
  name: "export",
  isPatient: true,
  positionals: [
    {
      name: "kind",
      word: { tr: "tür", en: "kind" },
      required: true,
      choices: EXPORT_KINDS,
      describe: {
        tr: "Ne yazılacağı; her birinin süzgeçleri: catalog export products --help",
        en: "What to export; the filters of each kind: catalog export products --help",
      },
    },
  ],
  describe: {
    tr: "Ürünleri, yorumları, siparişleri, soruları, ödemeleri, aramaları ve kargo listelerini dosyaya yazar",
    en: "Writes products, comments, orders, questions, payments, searches and lists of shipping to a file",
  },
  flags: EXPORT_FLAGS,
  examples: EXAMPLES,
  helpFor(words) {
    const kind = words.find(isKind);
    if (kind === undefined) return { flags: COMMON_FLAGS };
    const examples = EXAMPLES.filter(({ en }) => en.startsWith(`export ${kind} `));
    const usage = `export ${kind}`;
    return { usage, positionals: [], describe: WRITES[kind], flags: flagsOf(kind), examples };
  },
  run: async (context, flags) => (await import("./run.ts")).runExportCommand(context, flags),
};
