/** The questions of a terminal; keys that were typed before a question do not answer it. */

import type { Readable, Writable } from "node:stream";
import { setImmediate as nextLoop } from "node:timers/promises";

import type { Terminal } from "@catalog/console";
import { toVisibleLine, toVisibleText } from "@catalog/sheets/visible-text";

import type { Streams } from "./terminal.ts";

interface QuestionsOptions {
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

/** The input of a terminal that can be read key by key. */
export type KeyInput = Readable & {
  readonly isTTY?: boolean | undefined;
  readonly setRawMode?: ((isRaw: boolean) => unknown) | undefined;
};

/** Turns of the event loop without a key before the buffer counts as empty. */
const QUIET_TURNS = 3;

const CTRL_C = 3;

/**
 * Reads and drops the buffered keys. Returns whether Ctrl-C was among them, which cancels the
 * question that follows. Input that is no terminal is left unread.
 */
async function dropPendingKeys(stdin: KeyInput): Promise<"dropped" | "given-up"> {
  if (stdin.isTTY !== true) return "dropped";
  let quiet = 0;
  let isGivenUp = false;
  const drop = (keys: Buffer | string): void => {
    quiet = 0;
    isGivenUp ||= Buffer.from(keys).includes(CTRL_C);
  };
  // In line mode a terminal returns no key before Enter.
  stdin.setRawMode?.(true);
  stdin.on("data", drop);
  stdin.resume();
  try {
    for (; quiet < QUIET_TURNS; quiet += 1) await nextLoop();
  } finally {
    stdin.off("data", drop);
    stdin.pause();
    stdin.setRawMode?.(false);
  }
  return isGivenUp ? "given-up" : "dropped";
}
