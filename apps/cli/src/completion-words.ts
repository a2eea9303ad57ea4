/** Completes the last word of a command line from the definitions of the commands. */

import type { FlagDefinition } from "@catalog/console";

import type { Command } from "./context.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";

/** First word of a shell's completion request; the words typed so far follow it. */
export const COMPLETE_FLAG = "--complete";

export interface CompleteOptions {
  readonly commands: readonly Command[];
  /** Called only where a run's id can stand. An error counts as no runs. */
  readonly readRunIds: () => Promise<readonly string[]>;
}

type Flag = Pick<FlagDefinition, "type" | "choices" | "many">;

/**
 * `words` are the words after the program's name up to the cursor; the last one is incomplete or
 * empty. An empty result means that the shell should offer files.
 */
export async function completeWords(
  words: readonly string[],
  { commands, readRunIds }: CompleteOptions,
): Promise<readonly string[]> {
  const { before, typed } = splitWords(words);
  const [name, ...rest] = before;
  const command = commands.find((each) => each.name === name);
  const startsSo = (answer: string): boolean => answer.startsWith(typed);
  if (command === undefined) {
    return name === undefined ? commands.map((each) => each.name).filter(startsSo) : [];
  }
  const flags: Readonly<Record<string, Flag>> = { ...command.flags, ...GLOBAL_FLAGS };
  const line = readLine(rest, flags);
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
  if (positional?.name !== "run") return positional?.choices ?? [];
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
