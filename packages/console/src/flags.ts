/** The flags of a command, and the readers of their values. */

import { type Localized } from "@catalog/i18n";

import { UsageError } from "./usage-error.ts";

/** A flag of a command. */
export interface FlagDefinition {
  readonly type: "string" | "number" | "boolean";
  readonly describe: Localized;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  /** May be given several times. */
  readonly many?: boolean;
}

/** What the command line said, by flag or positional name. Absent flags are `undefined`. */
export type Flags = Readonly<Record<string, unknown>>;

/** The text of a flag or positional; `undefined` when it was not given. */
export function textFlag(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The texts of a flag that may be given several times. */
export function textsFlag(flags: Flags, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? value.map(String) : [];
}

/** One of a few words; nothing for any other, which the parser has refused. */
export function wordFlag<Word extends string>(
  flags: Flags,
  name: string,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === flags[name]);
}

export interface CountFlagOptions {
  /** @default any whole number */
  readonly max?: number | undefined;
  /** What is said of anything else. */
  readonly complaint?: Localized | undefined;
}

/** A whole number from 1 up. Throws {@link UsageError} for anything else. */
export function countFlag(
  flags: Flags,
  name: string,
  { max = Number.MAX_SAFE_INTEGER, complaint }: CountFlagOptions = {},
): number | undefined {
  const value = flags[name];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max) {
    return value;
  }
  throw new UsageError(
    complaint ?? {
      tr: `--${name} için 1 ya da daha büyük bir tam sayı verin.`,
      en: `Give --${name} a whole number from 1 up.`,
    },
  );
}

/** What is said of a value that is refused. */
export type Complain = (value: string) => Localized;

/** Splits `left=right` pairs. Throws {@link UsageError} for a text without an equals sign. */
export function pairsFlag(
  flags: Flags,
  name: string,
  complain: Complain = (text) => ({
    tr: `--${name} "${text}" anlaşılamadı. Arasına eşittir koyun: --${name} "sol=sağ".`,
    en: `--${name} "${text}" is not understood. Put an equals sign in it: --${name} "left=right".`,
  }),
): ReadonlyMap<string, string> {
  const pairs = textsFlag(flags, name).map((text) => {
    const at = text.lastIndexOf("=");
    if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const;
    throw new UsageError(complain(text));
  });
  return new Map(pairs);
}

export interface WordsFlagOptions<Word extends string> {
  /** The words that may be given. */
  readonly words: readonly Word[];
  /** What is said of any other. */
  readonly complain: Complain;
}

/** Words with commas between them. Throws {@link UsageError} for one that may not be given. */
export function wordsFlag<Word extends string>(
  flags: Flags,
  name: string,
  { words, complain }: WordsFlagOptions<Word>,
): ReadonlySet<Word> {
  const given = (textFlag(flags, name) ?? "").split(",").map((word) => word.trim());
  return new Set(
    given
      .filter((word) => word !== "")
      .map((word) => {
        const known = words.find((each) => each === word);
        if (known === undefined) throw new UsageError(complain(word));
        return known;
      }),
  );
}
