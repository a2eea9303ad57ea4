/** Questions that are answered with a text. Asked on the error stream, as all questions are. */

import { toVisibleLine, toVisibleText } from "@catalog/sheets/visible-text";

import { dropPendingKeys } from "./drop-pending-keys.ts";
import { type Streams } from "./terminal.ts";

/** Each answer is `undefined` when the person gave up. */
export interface Prompts {
  /** `initial` stands there already and can be changed. */
  ask(question: string, initial: string): Promise<string | undefined>;
  /** Shows nothing of what is typed, not even its length. */
  askSecret(question: string): Promise<string | undefined>;
}

/** `stop` breaks a question off. @default nothing does */
export function createPrompts(
  { stdin, stderr }: Pick<Streams, "stdin" | "stderr">,
  stop?: AbortSignal,
): Prompts {
  const streams = { input: stdin, output: stderr, ...(stop === undefined ? {} : { signal: stop }) };
  return {
    async ask(question, initial) {
      const message = toVisibleText(question);
      const initialValue = toVisibleLine(initial);
      const { text } = await import("@clack/prompts");
      if ((await dropPendingKeys(stdin)) === "given-up") return undefined;
      return toAnswer(await text({ message, initialValue, ...streams }));
    },
    async askSecret(question) {
      const message = toVisibleText(question);
      const { password } = await import("@clack/prompts");
      if ((await dropPendingKeys(stdin)) === "given-up") return undefined;
      return toAnswer(await password({ message, mask: "", ...streams }));
    },
  };
}

function toAnswer(answer: string | symbol): string | undefined {
  // What is broken off is answered with a symbol.
  return typeof answer === "symbol" ? undefined : answer.trim();
}
