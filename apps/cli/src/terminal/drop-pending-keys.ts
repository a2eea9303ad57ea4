/**
 * Keys that were typed before a question stood on the screen answer nothing. The terminal keeps
 * them until someone reads, so they are read and dropped before each question.
 */

import { type Readable } from "node:stream";
import { setImmediate as nextLoop } from "node:timers/promises";

/** The input of a terminal, as far as it can be read key by key. */
export type KeyInput = Readable & {
  readonly isTTY?: boolean | undefined;
  readonly setRawMode?: ((isRaw: boolean) => unknown) | undefined;
};

/** Turns of the event loop without a key: each of them asks the terminal once. */
const QUIET_TURNS = 3;

const CTRL_C = 3;

/**
 * Reads what waits in the terminal and drops it. Says whether Ctrl-C was among it, which gives up
 * the question that follows. An input that is no terminal is left as it is.
 */
export async function dropPendingKeys(stdin: KeyInput): Promise<"dropped" | "given-up"> {
  if (stdin.isTTY !== true) return "dropped";
  let quiet = 0;
  let isGivenUp = false;
  const drop = (keys: Buffer | string): void => {
    quiet = 0;
    isGivenUp ||= Buffer.from(keys).includes(CTRL_C);
  };
  // A terminal that waits for whole lines hands out no key before Enter.
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
