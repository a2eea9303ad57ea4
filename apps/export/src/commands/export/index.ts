import { EXPORT_KINDS } from "@catalog/exporter/kinds";

import type { Command } from "../../context.ts";
import { EXPORT_FLAGS } from "./filters.ts";

/** `catalog export KIND --out FILE`: exports the store's listings as a table. */
export const exportCommand: Command = {
  name: "export",
  positionals: [
    {
      name: "kind",
      required: true,
      choices: EXPORT_KINDS,
      describe: { tr: "Ne dışa aktarılacağı", en: "What to export" },
    },
  ],
  describe: {
    tr: "Ürünleri, yorumları, siparişleri, soruları ve ödemeleri dosyaya yazar",
    en: "Writes products, comments, orders, questions and payments to a file",
  },
  flags: EXPORT_FLAGS,
  examples: [
    "export products --out urunler.xlsx",
    "export products --status approved --columns product_code,price,stock --out stok.csv",
    "export comments --store-wide --since last --out yorumlar.csv",
    "export orders --days 7 --out - --format jsonl",
  ],
  run: async (context, flags) => (await import("./run.ts")).runExportCommand(context, flags),
};
