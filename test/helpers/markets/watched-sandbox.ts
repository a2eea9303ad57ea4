/**
 * A sandbox that fails the test when a client broke a rule of the specification, or did something
 * twice: answered a question, moved a package, generated a shipping code.
 */

import {
  type CountedViolation,
  type Inspection,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from "@catalog/sandbox";
import { expect, onTestFinished } from "vitest";

type Rule = CountedViolation["rule"];

export interface WatchOptions extends SandboxOptions {
  /** Rules that this test breaks on purpose, each with its reason. @default none */
  readonly breaks?: Readonly<Partial<Record<Rule, string>>>;
  /** Why this test may do something twice. @default it may not */
  readonly repeats?: string;
}

/** Takes what is to be done when the test, or the last test of several, has ended. */
export type OnEnd = (end: () => void | Promise<void>) => void;

/** Starts a sandbox; when the test ends, its violations are checked and it is closed. */
export async function openWatched(
  { breaks = {}, repeats, ...options }: WatchOptions = {},
  onEnd: OnEnd = onTestFinished,
): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onEnd(async () => {
    await sandbox.close();
    const inspection = sandbox.inspect();
    assertLawful(inspection.violations, breaks);
    if (repeats === undefined) assertNothingTwice(inspection);
  });
  return sandbox;
}

/** Throws where a question was answered twice, a package moved twice, or a code made twice. */
export function assertNothingTwice({ repeatedEffects }: Pick<Inspection, "repeatedEffects">): void {
  expect(repeatedEffects).toEqual({});
}

/** Throws where a rule was broken that the test does not break on purpose. */
export function assertLawful(
  violations: readonly CountedViolation[],
  breaks: WatchOptions["breaks"] = {},
): void {
  expect(violations.filter(({ rule }) => breaks[rule] === undefined)).toEqual([]);
}
