import { EXIT, type FlagDefinition, printJson, UsageError } from "@catalog/console";

import { globalFlagsOf } from "../../command-line/words.ts";
import type { Command } from "../../context.ts";

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
    en: "Prints a script that completes words with the tab key",
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

/** The shells that have a script. */
export const SHELLS = ["bash", "zsh"] as const;

type Shell = (typeof SHELLS)[number];

/** Whether a shell has a script. */
export function isShell(text: string): text is Shell {
  return SHELLS.some((shell) => shell === text);
}

/**
 * Completes the command `catalog`, also where it is typed with its path; offers files where the
 * program has no answer. The given words start the program from every folder.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, (program: string) => string>> = {
  bash: (program) => `_catalog_complete() {
  local IFS=$'\\n'
  COMPREPLY=($(${program} ${COMPLETE_FLAG} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then compopt -o default 2>/dev/null; fi
}
complete -F _catalog_complete catalog
`,
  zsh: (program) => `_catalog_complete() {
  local -a answers
  answers=("\${(@f)$(${program} ${COMPLETE_FLAG} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${answers[1]}" ]]; then compadd -a answers; else _files; fi
}
compdef _catalog_complete catalog
`,
};

/** First word of a shell's completion request; the words typed so far follow it. */
export const COMPLETE_FLAG = "--complete";

interface CompleteOptions {
  readonly commands: readonly Command[];
  /** Called only where a run's id can stand. An error counts as no runs. */
  readonly readRunIds: () => Promise<readonly string[]>;
  /** Called only where a store's name can stand. An error counts as no stores. */
  readonly readStoreNames: () => Promise<readonly string[]>;
}

type Flag = Pick<FlagDefinition, "type" | "choices" | "many">;

/**
 * `words` are the words after the program's name up to the cursor; the last one is incomplete or
 * empty. An empty result means that the shell should offer files.
 */
export async function completeWords(
  words: readonly string[],
  { commands, readRunIds, readStoreNames }: CompleteOptions,
): Promise<readonly string[]> {
  const { before, typed } = splitWords(words);
  const [name, ...rest] = before;
  const command = commands.find((each) => each.name === name);
  const startsSo = (answer: string): boolean => answer.startsWith(typed);
  if (command === undefined) {
    return name === undefined ? commands.map((each) => each.name).filter(startsSo) : [];
  }
  const flags: Readonly<Record<string, Flag>> = {
    ...command.flags,
    ...globalFlagsOf(command.name),
  };
  const line = readLine(rest, flags);
  if (line.open !== undefined && line.open === flags["store"]) {
    return (await orNone(readStoreNames)).filter(startsSo);
  }
  if (line.open !== undefined) return (line.open.choices ?? []).filter(startsSo);
  if (typed.startsWith("-")) return unusedFlags(flags, line.used).filter(startsSo);
  const answers = await listAnswers(command.positionals[line.positionals], readRunIds);
  return answers.filter(startsSo);
}

type Positional = Command["positionals"][number];

async function listAnswers(
  positional: Positional | undefined,
  readRunIds: CompleteOptions["readRunIds"],
): Promise<readonly string[]> {
  if (positional?.name !== "run") return positional?.choices ?? positional?.words ?? [];
  return [...(positional.words ?? []), ...(await orNone(readRunIds))];
}

interface SplitWords {
  readonly before: readonly string[];
  readonly typed: string;
}

/** Some shells pass `--mode=up` as three words. */
function splitWords(words: readonly string[]): SplitWords {
  const joined = words.filter((word) => word !== "=");
  const typed = words.at(-1) ?? "";
  return typed === "=" ? { before: joined, typed: "" } : { before: joined.slice(0, -1), typed };
}

interface Line {
  /** The flag whose value is being typed. */
  readonly open: Flag | undefined;
  readonly used: ReadonlySet<string>;
  readonly positionals: number;
}

function readLine(words: readonly string[], flags: Readonly<Record<string, Flag>>): Line {
  const used = new Set<string>();
  let open: Flag | undefined;
  let positionals = 0;
  for (const word of words) {
    const [, name, value] = /^--([^=]+)(=.*)?$/u.exec(word) ?? [];
    const flag = name === undefined ? undefined : flags[name];
    if (open !== undefined) open = undefined;
    else if (name === undefined) positionals += 1;
    else if (flag !== undefined && flag.type !== "boolean" && value === undefined) open = flag;
    if (name !== undefined) used.add(name);
  }
  return { open, used, positionals };
}

function unusedFlags(
  flags: Readonly<Record<string, Flag>>,
  used: ReadonlySet<string>,
): readonly string[] {
  return Object.entries(flags)
    .filter(([name, { many }]) => many === true || !used.has(name))
    .map(([name]) => `--${name}`);
}

async function orNone(read: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await read();
  } catch {
    // A completion request cannot show an error.
    return [];
  }
}
