import type { Command } from "../../context.ts";
import { RUN_POSITIONAL } from "../../flags.ts";

/** `catalog explain RUN ROW`: shows the evidence of one row. Makes no call and takes no lock. */
export const explainCommand: Command = {
  name: "explain",
  positionals: [
    RUN_POSITIONAL,
    {
      name: "row",
      word: { tr: "satır", en: "row" },
      required: true,
      describe: {
        tr: "Dosyadaki satır numarası; birden çok sayfada Kış!7",
        en: "Number of the row in the file, or Winter!7 if it has several sheets",
      },
    },
  ],
  describe: {
    tr: "Bir satırın başından geçenleri kanıtlarıyla gösterir",
    en: "Shows what happened to one row, with the evidence",
  },
  flags: {},
  examples: ["explain r-261121-0930-4f2a 7", "explain r-261121-0930-4f2a 7 --json"],
  run: async (context, flags) => (await import("./run.ts")).runExplainCommand(context, flags),
};
