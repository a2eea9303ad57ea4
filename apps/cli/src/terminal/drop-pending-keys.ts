/**
 * Drops keys that were typed before a question is shown, as they must not answer it. The terminal
 * buffers them until they are read, so they are read before each question.
 */

import type { Readable } from "node:stream";
import { setImmediate as nextLoop } from "node:timers/promises";

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
export async function dropPendingKeys(stdin: KeyInput): Promise<"dropped" | "given-up"> {
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
