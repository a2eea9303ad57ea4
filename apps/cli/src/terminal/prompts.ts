/** Questions that are answered with a text, asked on the error stream like all questions. */

import { toVisibleLine, toVisibleText } from "@catalog/sheets/visible-text";

import { dropPendingKeys } from "./drop-pending-keys.ts";
import type { Streams } from "./terminal.ts";

/** An answer is `undefined` when the person cancels. */
export interface Prompts {
  /**
   * `initial` is shown as the answer and can be edited. What `check` complains of is not taken and
   * does not stay on the screen once it is corrected.
   */
  ask(
    question: string,
    initial: string,
    check?: (answer: string) => string | undefined,
  ): Promise<string | undefined>;
  /** Shows a dot for each character that is typed. */
  askSecret(question: string): Promise<string | undefined>;
}

const SECRET_MASK = "•";

/** `stop` cancels a question. @default no signal does */
export function createPrompts(
  { stdin, stderr }: Pick<Streams, "stdin" | "stderr">,
  stop?: AbortSignal,
): Prompts {
  const streams = { input: stdin, output: stderr, ...(stop === undefined ? {} : { signal: stop }) };
  return {
    async ask(question, initial, check) {
      const message = toVisibleText(question);
      const initialValue = toVisibleLine(initial);
      const { text } = await import("@clack/prompts");
      if ((await dropPendingKeys(stdin)) === "given-up") return undefined;
      const validate = (answer = ""): string | undefined => check?.(answer.trim());
      return toAnswer(await text({ message, initialValue, validate, ...streams }));
    },
    async askSecret(question) {
      const message = toVisibleText(question);
      const { password } = await import("@clack/prompts");
      if ((await dropPendingKeys(stdin)) === "given-up") return undefined;
      return toAnswer(await password({ message, mask: SECRET_MASK, ...streams }));
    },
  };
}

function toAnswer(answer: string | symbol): string | undefined {
  // The library returns a symbol for a cancelled question.
  return typeof answer === "symbol" ? undefined : answer.trim();
}
