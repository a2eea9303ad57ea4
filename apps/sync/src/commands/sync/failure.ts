/** Describes a failed sync after which the next one may succeed. */

import { AuthError, ClientError, PermissionError } from "@catalog/client/errors";
import { CatalogError, DatabaseError } from "@catalog/connection";
import { EXIT } from "@catalog/console";
import { describeFileError, isFileError, type Lang } from "@catalog/i18n";
import type { RowIssue } from "@catalog/runs";
import { SheetError } from "@catalog/sheets";

import type { Texts } from "./texts.ts";

export interface Failure {
  readonly exit: number;
  readonly code: string;
  readonly text: string;
}

/** Issues that a line of the log names; the history has all of them. */
const MAX_NAMED = 3;

/** What is to be decided, as the line of a log may be all that is read. */
function describeIssues(issues: readonly RowIssue[], lang: Lang): string {
  const named = issues.slice(0, MAX_NAMED).map(({ cell, message, suggestion }) => {
    const advice = suggestion === undefined ? "" : ` ${suggestion[lang]}`;
    return ` ${cell}: ${message[lang]}${advice}`;
  });
  return named.join("") + (issues.length > MAX_NAMED ? " …" : "");
}

/** Errors for which another process is the reason. */
const BUSY: ReadonlySet<string> = new Set(["E_STORE_BUSY", "E_DATABASE_BUSY"]);

/** `undefined` for a bug, which the next sync would repeat. */
export function describeFailure(
  error: unknown,
  { lang, texts }: { readonly lang: Lang; readonly texts: Texts },
): Failure | undefined {
  if (error instanceof CatalogError || error instanceof SheetError) {
    const issues = error instanceof CatalogError ? describeIssues(error.issues, lang) : "";
    return { exit: EXIT.nothingSent, code: error.code, text: error.localized[lang] + issues };
  }
  if (error instanceof DatabaseError) {
    const exit = BUSY.has(error.code) ? EXIT.busy : EXIT.stopped;
    return { exit, code: error.code, text: error.localized[lang] };
  }
  if (isFileError(error)) {
    const text = texts.fileRefused(describeFileError(error)[lang]);
    return { exit: EXIT.nothingSent, code: "E_FILE_ACCESS", text };
  }
  if (!(error instanceof ClientError)) return undefined;
  const isLogin = error instanceof AuthError || error instanceof PermissionError;
  const text = texts.unreachable(error.message);
  return { exit: isLogin ? EXIT.login : EXIT.stopped, code: error.code, text };
}
