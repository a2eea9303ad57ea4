/** Questions that are answered with a text. Asked on the error stream, as all questions are. */

import { isCancel, password, text } from "@clack/prompts";

import { type Streams } from "./terminal.ts";

/** Each answer is `undefined` when the person gave up. */
export interface Prompts {
  /** `initial` stands there already and can be changed. */
  ask(question: string, initial: string): Promise<string | undefined>;
  /** Shows nothing of what is typed, not even its length. */
  askSecret(question: string): Promise<string | undefined>;
}

export function createPrompts({ stdin, stderr }: Pick<Streams, "stdin" | "stderr">): Prompts {
  const streams = { input: stdin, output: stderr };
  return {
    ask: async (message, initialValue) =>
      toAnswer(await text({ message, initialValue, ...streams })),
    askSecret: async (message) => toAnswer(await password({ message, mask: "", ...streams })),
  };
}

function toAnswer(answer: string | symbol): string | undefined {
  return isCancel(answer) || typeof answer === "symbol" ? undefined : answer.trim();
}
