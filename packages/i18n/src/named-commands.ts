/**
 * Commands that texts name as `catalog plan`. What a person has to type instead, such as
 * `npx catalog-toolkit plan`, is put in where the text is shown.
 */

/** First words of the commands that texts name. */
export const NAMED_COMMANDS: readonly string[] = [
  "alerts",
  "answer",
  "api",
  "apply",
  "completion",
  "db",
  "demo",
  "doctor",
  "explain",
  "export",
  "feed",
  "help",
  "import",
  "login",
  "lookup",
  "map",
  "mcp",
  "orders",
  "plan",
  "release",
  "report",
  "resume",
  "retry",
  "rules",
  "runs",
  "sandbox",
  "schedule",
  "shipping",
  "stores",
  "sync",
  "template",
  "trust",
  "undo",
  "users",
  "web",
  "worker",
];

/** A line may end within a command, and an indented one go on. */
const COMMAND = String.raw`(?<![\p{L}\p{N}_./\\-])catalog(?<gap> |\n +)(?=(?:${NAMED_COMMANDS.join("|")})(?![\p{L}\p{N}_=])|--)`;

/** A path or a value in quotes; quotes around a command hold nothing before it. */
const QUOTED = ['"[^"\n]*"', String.raw`'[^'\n]*'(?:\\''[^'\n]*')*`]
  .map((word) => String.raw`(?<![^\s(=])(?!.catalog )${word}(?![^\s.,;:)])`)
  .concat("“(?!catalog )[^”\n]*”")
  .join("|");

const QUOTED_OR_COMMAND = new RegExp(`${QUOTED}|${COMMAND}`, "gu");

/**
 * Puts the words that start the program in place of `catalog` before each command of a text. A text that already contains them, and quoted parts, are not changed.
 */
export function nameProgram(text: string, program: string): string {
  if (program === "catalog" || !text.includes("catalog")) return text;
  const nameIn = (part: string): string =>
    part.replaceAll(QUOTED_OR_COMMAND, (found, gap: string | undefined) =>
      gap === undefined ? found : `${program}${gap}`,
    );
  return text.split(program).map(nameIn).join(program);
}

/** Signs that no shell changes, letters of every script among them. */
const PLAIN = /^[\p{L}\p{N}_@%+:,./-][\p{L}\p{N}_@%+=:,./~-]*$/u;

/** Signs that a shell reads inside double quotes too. */
const READ_IN_QUOTES = /["$\\`!]/u;

/** Writes a text as one word of a command that is pasted into a shell, always in quotes. */
export const quoteText = (text: string): string =>
  READ_IN_QUOTES.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`;

/**
 * Writes a text as one word of a command that is pasted into a shell, in quotes where it needs
 * them.
 */
export const quoteWord = (text: string): string => (PLAIN.test(text) ? text : quoteText(text));
