import { ANSWER_FLAGS } from "../../action-flags.ts";
import type { Command } from "../../context.ts";

/** `catalog answer FILE`: answers the questions of a filled-in export. */
export const answerCommand: Command = {
  name: "answer",
  isPatient: true,
  positionals: [
    {
      name: "file",
      word: { tr: "dosya", en: "file" },
      required: true,
      describe: {
        tr: "Yanıt sütunu doldurulmuş soru dosyası (catalog export questions)",
        en: "File of questions with its Answer column filled in (catalog export questions)",
      },
    },
  ],
  describe: {
    tr: "Dosyada yanıtlanmış soruları yanıtlar; başkasının yanıtladığına dokunmaz",
    en: "Answers the questions of a file, except those that have an answer",
  },
  flags: ANSWER_FLAGS,
  examples: [
    { tr: "answer sorular.xlsx", en: "answer questions.xlsx" },
    { tr: "answer sorular.xlsx --plan", en: "answer questions.xlsx --plan" },
    { tr: "answer sorular.csv --yes --json", en: "answer questions.csv --yes --json" },
  ],
  run: async (context, flags) => (await import("../../run-actions.ts")).runAnswer(context, flags),
  goOn: async (context, flags, broken) =>
    (await import("../resume/run.ts")).goOnAfterTakeOver(context, flags, broken),
};
