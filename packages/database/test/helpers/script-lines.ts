/** Lines that a script of this folder exchanges with the test that started it. */

import { once } from "node:events";
import { writeSync } from "node:fs";

/** Writes a line, synchronously. */
export function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Writes `waiting`, and waits until the test sends a line. */
export async function waitForGo(): Promise<void> {
  say("waiting");
  await once(process.stdin, "data");
  process.stdin.unref();
}

/** Returns an argument of the script. */
export function argument(index: number): string {
  const value = process.argv[index + 2];
  if (value === undefined) throw new Error(`argument ${index} is missing`);
  return value;
}
