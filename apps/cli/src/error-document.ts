/** The document that `--json` prints when a command fails: a summary with the error. */

import { NO_FILES, NOTHING_PLANNED, NOTHING_VERIFIED } from "@catalog/report";
import { toCounts } from "@catalog/runs";

import type { Failure } from "./failure.ts";

/** The command that failed, and the run that it worked on. */
export interface ErrorSource {
  readonly command?: string | undefined;
  readonly run?: string | null | undefined;
}

/** Formats the document as one line of text. */
export function toErrorDocument(
  { exit, code, text, issues }: Failure,
  { command = "", run = null }: ErrorSource = {},
): string {
  const document = {
    command,
    run,
    state: "stopped",
    exit,
    counts: toCounts([]),
    planned: NOTHING_PLANNED,
    verification: NOTHING_VERIFIED,
    requests: { total: 0, token: 0, read: 0, write: 0 },
    files: NO_FILES,
    warnings: [],
    issues,
    more_issues: 0,
    error: { code, message: text },
  };
  return `${JSON.stringify(document)}\n`;
}
