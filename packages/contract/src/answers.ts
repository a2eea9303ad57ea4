/** Answers of questions, whose form the specification does not show (section Question). */

/** An answer in words. */
interface AnswerText {
  readonly title: string | null;
  /** Every text of it, with line breaks as `\n` and without blanks around it. */
  readonly message: string;
}

/** Names that a text may have, the likelier first. */
const MESSAGES = ["message", "answer", "content", "text", "body", "reply"] as const;
const TITLES = ["title", "subject"] as const;

/** Between the texts of several answers. */
const SEPARATOR = "\n—\n";

/** Reads an answer, whatever its form; `undefined` where there is none. */
export function readAnswer(answer: unknown): AnswerText | undefined {
  const given = (Array.isArray(answer) ? answer : [answer]).flatMap((one: unknown) => {
    const message = readMessage(one);
    return message === "" ? [] : [{ message, title: readText(one, TITLES) }];
  });
  const [first] = given;
  if (first === undefined) return undefined;
  return {
    title: first.title ?? null,
    message: given.map(({ message }) => message).join(SEPARATOR),
  };
}

function readMessage(answer: unknown): string {
  if (answer === null || answer === undefined) return "";
  if (typeof answer === "string") return toPlain(answer);
  return toPlain(readText(answer, MESSAGES) ?? JSON.stringify(answer) ?? "");
}

function readText(answer: unknown, names: readonly string[]): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(answer));
  const texts = names.map((name) => fields.get(name));
  return texts.find((text): text is string => typeof text === "string" && text.trim() !== "");
}

const toPlain = (text: string): string => text.replaceAll(/\r\n?/gu, "\n").trim();
