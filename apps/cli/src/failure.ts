/** Describes an error for people and as a document, and chooses its exit code. */

import {
  ApiError,
  AuthError,
  ClientError,
  NetworkError,
  PermissionError,
  SettingsError,
  ShapeError,
} from "@catalog/client/errors";
import { CatalogError, DatabaseError, describeClientError } from "@catalog/connection";
import { EXIT } from "@catalog/console";
import {
  describeFileError,
  InputError,
  isDiskFull,
  isFileError,
  type Lang,
  type Localized,
} from "@catalog/i18n";
import { formatIssue } from "@catalog/import/report";
import { EMPTY_SUMMARY } from "@catalog/report";
import { toCounts } from "@catalog/runs";
import { SheetError } from "@catalog/sheets";

interface Failure {
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

/** Puts the id of the run that the command worked on into the advice to continue it. */
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

/** The command that failed, and the run that it worked on. */
interface ErrorSource {
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
    planned: EMPTY_SUMMARY.planned,
    verification: EMPTY_SUMMARY.verification,
    requests: { total: 0, token: 0, read: 0, write: 0 },
    files: EMPTY_SUMMARY.files,
    warnings: [],
    issues,
    more_issues: 0,
    error: { code, message: text },
  };
  return `${JSON.stringify(document)}\n`;
}

export interface Advice {
  readonly exit: number;
  readonly advice: Localized;
}

export function adviseOn(error: ClientError): Advice {
  if (error instanceof AuthError) return REFUSED_LOGIN;
  if (error instanceof PermissionError) return { exit: EXIT.login, advice: adviseOnGrant(error) };
  if (error instanceof NetworkError) return UNREACHED;
  if (error instanceof SettingsError) return BAD_SETTINGS;
  if (error instanceof ApiError) return adviseOnAnswer(error);
  return error instanceof ShapeError ? UNEXPECTED : UNKNOWN;
}

function adviseOnAnswer({ isLimit, isMissingRecord, status }: ApiError): Advice {
  if (isLimit) return USED_UP;
  if (isMissingRecord) return NO_RECORD;
  return status === 404 ? MISSING : UNEXPECTED;
}

const REFUSED_LOGIN: Advice = {
  exit: EXIT.login,
  advice: {
    tr: 'Oturum açılamadı. API anahtarınızı ve şifrenizi mağaza panelindekilerle karşılaştırın. CATALOG_BASE_URL, CATALOG_CLIENT_KEY ve CATALOG_CLIENT_SECRET değerlerini kontrol edin ya da "catalog login" ile yeniden kaydedin.',
    en: 'The login was refused. Compare the API key and secret with those in the panel of the store. Check CATALOG_BASE_URL, CATALOG_CLIENT_KEY and CATALOG_CLIENT_SECRET, or store them again with "catalog login".',
  },
};

const UNREACHED: Advice = {
  exit: EXIT.stopped,
  advice: {
    tr: 'Pazaryerine ulaşılamadı. İnternet bağlantısını ve pazaryerinin adresini kontrol edip yeniden deneyin; kullanılan adresi "catalog doctor" gösterir.',
    en: 'The marketplace could not be reached. Check the connection and the address of the marketplace, then try again; "catalog doctor" shows the address that is used.',
  },
};

const BAD_SETTINGS: Advice = {
  exit: EXIT.usage,
  advice: {
    tr: "Ayarlar kullanılamıyor. CATALOG_BASE_URL ve öteki CATALOG_ değerlerini kontrol edin.",
    en: "The settings cannot be used. Check CATALOG_BASE_URL and the other CATALOG_ values.",
  },
};

const USED_UP: Advice = {
  exit: EXIT.stopped,
  advice: {
    tr: "Pazaryerinin saatlik istek sınırı doldu. Bir süre sonra yeniden deneyin; sınırı biliyorsanız --requests-per-hour ile verin.",
    en: "The marketplace's hourly limit of calls is used up. Try again later; if you know the limit, give it with --requests-per-hour.",
  },
};

/** The same call would be refused again, so it is a mistake of use and nothing to resume. */
const NO_RECORD: Advice = {
  exit: EXIT.usage,
  advice: {
    tr: "Pazaryerinde bu kimlikte bir kayıt yok; verdiğiniz kimliği denetleyin.",
    en: "The marketplace has no record with this id; check the one that you gave.",
  },
};

const MISSING: Advice = {
  exit: EXIT.stopped,
  advice: {
    tr: 'Pazaryeri bu adresi tanımadı. CATALOG_BASE_URL adresini ve sürüm önekini (CATALOG_API_VERSION) kontrol edin; "catalog doctor" hangisinin çalıştığını söyler.',
    en: 'The marketplace does not know this address. Check CATALOG_BASE_URL and the version prefix (CATALOG_API_VERSION); "catalog doctor" says which one works.',
  },
};

const UNEXPECTED: Advice = {
  exit: EXIT.stopped,
  advice: {
    tr: "Pazaryerinden beklenmeyen bir yanıt geldi. Adresi kontrol edip daha sonra yeniden deneyin.",
    en: "The marketplace gave an unexpected answer. Check the address and try again later.",
  },
};

const UNKNOWN: Advice = {
  exit: EXIT.bug,
  advice: { tr: "Beklenmeyen bir hata oluştu.", en: "Something unexpected happened." },
};

/** A store's owner grants store permissions; only the platform grants general ones. */
function adviseOnGrant(error: PermissionError): Advice["advice"] {
  const { storeId, localized, service = error.endpoint ?? "" } = error;
  const words = storeId === undefined ? adviseOnPlatform(service) : adviseOnStore(service, storeId);
  if (localized !== undefined) return words;
  return { tr: `${words.tr} ${WORDLESS.tr}`, en: `${words.en} ${WORDLESS.en}` };
}

const adviseOnPlatform = (service: string): Advice["advice"] => ({
  tr: `Platform bu uygulamaya "${service}" genel servisini açmamış. Genel servislere mağaza izin veremez; uygulamanın anahtarını veren platforma başvurun.`,
  en: `The platform has not granted this application the general service "${service}". No store can grant it; ask the platform that issued the application's key.`,
});

const adviseOnStore = (service: string, storeId: string): Advice["advice"] => ({
  tr: `${storeId} mağazası bu uygulamaya "${service}" servisi için izin vermemiş. Mağaza sahibi izni mağaza panelinden verir. CATALOG_STORE_ID değerini de kontrol edin.`,
  en: `Store ${storeId} has not granted this application the service "${service}". The store's owner grants it in the store's panel. Check CATALOG_STORE_ID too.`,
});

/** The answer gives no reason, so the advice names all of them. */
const WORDLESS: Advice["advice"] = {
  tr: 'Yanıtta açıklama yoktu: izin tamamsa neden eskimiş bir oturum ya da saatlik sınır olabilir; "catalog doctor" yeni bir oturumla dener.',
  en: 'The answer gave no reason: if the permission is there, an old login or the hourly limit may be behind it; "catalog doctor" tries with a new login.',
};
