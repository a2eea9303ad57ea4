/** Parses words to a command and its flags, and prints help, in the person's language. */

import { type FlagDefinition, type Flags, UsageError } from "@catalog/console";
import type { Lang } from "@catalog/i18n";
import yargs, { type Argv, type Options } from "yargs";

import type { Command } from "./context.ts";

export interface ParsedCommand {
  readonly kind: "command";
  readonly command: Command;
  readonly flags: Flags;
}

export type ParsedCommandLine = ParsedCommand | { readonly kind: "help"; readonly text: string };

const TEXTS = {
  tr: {
    usage: "Kullanım: $0 <komut> [seçenekler]",
    json: "Sonucu tek bir JSON belgesi olarak yaz",
    lang: "Dil",
    quiet: "İlerlemeyi gösterme",
    noColor: "Renk kullanma",
    needsCommand: "Bir komut verin.",
    epilogue:
      "Ortam değişkenleri: CATALOG_BASE_URL, CATALOG_CLIENT_KEY, CATALOG_CLIENT_SECRET,\nCATALOG_STORE_ID, CATALOG_HOME, CATALOG_LANG. Denemek için: catalog demo",
    seeHelp: 'Bütün komutlar için "catalog --help" yazın.',
    seeCommand: (name: string, line: string) =>
      `Kullanım: catalog ${line} [seçenekler]\nBütün seçenekler için "catalog ${name} --help" yazın.`,
  },
  en: {
    usage: "Usage: $0 <command> [options]",
    json: "Print the result as one JSON document",
    lang: "Language",
    quiet: "Show no progress",
    noColor: "Use no colours",
    needsCommand: "Give a command.",
    epilogue:
      "Environment: CATALOG_BASE_URL, CATALOG_CLIENT_KEY, CATALOG_CLIENT_SECRET,\nCATALOG_STORE_ID, CATALOG_HOME, CATALOG_LANG. To try it: catalog demo",
    seeHelp: '"catalog --help" shows every command.',
    seeCommand: (name: string, line: string) =>
      `Usage: catalog ${line} [options]\n"catalog ${name} --help" shows every option.`,
  },
} as const;

/** Words of the help for which the library's translation is wrong or missing. */
const STRINGS: Readonly<Record<Lang, Record<string, string>>> = {
  tr: {
    string: "metin",
    number: "sayı",
    boolean: "evet/hayır",
    array: "birden çok",
    "Positionals:": "Değerler:",
    "Show help": "Bu yardımı göster",
  },
  en: {},
};

const HELP_WIDTH = 80;

/**
 * Parses the words after the program's name. Throws {@link UsageError} for an invalid command line.
 */
export async function parseCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
  lang: Lang,
): Promise<ParsedCommandLine> {
  const texts = TEXTS[lang];
  let chosen: ParsedCommand | undefined;
  // The first of several errors is the cause, such as a misspelt command.
  const complaints: string[] = [];
  let parser = yargs([])
    .scriptName("catalog")
    .locale(lang)
    .updateStrings(STRINGS[lang])
    .usage(texts.usage)
    .options(globalOptions(texts))
    .demandCommand(1, texts.needsCommand)
    .recommendCommands()
    .strict()
    .help()
    .version(false)
    .wrap(HELP_WIDTH)
    .epilogue(texts.epilogue)
    .fail((message) => complaints.push(message))
    .exitProcess(false);
  for (const command of commands) {
    parser = parser.command(
      commandLine(command),
      command.describe[lang],
      (builder) => describeCommand(builder, command, lang),
      (flags) => {
        chosen = { kind: "command", command, flags };
      },
    );
  }

  const words = argv.length === 0 ? ["--help"] : argv;
  const output = await parse(parser, words);
  const [complaint] = complaints;
  if (complaint !== undefined) {
    const command = commands.find(({ name }) => name === words[0]);
    const next =
      command === undefined ? texts.seeHelp : texts.seeCommand(command.name, commandLine(command));
    throw new UsageError({ tr: `${complaint}\n${next}`, en: `${complaint}\n${next}` });
  }
  return chosen ?? { kind: "help", text: output };
}

/** With a callback yargs passes the text instead of printing it. */
function parse(parser: Argv, words: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const done = parser.parse([...words], {}, (_error, _flags, output) => resolve(output));
  Promise.resolve(done).catch(reject);
  return promise;
}

function commandLine({ name, positionals }: Command): string {
  const words = positionals.map(({ name: word, required }) =>
    required ? `<${word}>` : `[${word}]`,
  );
  return [name, ...words].join(" ");
}

function describeCommand(builder: Argv, command: Command, lang: Lang): Argv {
  for (const { name, describe, choices } of command.positionals) {
    const choice = choices === undefined ? {} : { choices };
    builder.positional(name, { type: "string", describe: describe[lang], ...choice });
  }
  for (const [name, flag] of Object.entries(command.flags)) {
    builder.option(name, toOption(flag, lang));
    // `--no-x` sets `x`; the help shows the word that is typed.
    const [, positive] = /^no-(.+)$/u.exec(name) ?? [];
    if (positive !== undefined) {
      builder.option(positive, { type: "boolean", default: true, hidden: true });
    }
  }
  for (const example of command.examples) builder.example(`$0 ${example}`, "");
  return builder;
}

function toOption(flag: FlagDefinition, lang: Lang): Options {
  return {
    type: flag.type,
    describe: flag.describe[lang],
    requiresArg: flag.type !== "boolean",
    ...(flag.many === true ? { array: true, nargs: 1 } : {}),
    ...(flag.choices === undefined ? {} : { choices: flag.choices }),
    ...(flag.default === undefined ? {} : { default: flag.default }),
  };
}

function globalOptions(texts: (typeof TEXTS)[Lang]): Record<string, Options> {
  return {
    json: { type: "boolean", describe: texts.json },
    lang: { type: "string", choices: ["tr", "en"], describe: texts.lang, requiresArg: true },
    quiet: { type: "boolean", describe: texts.quiet },
    color: { type: "boolean", default: true, hidden: true },
    "no-color": { type: "boolean", describe: texts.noColor },
  };
}
