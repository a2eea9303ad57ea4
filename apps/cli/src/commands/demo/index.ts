import type { Command } from "../../context.ts";

/** `catalog demo`: imports the sample file into a sandbox twice. */
export const demoCommand: Command = {
  name: "demo",
  positionals: [],
  describe: {
    tr: "Yerel bir pazaryeri açıp örnek kataloğu iki kez içe aktarır",
    en: "Opens a local marketplace and imports the sample catalog twice",
  },
  flags: {
    report: {
      type: "string",
      default: "catalog-results/demo",
      describe: { tr: "Sonuç dosyalarının klasörü", en: "Folder of the result files" },
    },
  },
  examples: ["demo", "demo --lang en"],
  run: async (context, flags) => (await import("./run.ts")).runDemoCommand(context, flags),
};
