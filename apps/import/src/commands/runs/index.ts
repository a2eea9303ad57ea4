import type { Command } from "../../context.ts";

/** `catalog runs [RUN]`: lists the runs, or shows one. */
export const runsCommand: Command = {
  name: "runs",
  positionals: [
    { name: "run", required: false, describe: { tr: "Çalıştırma kimliği", en: "Id of a run" } },
  ],
  describe: {
    tr: "Çalıştırmaları listeler ya da birini ayrıntısıyla gösterir",
    en: "Lists the runs, or shows one in detail",
  },
  flags: {},
  examples: ["runs", "runs r-261121-0930-4f2a --json"],
  run: async (context, flags) => (await import("./run.ts")).runRunsCommand(context, flags),
};
