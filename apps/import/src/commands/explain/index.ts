import { UsageError } from "@catalog/console";

import type { Command } from "../../context.ts";
import { RUN_POSITIONAL } from "../../flags.ts";

/**
 * `catalog explain RUN ROW`: shows the evidence of one row. `catalog explain --product CODE`: shows
 * what has changed of one product. Makes no call and takes no lock.
 */
export const explainCommand: Command = {
  name: "explain",
  positionals: [
    { ...RUN_POSITIONAL, required: false },
    {
      name: "row",
      word: { tr: "satır", en: "row" },
      required: false,
      describe: {
        tr: "Dosyadaki satır numarası; birden çok sayfada Kış!7",
        en: "Number of the row in the file, or Winter!7 if it has several sheets",
      },
    },
  ],
  describe: {
    tr: "Bir satırın ya da ürünün başından geçenleri gösterir",
    en: "Shows what happened to one row or one product",
  },
  flags: {
    product: {
      type: "string",
      describe: {
        tr: "Bu üründe kim neyi ne zaman değiştirdi (kod ya da ID)",
        en: "Who changed what of this product, and when (code or id)",
      },
    },
  },
  examples: [
    "explain r-261121-0930-4f2a 7",
    "explain r-261121-0930-4f2a 7 --json",
    "explain --product KL-1042",
  ],
  run: async (context, flags) => {
    if (flags["product"] !== undefined) {
      if (flags["run"] !== undefined) throw noSubject();
      return await (await import("./product.ts")).runExplainProduct(context, flags);
    }
    if (flags["run"] === undefined || flags["row"] === undefined) throw noSubject();
    return await (await import("./run.ts")).runExplainCommand(context, flags);
  },
};

const noSubject = (): UsageError =>
  new UsageError({
    tr: "Ne açıklansın? Bir çalıştırmanın satırı (catalog explain ÇALIŞTIRMA SATIR) ya da bir ürün (catalog explain --product KOD) verin.",
    en: "What is to be explained? Give a row of a run (catalog explain RUN ROW) or a product (catalog explain --product CODE).",
  });
