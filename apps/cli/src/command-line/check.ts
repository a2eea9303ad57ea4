/** Finds everything that is wrong with a command line, before the parser sees it. */

import { type Command, type FlagDefinition, splitWords } from "@catalog/console";
import type { Lang } from "@catalog/i18n";
import { distance } from "fastest-levenshtein";

import { type CommandWords, GLOBAL_FLAGS, globalFlagsOf, isOfStore } from "./words.ts";

type Flag = Pick<FlagDefinition, "type" | "choices" | "words" | "many" | "mayBeEmpty">;
type FlagTable = Readonly<Record<string, Flag>>;

/**
 * Describes all mistakes with the next step; `undefined` for a valid command line. The values of
 * flags are checked only against the choices.
 */
export function describeMistakes(
  commands: readonly Command[],
  { words, values }: CommandWords,
  lang: Lang,
): string | undefined {
  const texts = commandLineTexts(lang);
  const { name, rest } = splitCommand(words);
  if (name === undefined) return describeGlobalMistakes(rest, texts);
  const command = commands.find((each) => each.name === name);
  if (command === undefined) {
    const near = synonymOf(name) ?? findNear(name, ["help", ...commands.map((each) => each.name)]);
    return `${texts.unknownCommand(name, near)}\n${texts.seeHelp}`;
  }
  if (rest.includes("--help")) return undefined;
  const table = { ...command.flags, ...globalFlagsOf(name) };
  const foreign = createForeignFlags(commands);
  const { flags, positionals: before } = readLine(rest, table, foreign);
  const positionals = [...before, ...values];
  const mistakes = [
    ...checkFlags(flags, { table, command: name }, texts),
    ...checkPositionals(command, positionals, lang),
  ];
  if (mistakes.length === 0) return undefined;
  const { examples } = { ...command, ...command.helpFor?.(positionals) };
  const [example = command.name] = examples;
  return [
    ...mistakes,
    texts.example(typeof example === "string" ? example : example[lang]),
    texts.seeCommand(command.name),
  ].join("\n");
}

function describeGlobalMistakes(
  words: readonly string[],
  texts: CommandLineTexts,
): string | undefined {
  if (words.includes("--help")) return undefined;
  const { flags } = readLine(words, GLOBAL_FLAGS, createForeignFlags([]));
  const mistakes = checkFlags(flags, { table: GLOBAL_FLAGS, command: "" }, texts);
  // The version is asked for without a command.
  const missing = flags.some(({ typed }) => synonymOf(typed) !== undefined)
    ? []
    : [texts.missingCommand];
  return [...mistakes, ...missing, texts.seeHelp].join("\n");
}

interface SplitWords {
  /** The name of the command; `undefined` where there are flags only. */
  readonly name: string | undefined;
  readonly rest: readonly string[];
}

/** Flags of every command may stand before its name. */
export function splitCommand(words: readonly string[]): SplitWords {
  let isValue = false;
  const at = words.findIndex((word) => {
    if (isValue) {
      isValue = false;
      return false;
    }
    isValue = takesValue(GLOBAL_FLAGS[word.slice(2)]) && word.startsWith("--");
    return !word.startsWith("-");
  });
  return at < 0
    ? { name: undefined, rest: words }
    : { name: words[at], rest: words.toSpliced(at, 1) };
}

const takesValue = (flag: Pick<Flag, "type"> | undefined): boolean =>
  flag !== undefined && flag.type !== "boolean";

interface ReadLine {
  readonly positionals: readonly string[];
  readonly flags: readonly GivenFlag[];
}

function readLine(words: readonly string[], table: FlagTable, foreign: FindForeignFlag): ReadLine {
  const positionals: string[] = [];
  const flags: GivenFlag[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (isFlag(word)) {
      const flag = readFlag(word, words[at + 1], { table, foreign });
      flags.push(flag);
      if (flag.usesNext) at += 1;
    } else {
      positionals.push(word);
    }
  }
  return { positionals, flags };
}

function readFlag(
  word: string,
  next: string | undefined,
  { table, foreign }: { readonly table: FlagTable; readonly foreign: FindForeignFlag },
): GivenFlag {
  const [, typed = word, inline] = /^([^=]+)(?:=(.*))?$/su.exec(word) ?? [];
  const flag = findFlag(typed, table);
  const { flag: other, commands: takers } = foreign(typed);
  const given = inline ?? (isFlag(next) ? undefined : next);
  // The value of another command's flag, or of a misspelt one, is no word of this command either.
  const meant = flag ?? other ?? findFlag(typed, GLOBAL_FLAGS) ?? findMisspelt(typed, table);
  const usesNext = takesValue(meant) && inline === undefined && given !== undefined;
  return { typed, flag, given, usesNext, takers };
}

/** The flag that was probably meant by one that no command has. */
function findMisspelt(typed: string, table: FlagTable): Flag | undefined {
  const near = findNearFlag(typed, table);
  return near === undefined ? undefined : table[near.slice(2)];
}

const findNearFlag = (typed: string, table: FlagTable): string | undefined =>
  findNear(
    typed,
    Object.keys(table).map((name) => `--${name}`),
  );

/** A negative number is a value, and `-` alone stands for the standard output. */
const isFlag = (word: string | undefined): boolean => word !== undefined && /^-\D/u.test(word);

/** `--no-x` cancels `--x`, and the other way round. */
function findFlag(typed: string, table: FlagTable): Flag | undefined {
  const [, name] = /^--(.+)$/u.exec(typed) ?? [];
  if (name === undefined) return undefined;
  const own = Object.hasOwn(table, name) ? table[name] : undefined;
  const opposite = name.startsWith("no-") ? name.slice(3) : `no-${name}`;
  const other = Object.hasOwn(table, opposite) ? table[opposite] : undefined;
  return own ?? (other?.type === "boolean" ? other : undefined);
}

interface GivenFlag {
  readonly typed: string;
  readonly flag: Flag | undefined;
  /** What follows an equals sign, or the next word. */
  readonly given: string | undefined;
  /** Whether the next word is its value. */
  readonly usesNext: boolean;
  /** Other commands that take it. */
  readonly takers: readonly string[];
}

interface CheckedCommand {
  readonly table: FlagTable;
  /** Its name; empty where none is given. */
  readonly command: string;
}

function checkFlags(
  given: readonly GivenFlag[],
  checked: CheckedCommand,
  texts: CommandLineTexts,
): readonly string[] {
  const used = new Set<string>();
  return given.flatMap((each) => {
    const isRepeated = used.has(each.typed) && each.flag?.many !== true;
    used.add(each.typed);
    const repeated = isRepeated
      ? [texts.repeatedFlag(each.typed, each.flag?.words !== undefined)]
      : [];
    return [...repeated, ...checkFlag(each, checked, texts)];
  });
}

function checkFlag(
  { typed, flag, given, takers }: GivenFlag,
  checked: CheckedCommand,
  texts: CommandLineTexts,
): readonly string[] {
  if (flag === undefined) return [describeUnknown({ typed, takers }, checked, texts)];
  if (!takesValue(flag)) return [];
  const { words, choices = words } = flag;
  if (given === undefined || given === "") {
    if (flag.mayBeEmpty === true) return [];
    return [texts.missingFlagValue(typed, choices === undefined ? "" : `: ${choices.join(", ")}`)];
  }
  const values = words === undefined ? [given] : splitWords(given);
  return values.flatMap((value) =>
    checkChoice({ complaint: texts.badFlagValue(typed, value), value, choices }, texts),
  );
}

/** What people ask of a command that another one does: command and flag, and the words that do it. */
const OTHER_WAYS: ReadonlyMap<string, string> = new Map([
  ["sync --dry-run", "plan FEED --mode update"],
  ["import --dry-run", "plan FILE"],
  ["apply --dry-run", "runs RUN"],
  ["undo --dry-run", "undo RUN --plan"],
  ["retry --dry-run", "retry RUN --plan"],
]);

/** With which other programs choose the place of their data. */
const HOME_FLAG = "--home";

function describeUnknown(
  { typed, takers }: Pick<GivenFlag, "typed" | "takers">,
  { table, command }: CheckedCommand,
  texts: CommandLineTexts,
): string {
  const way = OTHER_WAYS.get(`${command} ${typed}`);
  if (way !== undefined) return texts.otherWay(typed, command, way);
  if (typed === "--store" && !isOfStore(command)) return texts.noStore(command);
  if (typed === HOME_FLAG) return texts.noHomeFlag;
  if (takers.length > 0) return texts.foreignFlag(typed, command, takers);
  const synonym = command === "" ? synonymOf(typed) : undefined;
  return texts.unknownFlag(typed, synonym ?? findNearFlag(typed, table));
}

interface Choosing {
  readonly complaint: string;
  readonly value: string;
  readonly choices: readonly string[] | undefined;
}

function checkChoice(
  { complaint, value, choices }: Choosing,
  texts: CommandLineTexts,
): readonly string[] {
  if (choices === undefined || choices.includes(value)) return [];
  const near = findNear(value, choices);
  const listed = texts.choices(choices.join(", "));
  return [
    [complaint, near === undefined ? listed : `${texts.didYouMean(near)} ${listed}`].join(" "),
  ];
}

function checkPositionals(
  { positionals }: Command,
  given: readonly string[],
  lang: Lang,
): readonly string[] {
  const texts = commandLineTexts(lang);
  const mistakes = positionals.flatMap(({ name, word, required, choices }, index) => {
    const value = given[index];
    const what = word?.[lang] ?? name;
    if (value !== undefined) {
      return checkChoice({ complaint: texts.badWord(what, value), value, choices }, texts);
    }
    if (!required) return [];
    const listed = choices === undefined ? "" : ` ${texts.choices(choices.join(", "))}`;
    return [`${texts.missingWord(what)}${listed}`];
  });
  return [...mistakes, ...given.slice(positionals.length).map((word) => texts.extraWord(word))];
}

/** What people type for help and the version in other programs and in Turkish, folded. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["yardim", "help"],
  ["v", "--version"],
  ["version", "--version"],
  ["versiyon", "--version"],
  ["surum", "--version"],
]);

function synonymOf(word: string): string | undefined {
  const meant = SYNONYMS.get(fold(word));
  return meant === word ? undefined : meant;
}

/**
 * The nearest name of those that differ from a word in at most a third of their signs, or in their
 * order.
 */
export function findNear(word: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, far: distanceOf(fold(word), fold(name)) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.floor(shorter(word, name) / 3)))
    .toSorted((a, b) => a.far - b.far);
  return near[0]?.name;
}

const shorter = (word: string, name: string): number =>
  Math.min(fold(word).length, fold(name).length);

/** Letters in another order are one slip of the fingers. */
const distanceOf = (word: string, name: string): number =>
  sortLetters(word) === sortLetters(name) ? Number(word !== name) : distance(word, name);

const sortLetters = (word: string): string => Array.from(word).toSorted().join("");

/** A Turkish keyboard, a single hyphen and an underscore are no other word. */
const fold = (word: string): string =>
  word
    .toLocaleLowerCase("en")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ı", "i")
    .replaceAll(/[-_]/gu, "");

/** A flag of other commands. */
interface ForeignFlag {
  readonly flag: Pick<FlagDefinition, "type"> | undefined;
  /** The commands that take it, in the order of the help; none for a flag that is not known. */
  readonly commands: readonly string[];
}

/** Looks up a typed flag, such as `--set`, in the other commands. */
type FindForeignFlag = (typed: string) => ForeignFlag;

/** Looks up flags that the given command does not have. */
function createForeignFlags(commands: readonly Pick<Command, "name" | "flags">[]): FindForeignFlag {
  return (typed) => {
    const name = typed.replace(/^--/u, "");
    const takers = commands.filter((command) => Object.hasOwn(command.flags, name));
    return { flag: takers[0]?.flags[name], commands: takers.map((command) => command.name) };
  };
}

interface CommandLineTexts {
  readonly missingCommand: string;
  readonly unknownCommand: (word: string, near: string | undefined) => string;
  readonly unknownFlag: (flag: string, near: string | undefined) => string;
  /** `takers`: the commands that take it. */
  readonly foreignFlag: (flag: string, command: string, takers: readonly string[]) => string;
  /** `way`: the command that does it, with its words. */
  readonly otherWay: (flag: string, command: string, way: string) => string;
  /** Where a store is named for a command that opens none. */
  readonly noStore: (command: string) => string;
  readonly noHomeFlag: string;
  readonly missingFlagValue: (flag: string, choices: string) => string;
  /** `isList`: one value may hold several words. */
  readonly repeatedFlag: (flag: string, isList: boolean) => string;
  readonly badFlagValue: (flag: string, value: string) => string;
  readonly badWord: (what: string, value: string) => string;
  readonly didYouMean: (near: string) => string;
  readonly choices: (choices: string) => string;
  readonly missingWord: (word: string) => string;
  readonly extraWord: (word: string) => string;
  readonly example: (line: string) => string;
  readonly seeHelp: string;
  readonly seeCommand: (name: string) => string;
}

/** More commands than these add nothing. */
const MAX_TAKERS = 3;

const listTakers = (names: readonly string[]): string =>
  names.slice(0, MAX_TAKERS).join(", ") + (names.length > MAX_TAKERS ? ", …" : "");

const TURKISH: CommandLineTexts = {
  missingCommand: "Hangi komut?",
  unknownCommand: (word, near) =>
    `“${word}” diye bir komut yok.${near === undefined ? "" : ` “${near}” mi demek istediniz?`}`,
  unknownFlag: (flag, near) =>
    `${flag} diye bir seçenek yok.${near === undefined ? "" : ` ${near} mi demek istediniz?`}`,
  noStore: (command) => `“${command}” saklanan bir mağazayla çalışmaz; --store yazmadan deneyin.`,
  noHomeFlag:
    "--home diye bir seçenek yok. Mağazayı --store AD seçer; verilerin klasörünü CATALOG_HOME değişkeni.",
  foreignFlag: (flag, command, takers) =>
    takers.length === 1
      ? `“${command}” komutunda ${flag} yok, “${takers[0]}” komutunda var. ${flag} yazmadan deneyin ya da o komutu kullanın.`
      : `“${command}” komutunda ${flag} yok; şu komutlarda var: ${listTakers(takers)}. ${flag} yazmadan deneyin ya da onlardan birini kullanın.`,
  otherWay: (flag, command, way) =>
    `“${command}” komutunda ${flag} yok. Bunun için: catalog ${way}`,
  missingFlagValue: (flag, choices) => `${flag} için bir değer yazın${choices}.`,
  repeatedFlag: (flag, isList) =>
    `${flag} birden çok kez verilmiş; bir kez verin${isList ? ", değerleri virgülle ayırarak" : ""}.`,
  badFlagValue: (flag, value) => `${flag} için “${value}” geçerli değil.`,
  badWord: (what, value) => `“${value}” diye bir ${what} yok.`,
  didYouMean: (near) => `“${near}” mi demek istediniz?`,
  choices: (choices) => `Yazılabilecekler: ${choices}.`,
  missingWord: (word) => `Hangi ${word}?`,
  extraWord: (word) =>
    `“${word}” fazladan yazılmış. İçinde boşluk olan bir ad ya da değer tırnak içinde yazılır.`,
  example: (line) => `Örnek: catalog ${line}`,
  seeHelp: "Bütün komutlar için: catalog --help",
  seeCommand: (name) => `Bütün seçenekler için: catalog ${name} --help`,
};

const ENGLISH: CommandLineTexts = {
  missingCommand: "Which command?",
  unknownCommand: (word, near) =>
    `There is no command “${word}”.${near === undefined ? "" : ` Did you mean “${near}”?`}`,
  unknownFlag: (flag, near) =>
    `There is no option ${flag}.${near === undefined ? "" : ` Did you mean ${near}?`}`,
  noStore: (command) => `“${command}” works on no stored store; leave --store out.`,
  noHomeFlag:
    "There is no option --home. --store NAME chooses the store, and the variable CATALOG_HOME the folder of the data.",
  foreignFlag: (flag, command, takers) =>
    takers.length === 1
      ? `“${command}” does not take ${flag}, but “${takers[0]}” does. Leave ${flag} out here, or use that command.`
      : `“${command}” does not take ${flag}; these commands do: ${listTakers(takers)}. Leave ${flag} out here, or use one of them.`,
  otherWay: (flag, command, way) => `“${command}” does not take ${flag}. For that: catalog ${way}`,
  missingFlagValue: (flag, choices) => `${flag} needs a value${choices}.`,
  repeatedFlag: (flag, isList) =>
    `${flag} is given more than once; give it once${isList ? ", with commas between its values" : ""}.`,
  badFlagValue: (flag, value) => `“${value}” is not a value of ${flag}.`,
  badWord: (what, value) => `There is no ${what} “${value}”.`,
  didYouMean: (near) => `Did you mean “${near}”?`,
  choices: (choices) => `It may be: ${choices}.`,
  missingWord: (word) => `Which ${word}?`,
  extraWord: (word) =>
    `“${word}” is one word too many. A name or value with blanks is written in quotes.`,
  example: (line) => `Example: catalog ${line}`,
  seeHelp: "For all commands: catalog --help",
  seeCommand: (name) => `For all options: catalog ${name} --help`,
};

/** The texts of a language. */
const commandLineTexts = (lang: Lang): CommandLineTexts => (lang === "tr" ? TURKISH : ENGLISH);
