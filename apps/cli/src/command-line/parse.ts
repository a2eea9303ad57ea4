/** Parses words to a command and its flags, and prints help, in the person's language. */

import { type FlagDefinition, type Flags, UsageError } from "@catalog/console";
import type { Lang } from "@catalog/i18n";
import yargs, { type Argv, type Options } from "yargs";

import type { Command } from "../context.ts";
import { describeMistakes, splitCommand } from "./check.ts";
import { type CommandWords, GLOBAL_FLAGS, isOfStore, splitValues } from "./words.ts";

declare module "yargs" {
  // The types of yargs 18 do not know this function, which its documentation describes.
  interface Argv<T> {
    usageConfiguration(options: { readonly "hide-types": boolean }): this;
  }
}

export interface ParsedCommand {
  readonly kind: "command";
  readonly command: Command;
  readonly flags: Flags;
}

type ParsedCommandLine = ParsedCommand | { readonly kind: "help"; readonly text: string };

const TEXTS = {
  tr: {
    usage: (words: string) => `Kullanım: catalog ${words}`,
    overview: "<komut> [seçenekler]",
    standard: (value: string) => `varsayılan: ${value}`,
    several: "birden çok kez verilebilir",
    options: "Seçenekler",
    everywhere: "Her komutta",
    examples: "Örnekler",
    store: "Adıyla bir mağaza (login --list)",
    json: "Sonucu tek bir JSON belgesi olarak yaz",
    lang: "Dil: Türkçe ya da İngilizce",
    quiet: "İlerlemeyi gösterme",
    noColor: "Renk kullanma",
    environment: (names: string) => `Ortam değişkenleri: ${names}.`,
    tryIt: "Denemek için: catalog demo",
    seeCommand: "Bir komutun seçenekleri için: catalog import --help",
  },
  en: {
    usage: (words: string) => `Usage: catalog ${words}`,
    overview: "<command> [options]",
    standard: (value: string) => `default: ${value}`,
    several: "may be given several times",
    options: "Options",
    everywhere: "In every command",
    examples: "Examples",
    store: "A store by its name (login --list)",
    json: "Print the result as one JSON document",
    lang: "Language: Turkish or English",
    quiet: "Show no progress",
    noColor: "Use no colours",
    environment: (names: string) => `Environment variables: ${names}.`,
    tryIt: "To try it: catalog demo",
    seeCommand: "For the options of a command: catalog import --help",
  },
} as const;

/** Words of the help for which the library's translation is wrong or missing. */
const STRINGS: Readonly<Record<Lang, Record<string, string>>> = {
  tr: {
    // Those of the parser's own language are not in the program that people get.
    "Commands:": "Komutlar:",
    "Positionals:": "Girdiler:",
    "Show help": "Bu yardımı göster",
  },
  en: { "Positionals:": "Arguments:" },
};

/** Help is not wider than this, since long lines are hard to read. */
const MAX_HELP_COLUMNS = 100;
const MIN_HELP_COLUMNS = 40;
const PIPE_COLUMNS = 80;

/** Variables that the overview of the commands names. */
const SHOWN_VARIABLES = [
  "CATALOG_BASE_URL",
  "CATALOG_CLIENT_KEY",
  "CATALOG_CLIENT_SECRET",
  "CATALOG_STORE_ID",
  "CATALOG_STORE",
  "CATALOG_HOME",
  "CATALOG_DATABASE_URL",
  "CATALOG_SECRET_KEY",
  "CATALOG_LANG",
  "CATALOG_REQUESTS_PER_HOUR",
  "CATALOG_KEEP_DAYS",
].join(", ");

interface ParseOptions {
  readonly lang: Lang;
  /** Width of the terminal that shows the help. @default unlimited */
  readonly columns?: number;
}

/**
 * Parses the words after the program's name. Throws {@link UsageError} for an invalid command line.
 */
export async function parseCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
  { lang, columns = Number.POSITIVE_INFINITY }: ParseOptions,
): Promise<ParsedCommandLine> {
  const split = splitValues(argv);
  const { values } = split;
  const words = toFlags(split);
  const mistakes = describeMistakes(commands, { words, values }, lang);
  if (mistakes !== undefined) throw new UsageError({ tr: mistakes, en: mistakes });

  const { name: word } = splitCommand(words);
  const shown = commands.map((command) => forHelp(command, words));
  const named = shown.find(({ name }) => name === word);
  const complaints: string[] = [];
  const parser = createParser(lang, word, { isOverview: named === undefined, columns }).fail(
    (message) => complaints.push(message),
  );
  for (const command of shown) {
    parser.command(
      command === named ? commandLine(command, lang) : command.name,
      command.describe[lang],
      (builder) => describeCommand(builder, command, lang),
      leaveWith,
    );
  }

  const { output, flags } = await parse(parser, [...words, ...values.map(toPlainWord)]);
  const [complaint] = complaints;
  // `describeMistakes` finds what the parser would refuse, and says it better.
  if (complaint !== undefined) throw new UsageError({ tr: complaint, en: complaint });
  if (named !== undefined && output === "") {
    return {
      kind: "command",
      command: named,
      flags: nameArguments(named, flags, { values, lang }),
    };
  }
  if (named === undefined) return { kind: "help", text: output };
  const more = await named.moreHelp?.(splitCommand(words).rest, {
    lang,
    columns: widthOf(columns),
  });
  const text = withExamples(output, named, lang);
  return { kind: "help", text: more === undefined ? text : `${text}\n\n${more}` };
}

/** `catalog` and `catalog help` show all commands, and `catalog help plan` one of them. */
function toFlags({ words, values }: CommandWords): readonly string[] {
  if (words.length + values.length === 0) return ["--help"];
  const flags = words.map((word) => (word === "-h" ? "--help" : word));
  return flags[0] === "help" ? [...flags.slice(1), "--help"] : flags;
}

/** The parser takes no word behind `--` for an argument; it gets one that it takes for no flag. */
const toPlainWord = (value: string): string => (value.startsWith("-") ? "value" : value);

interface ParserOptions {
  readonly isOverview: boolean;
  readonly columns: number;
}

function createParser(
  lang: Lang,
  command: string | undefined,
  { isOverview, columns }: ParserOptions,
): Argv {
  const hasStore = isOfStore(command ?? "");
  const texts = TEXTS[lang];
  const parser = yargs([])
    .scriptName("")
    .locale(lang)
    .updateStrings(STRINGS[lang])
    .usage(texts.usage(texts.overview))
    .options(globalOptions(texts, hasStore))
    .strict()
    .help()
    .version(false)
    .wrap(widthOf(columns))
    // The descriptions of flags name choices and defaults; types are evident from them.
    .usageConfiguration({ "hide-types": true })
    .group(hasStore ? GLOBAL_NAMES : GLOBAL_NAMES.slice(1), `${texts.everywhere}:`)
    .exitProcess(false);
  return isOverview ? parser.epilogue(overview(lang)) : parser;
}

const widthOf = (columns: number): number =>
  Math.max(
    MIN_HELP_COLUMNS,
    Math.min(Number.isFinite(columns) ? columns : PIPE_COLUMNS, MAX_HELP_COLUMNS),
  );

/** In the order of the help; the store comes first. */
const GLOBAL_NAMES = Object.keys(GLOBAL_FLAGS);

function overview(lang: Lang): string {
  const { environment, tryIt, seeCommand } = TEXTS[lang];
  return `${environment(SHOWN_VARIABLES)}\n\n${seeCommand}\n${tryIt}`;
}

interface Parsed {
  readonly flags: Flags;
  /** The help; empty where it was not asked for. */
  readonly output: string;
}

/** Carries the flags of a command out of its handler. */
class CalledCommand extends Error {
  readonly flags: Flags;

  constructor(flags: Flags) {
    super();
    this.flags = flags;
  }
}

/** Once a handler has returned, yargs formats the help of its command, which takes longer than all else. */
function leaveWith(flags: Flags): never {
  throw new CalledCommand(flags);
}

/** With a callback yargs passes the text instead of printing it. */
async function parse(parser: Argv, words: readonly string[]): Promise<Parsed> {
  let output = "";
  try {
    const flags = await parser.parse([...words], {}, (_error, _flags, text) => {
      output = text;
    });
    return { flags, output };
  } catch (error) {
    if (error instanceof CalledCommand) return { flags: error.flags, output };
    throw error;
  }
}

function commandLine({ name, positionals }: Command, lang: Lang): string {
  const words = positionals.map((positional) => {
    const word = wordOf(positional, lang);
    return positional.required ? `<${word}>` : `[${word}]`;
  });
  return [name, ...words].join(" ");
}

type Positional = Command["positionals"][number];

const wordOf = ({ name, word }: Positional, lang: Lang): string => word?.[lang] ?? name;

interface GivenValues {
  /** Words behind `--`, which are the last arguments. */
  readonly values: readonly string[];
  readonly lang: Lang;
}

/** The parser knows the arguments by the words of the language. */
function nameArguments(
  { positionals }: Command,
  flags: Flags,
  { values, lang }: GivenValues,
): Flags {
  const given = positionals
    .map((each) => [each.name, flags[wordOf(each, lang)]] as const)
    .filter(([, value]) => value !== undefined);
  const first = given.length - values.length;
  const named = given.map(([name, value], at) => [name, values[at - first] ?? value] as const);
  return { ...flags, ...Object.fromEntries(named) };
}

type ShownCommand = Command & { readonly usage?: string };

/** A flag that the help leaves out is still parsed, so that the command says where it belongs. */
const forHelp = (command: Command, words: readonly string[]): ShownCommand =>
  words.includes("--help") ? { ...command, ...command.helpFor?.(words.slice(1)) } : command;

const usageOf = (command: ShownCommand, lang: Lang): string =>
  command.usage ?? commandLine(command, lang);

function describeCommand(builder: Argv, command: ShownCommand, lang: Lang): Argv {
  const usage = TEXTS[lang].usage(usageOf(command, lang));
  builder.usage(`${usage}\n\n${command.describe[lang]}`);
  for (const positional of command.positionals) {
    const { describe, choices } = positional;
    const listed = describeValues({ choices }, lang);
    builder.positional(wordOf(positional, lang), {
      type: "string",
      describe: `${describe[lang]}${listed}`,
      ...(choices === undefined ? {} : { choices }),
    });
  }
  const groups = new Map<string, string[]>();
  for (const [name, flag] of Object.entries(command.flags)) {
    builder.option(name, toOption(flag, lang));
    // \`--no-x\` sets \`x\`; the help shows the word that is typed.
    const [, positive] = /^no-(.+)$/u.exec(name) ?? [];
    if (positive !== undefined) {
      builder.option(positive, { type: "boolean", default: true, hidden: true });
    }
    const heading = `${flag.group?.[lang] ?? TEXTS[lang].options}:`;
    groups.set(heading, [...(groups.get(heading) ?? []), name]);
  }
  for (const [heading, names] of groups) builder.group(names, heading);
  return builder;
}

function toOption(flag: FlagDefinition, lang: Lang): Options {
  return {
    type: flag.type,
    describe: flag.describe[lang] + describeValues(flag, lang),
    requiresArg: flag.type !== "boolean" && flag.mayBeEmpty !== true,
    ...(flag.many === true ? { array: true, nargs: 1 } : {}),
    ...(flag.choices === undefined ? {} : { choices: flag.choices }),
    ...(flag.default === undefined ? {} : { default: flag.default }),
  };
}

interface Values extends Pick<FlagDefinition, "default" | "many"> {
  readonly choices?: readonly string[] | undefined;
}

/** The choices and the default, in brackets behind the description. */
function describeValues({ choices, default: standard, many }: Values, lang: Lang): string {
  const texts = TEXTS[lang];
  const parts = [
    choices?.join(" | ") ?? "",
    standard === undefined || standard === "" ? "" : texts.standard(String(standard)),
    many === true ? texts.several : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` [${parts.join("; ")}]`;
}

/** Examples are not wrapped, as people copy them. */
function withExamples(help: string, { examples }: Command, lang: Lang): string {
  const lines = examples.map(
    (example) => `  catalog ${typeof example === "string" ? example : example[lang]}`,
  );
  return [help.trimEnd(), "", `${TEXTS[lang].examples}:`, ...lines].join("\n");
}

function globalOptions(texts: (typeof TEXTS)[Lang], hasStore: boolean): Record<string, Options> {
  return {
    ...(hasStore && { store: { type: "string", describe: texts.store, requiresArg: true } }),
    json: { type: "boolean", describe: texts.json },
    lang: {
      type: "string",
      choices: ["tr", "en"],
      describe: `${texts.lang} [tr | en]`,
      requiresArg: true,
    },
    quiet: { type: "boolean", describe: texts.quiet },
    color: { type: "boolean", default: true, hidden: true },
    "no-color": { type: "boolean", describe: texts.noColor },
  };
}
