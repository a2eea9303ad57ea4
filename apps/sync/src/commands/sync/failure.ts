/** Describes a failed sync after which the next one may succeed. */

import { AuthError, ClientError, PermissionError } from "@catalog/client/errors";
import { CatalogError } from "@catalog/connection";
import { EXIT } from "@catalog/console";
import { DatabaseError } from "@catalog/database";
import { describeFileError, isFileError, type Lang } from "@catalog/i18n";
import { SheetError } from "@catalog/sheets";

import type { Texts } from "./texts.ts";

export interface Failure {
  readonly exit: number;
  readonly code: string;
  readonly text: string;
}

/** Errors for which another process is the reason. */
const BUSY: ReadonlySet<string> = new Set(["E_STORE_BUSY", "E_DATABASE_BUSY"]);

/** `undefined` for a bug, which the next sync would repeat. */
export function describeFailure(
  error: unknown,
  { lang, texts }: { readonly lang: Lang; readonly texts: Texts },
): Failure | undefined {
  if (error instanceof CatalogError || error instanceof SheetError) {
    return { exit: EXIT.nothingSent, code: error.code, text: error.localized[lang] };
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
