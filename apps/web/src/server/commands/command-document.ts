/** Reads the document that a command has printed. */

import type { Lang } from "@catalog/i18n";
import type { EndedCommand } from "@catalog/jobs";

import type { Problem } from "../../api/problem.ts";
import { DISK_FULL } from "../describe-failure.ts";
import { plainText } from "../plain-advice.ts";
import { RequestError } from "../site.ts";

/**
 * The failure that a document tells, or that there is none; `null` where the command has done its
 * work. What a command has written besides is not for the page.
 */
export function toProblem({ document, exit }: EndedCommand, lang: Lang): Problem | null {
  const error = readError(document);
  if (error?.code === "E_DISK_FULL") return { ...error, message: DISK_FULL[lang] };
  if (error !== null) return error;
  if (document !== undefined) return null;
  return { code: "E_COMMAND", message: ENDED[lang](exit) };
}

/** The refusal of a request whose command has failed. */
export function toRefusal({ code, message }: Problem, status = 409): RequestError {
  const text = plainText(message);
  return new RequestError(code === "E_DISK_FULL" ? 507 : status, code, { tr: text, en: text });
}

const ENDED: Readonly<Record<Lang, (exit: number) => string>> = {
  tr: (exit) =>
    `İşlem beklenmedik biçimde durdu (çıkış kodu ${exit}). Yeniden deneyin; yine olursa bu kodu bildirin.`,
  en: (exit) =>
    `The work stopped unexpectedly (exit code ${exit}). Try again; if it happens again, report this code.`,
};

/** Reads a key of an unknown document. */
export function readKey(document: unknown, key: string): unknown {
  if (typeof document !== "object" || document === null) return undefined;
  return Object.entries(document).find(([name]) => name === key)?.[1];
}

function readError(document: unknown): Problem | null {
  const error = readKey(document, "error");
  const [code, message] = [readKey(error, "code"), readKey(error, "message")];
  if (typeof code !== "string" || typeof message !== "string") return null;
  // A person has stopped the command.
  return code === "E_INTERRUPTED" ? null : { code, message: plainText(message) };
}

/** Id of the run that a document is about. */
export function readRunId(document: unknown): string | undefined {
  const run = readKey(document, "run");
  return typeof run === "string" ? run : undefined;
}
