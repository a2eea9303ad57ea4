/** Describes an error for people, and chooses its exit code. */

import { ClientError } from "@catalog/client/errors";
import { CatalogError, DatabaseError, describeClientError } from "@catalog/connection";
import { EXIT } from "@catalog/console";
import { describeFileError, InputError, isDiskFull, isFileError, type Lang } from "@catalog/i18n";
import { formatIssue } from "@catalog/import/report";
import { SheetError } from "@catalog/sheets";

import { adviseOn } from "./advice.ts";

export interface Failure {
  readonly exit: number;
  /** Stable code, for `--json`. */
  readonly code: string;
  readonly text: string;
  /** Issues of the file as a whole, cell by cell. */
  readonly issues: CatalogError["issues"];
}

const NO_ISSUES: Failure["issues"] = [];

/** Errors of the command line rather than of the file's contents. */
const MISUSED_FILE: ReadonlySet<string> = new Set([
  "E_FILE_MISSING",
  "E_FILE_DIRECTORY",
  "E_FILE_UNREADABLE",
  "E_FILE_LINK",
  "E_SHEET_UNKNOWN",
  "E_HEADER_ROW",
]);

/** Exit codes of database errors; for any other the database cannot be used at all. */
const STORE_EXITS: ReadonlyMap<DatabaseError["code"], number> = new Map([
  ["E_STORE_BUSY", EXIT.busy],
  ["E_DATABASE_BUSY", EXIT.busy],
  ["E_CALLS_PAUSED", EXIT.stopped],
  // What was sent is stored, so the run can be resumed once the disk has space.
  ["E_DISK_FULL", EXIT.stopped],
  ["E_DATABASE_AWAY", EXIT.stopped],
  ["E_LEASE_LOST", EXIT.stopped],
  ["E_DATABASE_REPLACED", EXIT.stopped],
  ["E_DATABASE_RESTORED", EXIT.stopped],
]);

/** The wrong run, file of held rows, folder or table was named; the contents are not at fault. */
const MISUSED = /^E_RUN_|^E_APPROVAL_FILE$|^E_IMAGES_|^E_TABLE_/u;

/** Puts the id of the run that the command worked on into the advice to go on with it. */
export function nameRun(failure: Failure, run: string | undefined): Failure {
  if (run === undefined) return failure;
  return { ...failure, text: failure.text.replace(/<(?:run|çalıştırma)>/u, run) };
}

export function describeFailure(error: unknown, lang: Lang, isInterrupted: boolean): Failure {
  // A full disk is reported even after Ctrl-C.
  if (isInterrupted && !(error instanceof ClientError) && !(error instanceof DatabaseError)) {
    const text = { tr: "Durduruldu; hiçbir şey gönderilmedi.", en: "Stopped; nothing was sent." };
    return { exit: EXIT.interrupted, code: "E_INTERRUPTED", text: text[lang], issues: NO_ISSUES };
  }
  return (
    describeUse(error, lang) ??
    describeClient(error, lang) ??
    describeFile(error, lang) ??
    describeBug(error, lang)
  );
}

function describeUse(error: unknown, lang: Lang): Failure | undefined {
  if (error instanceof InputError) {
    return { exit: EXIT.usage, code: error.code, text: error.localized[lang], issues: NO_ISSUES };
  }
  if (error instanceof SheetError) {
    const exit = MISUSED_FILE.has(error.code) ? EXIT.usage : EXIT.nothingSent;
    return { exit, code: error.code, text: error.localized[lang], issues: NO_ISSUES };
  }
  if (error instanceof DatabaseError) {
    const exit = STORE_EXITS.get(error.code) ?? EXIT.usage;
    return { exit, code: error.code, text: error.localized[lang], issues: NO_ISSUES };
  }
  if (error instanceof CatalogError) {
    const exit = MISUSED.test(error.code) ? EXIT.usage : EXIT.nothingSent;
    const lines = error.issues.map((issue) => formatIssue(issue, lang)).join("");
    const text = `${error.localized[lang]}\n${lines}`.trimEnd();
    return { exit, code: error.code, text, issues: error.issues };
  }
  return undefined;
}

function describeClient(error: unknown, lang: Lang): Failure | undefined {
  if (!(error instanceof ClientError)) return undefined;
  const { exit, advice } = adviseOn(error);
  const message = describeClientError(error)[lang];
  const text = [advice[lang], message].filter((part) => part !== "").join(" ");
  return { exit, code: error.code, text, issues: NO_ISSUES };
}

/** A file or folder that the system refuses, such as one of another user. */
function describeFile(error: unknown, lang: Lang): Failure | undefined {
  if (!isFileError(error)) return undefined;
  const cause = describeFileError(error)[lang];
  if (isDiskFull(error)) {
    const full = {
      tr: `Diskte yeterli yer yok (${cause}). Gönderilenlerin hepsi kayıtlı. Yer açıp aynı komutu yeniden çalıştırın; yarım kalan bir gönderimi şu sürdürür: catalog resume <çalıştırma>`,
      en: `The disk has not enough room (${cause}). All that was sent is written down. Make room and run the same command again; a sending that was cut off goes on with: catalog resume <run>`,
    };
    return { exit: EXIT.stopped, code: "E_DISK_FULL", text: full[lang], issues: NO_ISSUES };
  }
  const text = {
    tr: `Bir dosya ya da klasör kullanılamıyor: ${cause}. İzinlerini ve yolunu düzeltip yeniden deneyin.`,
    en: `A file or folder cannot be used: ${cause}. Correct its permissions or its path, and try again.`,
  };
  return { exit: EXIT.usage, code: "E_FILE_ACCESS", text: text[lang], issues: NO_ISSUES };
}

function describeBug(error: unknown, lang: Lang): Failure {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const heading = {
    tr: "Beklenmeyen bir hata oluştu; bu bizim hatamız. Lütfen aşağıdaki metinle bildirin.",
    en: "Something unexpected happened; this is a bug. Please report it with the text below.",
  };
  return { exit: EXIT.bug, code: "E_BUG", text: `${heading[lang]}\n${stack}`, issues: NO_ISSUES };
}
