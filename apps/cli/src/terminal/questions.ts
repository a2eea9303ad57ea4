/** The questions of a terminal; keys that were typed before a question do not answer it. */

import type { Writable } from "node:stream";

import type { Terminal } from "@catalog/console";
import { toVisibleLine, toVisibleText } from "@catalog/sheets/visible-text";

import { dropPendingKeys, type KeyInput } from "./drop-pending-keys.ts";

export interface QuestionsOptions {
  readonly stdin: KeyInput;
  readonly stderr: Writable;
  /** Cancels an open question. */
  readonly stop: AbortSignal | undefined;
}

export function createQuestions({
  stdin,
  stderr,
  stop,
}: QuestionsOptions): Required<Pick<Terminal, "ask" | "choose" | "askText">> {
  const streams = { input: stdin, output: stderr, ...(stop === undefined ? {} : { signal: stop }) };
  return {
    async ask(question, words) {
      const { confirm, isCancel } = await import("@clack/prompts");
      if ((await dropPendingKeys(stdin)) === "given-up") return undefined;
      using letters = takeFirstLetters(stdin, words);
      const answer = await confirm({
        message: toVisibleText(question),
        active: letters.yes,
        inactive: letters.no,
        // An irreversible action is never the default answer.
        initialValue: false,
        ...streams,
      });
      return isCancel(answer) ? undefined : answer;
    },
    async choose(question, choices) {
      const { isCancel, select } = await import("@clack/prompts");
      if ((await dropPendingKeys(stdin)) === "given-up") return undefined;
      const answer = await select<string>({
        message: toVisibleText(question),
        // The library's hints exist in English only.
        showInstructions: false,
        options: choices.map(({ value, label }) => ({ value, label: toVisibleLine(label) })),
        ...streams,
      });
      return isCancel(answer) ? undefined : answer;
    },
    async askText(question) {
      const { isCancel, text } = await import("@clack/prompts");
      if ((await dropPendingKeys(stdin)) === "given-up") return undefined;
      const answer = await text({ message: toVisibleText(question), ...streams });
      return isCancel(answer) ? undefined : answer.trim();
    },
  };
}

interface QuestionTexts {
  readonly yes: string;
  readonly no: string;
}

/**
 * Accepts the first letter of each answer (`e` for Evet) by passing it to the library as `y` or
 * `n`, the only letters that it knows.
 */
function takeFirstLetters(stdin: KeyInput, { yes, no }: QuestionTexts): QuestionTexts & Disposable {
  const keys = new Map([
    [yes.slice(0, 1).toLowerCase(), "y"],
    [no.slice(0, 1).toLowerCase(), "n"],
  ]);
  const forwardKey = (typed: unknown): void => {
    if (typeof typed !== "string") return;
    const key = keys.get(typed.toLowerCase());
    if (key !== undefined && key !== typed.toLowerCase()) {
      stdin.emit("keypress", key, { name: key });
    }
  };
  stdin.on("keypress", forwardKey);
  return { yes, no, [Symbol.dispose]: () => void stdin.off("keypress", forwardKey) };
}
