import { EXIT, printJson, UsageError } from "@catalog/console";

import type { Command } from "../../context.ts";
import { COMPLETION_SCRIPTS, isShell, SHELLS } from "./scripts.ts";

export interface CompletionParts {
  /** Words that start the program from every folder. */
  readonly program: string;
}

/** `catalog completion SHELL`: prints the completion script of a shell. */
export const createCompletionCommand = ({ program }: CompletionParts): Command => ({
  name: "completion",
  positionals: [
    {
      name: "shell",
      word: { tr: "kabuk", en: "shell" },
      required: true,
      choices: SHELLS,
      describe: { tr: "Kabuk", en: "The shell" },
    },
  ],
  describe: {
    tr: "Kabukta sekme tuşuyla tamamlama için betik yazdırır",
    en: "Prints a script for completing words with the tab key",
  },
  flags: {},
  examples: ["completion bash >> ~/.bashrc", "completion zsh >> ~/.zshrc"],
  async run({ terminal, json }, flags) {
    const { shell } = flags;
    if (typeof shell !== "string" || !isShell(shell)) {
      throw new UsageError({
        tr: `Bu kabuk için betik yok. Olanlar: ${SHELLS.join(", ")}.`,
        en: `There is no script for this shell. There is one for: ${SHELLS.join(", ")}.`,
      });
    }
    const script = COMPLETION_SCRIPTS[shell](program);
    const exit = EXIT.done;
    if (json) printJson(terminal, { command: "completion", shell, script, exit });
    // Read by a shell in any folder, so that its paths stay whole.
    else terminal.outFile(script);
    return exit;
  },
});
