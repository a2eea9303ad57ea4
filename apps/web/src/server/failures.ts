/** Turns any error, and the document of a command that failed, into the text that the page shows. */

import type { Lang, Localized } from "@catalog/i18n";
import type { StartedCommand } from "@catalog/jobs";
import { TeamError } from "@catalog/team";

import type { Problem } from "../api/session.ts";
import { DATABASE_AWAY, describeAway } from "./database-wait.ts";
import { plainText } from "./plain-advice.ts";
import { NOT_UNDERSTOOD, RequestError, UNKNOWN_IDS } from "./site.ts";

interface DescribedError {
  readonly code: string;
  readonly text: string;
  /** Whether the login is missing or was refused. */
  readonly isLogin: boolean;
}

/** Describes errors of the program; `undefined` for one that nobody expected. */
export type DescribeError = (error: unknown, lang: Lang) => DescribedError | undefined;

interface Failure {
  readonly status: number;
  readonly problem: Problem;
  readonly isBug: boolean;
}

const STATUS_OF: ReadonlyMap<string, number> = new Map([
  ["E_DRAFT_UNKNOWN", 404],
  ["E_RUN_UNKNOWN", 404],
  ["E_RUN_STORE", 404],
  ["E_DRAFT_CHANGED", 409],
  ["E_PERIOD_CHANGED", 409],
  ["E_PERIOD_OVER", 409],
  ["E_PERIOD_UNAPPROVED", 409],
  ["E_PLAN_DRAFT", 409],
  ["E_PLAN_SETTINGS", 409],
  ["E_PLAN_STALE", 409],
  ["E_SCHEDULE_COMMAND", 409],
  ["E_SCHEDULE_KNOWN", 409],
  [DATABASE_AWAY, 503],
  ["E_DISK_FULL", 507],
  ["E_INVITATION_USED", 404],
  ["E_LAST_ADMIN", 409],
  ["E_LOGIN_TAKEN", 409],
  ["E_PERSON_UNKNOWN", 404],
  ["E_STORE_NAME_TAKEN", 409],
  ["E_STORE_UNKNOWN", 404],
  ["E_STORE_BUSY", 423],
  ["E_DATABASE_BUSY", 423],
]);

const DISK_FULL: Localized = {
  tr: "Bu bilgisayarın diskinde yeterli yer yok. Gönderilenlerin hepsi kayıtlı. Yer açıp yeniden deneyin; yarım kalan gönderim, Sürdür düğmesiyle kaldığı yerden devam eder.",
  en: "The disk of this computer has not enough room. All that was sent is written down. Make room and try again; a sending that was cut off continues where it stopped with the button Go on.",
};

/** What the page says in place of the program, whose sentence names a command or an id. */
const PAGE_TEXTS: Readonly<Record<string, Localized>> = {
  ...UNKNOWN_IDS,
  [DATABASE_AWAY]: describeAway(0),
  E_DISK_FULL: DISK_FULL,
  E_PLAN_OLD: {
    tr: "Önizleme 15 dakikadan eski; mağaza bu arada değişmiş olabilir. Hiçbir şey gönderilmedi. Önizlemeyi yenileyin.",
    en: "The preview is older than 15 minutes, and the store may have changed since. Nothing was sent. Make the preview again.",
  },
  E_SCHEDULE_KNOWN: {
    tr: "Bu kaynak zaten listede. Zamanını değiştirmek için onun satırındaki Değiştir düğmesini kullanın.",
    en: "This source is on the list already. To change its times, use the button Change in its row.",
  },
  E_SCHEDULE_COMMAND: {
    tr: "Bu eşitleme komut satırından çalışıyor. Zamanı orada değişir; buradan duraklatabilirsiniz.",
    en: "This sync is run from the command line. Its times are changed there; you can pause it here.",
  },
  E_PLAN_RULES: {
    tr: "Önizlemeden sonra fiyat kuralları, maliyetler ya da taban fiyatlar değişmiş. Hiçbir şey gönderilmedi. Önizlemeyi yenileyin.",
    en: "The price rules, costs or base prices have changed since the preview was made. Nothing was sent. Make the preview again.",
  },
  E_PLAN_FILE: {
    tr: "Önizlemenin dosyası değişmiş ya da yerinde yok. Hiçbir şey gönderilmedi. Dosyayı yeniden yükleyin.",
    en: "The file of the preview has changed or is gone. Nothing was sent. Upload the file again.",
  },
};

/** Failures of the server itself, by the status that it gives them. */
const SERVER_TEXTS: Readonly<Record<number, Localized & { readonly code: string }>> = {
  400: { code: "E_REQUEST", ...NOT_UNDERSTOOD },
  413: {
    code: "E_TOO_LARGE",
    tr: "Bu, bir kerede alınabilecekten büyük. Daha az satırla yeniden deneyin.",
    en: "This is more than can be taken at once. Try again with fewer rows.",
  },
  // A body of a kind that the route does not take.
  415: { code: "E_REQUEST", ...NOT_UNDERSTOOD },
  429: {
    code: "E_TOO_MANY_TRIES",
    tr: "Çok sık denendi. Birkaç dakika bekleyip yeniden deneyin.",
    en: "That was tried too often. Wait some minutes and try again.",
  },
};

/** What a person reads of an error that nobody expected. */
export const BUG: Localized = {
  tr: "Beklenmeyen bir hata oluştu; bu bizim hatamız. Ayrıntısı catalog web komutunun penceresinde.",
  en: "Something unexpected happened; this is a bug. Its details are in the window of catalog web.",
};

export function describeFailure(error: unknown, lang: Lang, describe: DescribeError): Failure {
  if (error instanceof RequestError) {
    return toFailure(error.status, error.code, error.localized[lang]);
  }
  if (error instanceof TeamError) {
    const { code, localized } = error;
    return toFailure(STATUS_OF.get(code) ?? 400, code, localized[lang]);
  }
  const known = describe(error, lang);
  if (known !== undefined) {
    const status = STATUS_OF.get(known.code) ?? (known.isLogin ? 503 : 400);
    const text = PAGE_TEXTS[known.code]?.[lang] ?? plainText(known.text);
    return toFailure(status, known.code, text);
  }
  const status = readStatus(error);
  const own = status === undefined ? undefined : SERVER_TEXTS[status];
  if (status !== undefined && own !== undefined) {
    return toFailure(status, own.code, own[lang]);
  }
  return { ...toFailure(500, "E_BUG", BUG[lang]), isBug: true };
}

const toFailure = (status: number, code: string, message: string): Failure => ({
  status,
  problem: { code, message },
  isBug: false,
});

/** The status of an error of fastify. */
function readStatus(error: unknown): number | undefined {
  if (!(error instanceof Error && "statusCode" in error)) return undefined;
  return typeof error.statusCode === "number" ? error.statusCode : undefined;
}

/**
 * The failure that a document tells, or that there is none; `null` where the command has done its
 * work. What a command has written besides is not for the page.
 */
export function toProblem(
  { document, exit }: Awaited<StartedCommand["ended"]>,
  lang: Lang,
): Problem | null {
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
