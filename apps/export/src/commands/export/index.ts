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
    tr: "export questions --unanswered --out sorular.xlsx",
    en: "export questions --unanswered --out questions.xlsx",
  },
  {
    tr: "export payments --start-date 2026-01-01 --out odemeler.xlsx",
    en: "export payments --start-date 2026-01-01 --out payments.xlsx",
  },
];

/** What each kind does, for its own help. */
const WRITES: Readonly<Record<ExportKind, Localized>> = {
  products: { tr: "Ürünleri dosyaya yazar", en: "Writes products to a file" },
  comments: { tr: "Yorumları dosyaya yazar", en: "Writes comments to a file" },
  orders: { tr: "Siparişleri dosyaya yazar", en: "Writes orders to a file" },
  questions: { tr: "Soruları dosyaya yazar", en: "Writes questions to a file" },
  payments: { tr: "Ödemeleri dosyaya yazar", en: "Writes payments to a file" },
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
    tr: "Ürünleri, yorumları, siparişleri, soruları ve ödemeleri dosyaya yazar",
    en: "Writes products, comments, orders, questions and payments to a file",
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
