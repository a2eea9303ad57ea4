import type { Command } from "../../context.ts";

/** The word that stands in the place of a run's id. */
export const PRUNE = "prune";

/** `catalog runs [RUN]`: lists the runs, or shows one; `catalog runs prune` deletes old rows. */
export const runsCommand: Command = {
  name: "runs",
  positionals: [
    {
      name: "run",
      word: { tr: "çalıştırma", en: "run" },
      required: false,
      words: [PRUNE],
      describe: {
        tr: `Çalıştırma kimliği; ya da eski satırları silmek için "${PRUNE}"`,
        en: `Id of a run; or "${PRUNE}", to delete old rows`,
      },
    },
  ],
  describe: {
    tr: "Çalıştırmaları listeler, birini gösterir ya da eskilerin satırlarını siler",
    en: "Lists the runs, shows one, or deletes the rows of old ones",
  },
  flags: {
    limit: {
      type: "number",
      describe: {
        tr: "En yeni kaç çalıştırmanın listeleneceği (50)",
        en: "How many runs to list, newest first (50)",
      },
    },
    all: { type: "boolean", describe: { tr: "Hepsini listele", en: "List all runs" } },
    "dry-run": {
      type: "boolean",
      describe: {
        tr: "prune için: ne silineceğini göster, silme",
        en: "For prune: show what would be deleted, and delete nothing",
      },
    },
    "older-than": {
      type: "string",
      describe: {
        tr: "prune için: yaş, örneğin 30d (keepDays ayarı)",
        en: "For prune: minimum age, such as 30d (default: the setting keepDays)",
      },
    },
  },
  examples: [
    "runs",
    "runs --all",
    "runs r-261121-0930-4f2a --json",
    "runs prune --dry-run",
    "runs prune --older-than 30d",
  ],
  run: async (context, flags) => (await import("./run.ts")).runRunsCommand(context, flags),
};
