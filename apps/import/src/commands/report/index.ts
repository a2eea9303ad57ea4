import type { Command } from "../../context.ts";

/** `catalog report RUN`: writes the result files again from the database. */
export const reportCommand: Command = {
  name: "report",
  positionals: [
    {
      name: "run",
      word: { tr: "çalıştırma", en: "run" },
      required: true,
      describe: { tr: "Çalıştırma kimliği", en: "Id of the run" },
    },
  ],
  describe: {
    tr: "Bir çalıştırmanın sonuç dosyalarını yeniden yazar",
    en: "Writes the result files of a run again",
  },
  flags: {
    report: {
      type: "string",
      describe: {
        tr: "Klasör (verilmezse ilk yazıldıkları yer)",
        en: "Folder (default: where they were first written)",
      },
    },
  },
  examples: [
    "report r-261121-0930-4f2a",
    {
      tr: "report r-261121-0930-4f2a --report sonuclar",
      en: "report r-261121-0930-4f2a --report results",
    },
  ],
  run: async (context, flags) => (await import("./run.ts")).runReportCommand(context, flags),
};
