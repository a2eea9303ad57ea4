/** What an error means for the person in front of the program, and for its exit code. */

import {
  ApiError,
  AuthError,
  ClientError,
  NetworkError,
  PermissionError,
  SettingsError,
  ShapeError,
} from "@catalog/client";
import { formatIssue } from "@catalog/import";
import { SheetError } from "@catalog/sheets";
import { StoreError } from "@catalog/store";
import { type Lang, ToolkitError, UsageError } from "@catalog/toolkit";

export interface Failure {
  readonly exit: number;
  /** Stable; for `--json`. */
  readonly code: string;
  readonly text: string;
  /** What is wrong with the file as a whole, cell by cell. */
  readonly issues: ToolkitError["issues"];
}

const NO_ISSUES: Failure["issues"] = [];

/** Wrong use of the command line, rather than something wrong inside the file. */
const MISUSED_FILE: ReadonlySet<string> = new Set([
  "E_FILE_MISSING",
  "E_FILE_DIRECTORY",
  "E_FILE_UNREADABLE",
  "E_SHEET_UNKNOWN",
  "E_HEADER_ROW",
]);

const MISUSED_RUN = /^E_RUN_|^E_IMAGES_/u;

export function describeFailure(error: unknown, lang: Lang, isInterrupted: boolean): Failure {
  if (isInterrupted && !(error instanceof ClientError)) {
    const text = { tr: "Durduruldu; hiçbir şey gönderilmedi.", en: "Stopped; nothing was sent." };
    return { exit: 130, code: "E_INTERRUPTED", text: text[lang], issues: NO_ISSUES };
  }
  return describeUse(error, lang) ?? describeClient(error, lang) ?? describeBug(error, lang);
}

function describeUse(error: unknown, lang: Lang): Failure | undefined {
  if (error instanceof UsageError) {
    return { exit: 2, code: error.code, text: error.localized[lang], issues: NO_ISSUES };
  }
  if (error instanceof SheetError) {
    const exit = MISUSED_FILE.has(error.code) ? 2 : 3;
    return { exit, code: error.code, text: error.localized[lang], issues: NO_ISSUES };
  }
  if (error instanceof StoreError) {
    const exit = error.code === "E_STORE_BUSY" ? 75 : 2;
    return { exit, code: error.code, text: error.localized[lang], issues: NO_ISSUES };
  }
  if (error instanceof ToolkitError) {
    const exit = MISUSED_RUN.test(error.code) ? 2 : 3;
    const lines = error.issues.map((issue) => formatIssue(issue, lang)).join("");
    const text = `${error.localized[lang]}\n${lines}`.trimEnd();
    return { exit, code: error.code, text, issues: error.issues };
  }
  return undefined;
}

function describeClient(error: unknown, lang: Lang): Failure | undefined {
  if (!(error instanceof ClientError)) return undefined;
  const { exit, advice } = adviseOn(error);
  const said = "localized" in error ? toWords(error.localized, lang) : undefined;
  const text = [advice[lang], said ?? error.message].filter((part) => part !== "").join(" ");
  return { exit, code: error.code, text, issues: NO_ISSUES };
}

function toWords(localized: unknown, lang: Lang): string | undefined {
  if (typeof localized !== "object" || localized === null) return undefined;
  const words: unknown = Object.entries(localized).find(([name]) => name === lang)?.[1];
  return typeof words === "string" ? words : undefined;
}

interface Advice {
  readonly exit: number;
  readonly advice: { readonly tr: string; readonly en: string };
}

function adviseOn(error: ClientError): Advice {
  if (error instanceof AuthError) {
    return {
      exit: 4,
      advice: {
        tr: "Oturum açılamadı. CATALOG_CLIENT_KEY ve CATALOG_CLIENT_SECRET değerlerini kontrol edin.",
        en: "The login was refused. Check CATALOG_CLIENT_KEY and CATALOG_CLIENT_SECRET.",
      },
    };
  }
  if (error instanceof PermissionError) {
    return {
      exit: 4,
      advice: {
        tr: "Mağaza bu uygulamaya izin vermemiş. CATALOG_STORE_ID değerini ve mağaza panelindeki izinleri kontrol edin.",
        en: "The store has not granted this application access. Check CATALOG_STORE_ID and the permissions in the store's panel.",
      },
    };
  }
  if (error instanceof NetworkError) {
    return {
      exit: 6,
      advice: {
        tr: "Pazaryerine ulaşılamadı. İnternet bağlantısını ve CATALOG_BASE_URL adresini kontrol edip yeniden deneyin.",
        en: "The marketplace could not be reached. Check the connection and CATALOG_BASE_URL, then try again.",
      },
    };
  }
  if (error instanceof SettingsError) {
    return {
      exit: 2,
      advice: {
        tr: "Ayarlar kullanılamıyor. CATALOG_BASE_URL ve öteki CATALOG_ değerlerini kontrol edin.",
        en: "The settings cannot be used. Check CATALOG_BASE_URL and the other CATALOG_ values.",
      },
    };
  }
  const isAnswer = error instanceof ApiError || error instanceof ShapeError;
  return {
    exit: isAnswer ? 6 : 1,
    advice: {
      tr: isAnswer
        ? "Pazaryerinden beklenmeyen bir yanıt geldi. Adresi kontrol edip daha sonra yeniden deneyin."
        : "Beklenmeyen bir hata oluştu.",
      en: isAnswer
        ? "The marketplace gave an unexpected answer. Check the address and try again later."
        : "Something unexpected happened.",
    },
  };
}

function describeBug(error: unknown, lang: Lang): Failure {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const heading = {
    tr: "Beklenmeyen bir hata oluştu; bu bizim hatamız. Lütfen aşağıdaki metinle bildirin.",
    en: "Something unexpected happened; this is a bug. Please report it with the text below.",
  };
  return { exit: 1, code: "E_BUG", text: `${heading[lang]}\n${stack}`, issues: NO_ISSUES };
}
