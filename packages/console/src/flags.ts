/** The flags of a command, and the functions that read their values. */

import type { Localized } from "@catalog/i18n";

import { UsageError } from "./usage-error.ts";

/** A flag of a command. */
export interface FlagDefinition {
  readonly type: "string" | "number" | "boolean";
  readonly describe: Localized;
  readonly choices?: readonly string[];
  /** The accepted words of a value that is a list of them, separated by commas. @default any */
  readonly words?: readonly string[];
  readonly default?: string | number | boolean;
  /** May be given several times. */
  readonly many?: boolean;
  /** Heading under which the help lists it. @default the heading of all others */
  readonly group?: Localized;
}

/** The same flags, listed under a heading in the help. */
export function groupFlags(
  group: Localized,
  flags: Readonly<Record<string, FlagDefinition>>,
): Readonly<Record<string, FlagDefinition>> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, { group, ...flag }]),
  );
}

/** Values of the command line, by name of the flag or positional. A missing one is `undefined`. */
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

/** Reads one of several words; `undefined` for any other, which the parser has refused. */
export function wordFlag<Word extends string>(
  flags: Flags,
  name: string,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === flags[name]);
}

/** Range of a count and the message for other values. */
export interface CountFlagOptions {
  /** Maximum value. @default unlimited */
  readonly max?: number | undefined;
  /** Message for any other value. */
  readonly complaint?: Localized | undefined;
}

/** Reads a whole number from 1 up. Throws {@link UsageError} for anything else. */
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

/** The flag of the number of calls at a time, which {@link concurrencyFlag} reads. */
export const CONCURRENCY_FLAG: FlagDefinition = {
  type: "string",
  // No default here: it would override the configuration file.
  describe: {
    tr: "Aynı anda en çok istek: bir sayı (verilmezse auto)",
    en: "Calls at a time, at most: a number (auto if left out)",
  },
};

/** Reads a number of calls at a time. Throws {@link UsageError} for another text than `auto`. */
export function concurrencyFlag(flags: Flags): number | "auto" | undefined {
  const value = flags["concurrency"];
  if (value === "auto" || value === undefined) return value;
  return countFlag({ concurrency: Number(value) }, "concurrency", {
    complaint: {
      tr: "--concurrency için auto ya da 1 veya daha büyük bir tam sayı verin.",
      en: "Give --concurrency auto or a whole number from 1 up.",
    },
  });
}

/** Makes the message for a refused value. */
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

/** The words of a value, which are separated by commas. */
export const splitWords = (value: string): readonly string[] =>
  value
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** Reads words separated by commas, without any other word, which the parser has refused. */
export function wordsFlag<Word extends string>(
  flags: Flags,
  name: string,
  words: readonly Word[],
): ReadonlySet<Word> {
  const given = splitWords(textFlag(flags, name) ?? "");
  return new Set(words.filter((word) => given.includes(word)));
}
