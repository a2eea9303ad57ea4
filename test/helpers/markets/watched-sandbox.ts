/** A sandbox that fails the test when a client broke a rule of the specification. */

import {
  type CountedViolation,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from "@catalog/sandbox";
import { expect, onTestFinished } from "vitest";

type Rule = CountedViolation["rule"];

export interface WatchOptions extends SandboxOptions {
  /** Rules that this test breaks on purpose, each with its reason. @default none */
  readonly breaks?: Readonly<Partial<Record<Rule, string>>>;
}

/** Takes what is to be done when the test, or the last test of several, has ended. */
export type OnEnd = (end: () => void | Promise<void>) => void;

/** Starts a sandbox; when the test ends, its violations are checked and it is closed. */
export async function openWatched(
  { breaks = {}, ...options }: WatchOptions = {},
  onEnd: OnEnd = onTestFinished,
): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onEnd(async () => {
    await sandbox.close();
    assertLawful(sandbox.inspect().violations, breaks);
  });
  return sandbox;
}

/** Throws where a rule was broken that the test does not break on purpose. */
export function assertLawful(
  violations: readonly CountedViolation[],
  breaks: WatchOptions["breaks"] = {},
): void {
  expect(violations.filter(({ rule }) => breaks[rule] === undefined)).toEqual([]);
}
