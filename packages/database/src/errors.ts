/** Errors of the database, of SQLite and of PostgreSQL, with messages for people. */

import { statfsSync } from "node:fs";
import { dirname } from "node:path";

import { isDiskFull, type Localized, LocalizedError, turkishFileCause } from "@catalog/i18n";

import { describeHolder, findWriter } from "./locks/processes.ts";

/** By SQLite's primary result code. */
const TURKISH: ReadonlyMap<number, string> = new Map([
  [8, "yalnızca okunabiliyor"],
  [10, "okuma ya da yazma hatası"],
  [11, "dosyanın içeriği bozuk"],
  [13, "disk dolu"],
  [14, "dosya açılamıyor"],
  [15, "kilitlenemiyor"],
  [26, "dosya bir veritabanı değil"],
]);

/**
 * Describes why the file at `path` cannot be used; the English text is that of the failing system.
 */
function describeDatabaseError(error: unknown, path: string): Localized {
  const en = error instanceof Error ? error.message : String(error);
  const tr = TURKISH.get(toSqliteResult(error) ?? 0) ?? turkishFileCause(toFileCode(error)) ?? en;
  return { tr: `${path}: ${tr}`, en: `${path}: ${en}` };
}

/** Returns the primary result code; the upper bits of an extended code hold the details. */
function toSqliteResult(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode % 256 : undefined;
}

const toFileCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

const IO_RESULT = 10;
const FULL_RESULT = 13;

/** Free space below this is too little for the smallest file beside a database. */
const NO_SPACE_BYTES = 64 * 1024;

/**
 * Says whether a file was refused because its disk is full; SQLite may report that as an I/O error.
 */
function isOutOfSpace(error: unknown, path: string): boolean {
  const result = toSqliteResult(error);
  if (result === FULL_RESULT || isDiskFull(error)) return true;
  return result === IO_RESULT && readFreeSpace(path) < NO_SPACE_BYTES;
}

function readFreeSpace(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    // Where the free space cannot be read, the error has another reason.
    return Infinity;
  }
}

const TEXTS = {
  E_CALLS_PAUSED: (time: string) => ({
    tr: `İstekler saat ${time} sonrasına kadar bekletiliyor: saatlik istek sınırı doldu ya da pazaryeri çok fazla istek geldiğini söyledi. O saati bekleyin ya da beklemeyi kaldırın: catalog doctor --fix`,
    en: `Calls are held back until after ${time}: the hourly limit is used up, or the marketplace said that there were too many calls. Wait until then, or end the wait with: catalog doctor --fix`,
  }),
  E_DATABASE: (detail: string) => ({
    tr: `Veritabanı kullanılamıyor (${detail}). Klasörün yazılabilir ve diskin dolu olmadığını kontrol edin; başka bir klasör için CATALOG_HOME değişkenini kullanın.`,
    en: `The database cannot be used (${detail}). Check that the folder can be written and the disk is not full; set CATALOG_HOME to use another folder.`,
  }),
  E_DATABASE_BUSY: (detail: string) => ({
    tr: `Veritabanına başka bir işlem yazıyor ve beklenen sürede bitmedi (${detail}). Bitmesini bekleyip yeniden deneyin. Duraklatılmışsa o pencerede "fg" ile (ya da kill -CONT ile) sürdürün, gerekmiyorsa sonlandırın; yazdıkları kaybolmaz.`,
    en: `Another process is writing to the database and did not finish in time (${detail}). Wait until it ends and try again. If it is suspended, continue it with "fg" in its window (or with kill -CONT), or end it if it is not needed; nothing that it has written is lost.`,
  }),
  E_DATABASE_DAMAGED: (detail: string) => ({
    tr: `Veritabanı dosyası bozuk (${detail}). Hiçbir şey gönderilmedi. Dosyayı saklayın, yedeğini yerine koyun ya da dosyayı başka yere taşıyıp dosyanızı yeniden içe aktarın: mağaza yeniden okunur ve orada olan ürünler ikinci kez eklenmez.`,
    en: `The database file is damaged (${detail}). Nothing was sent. Keep the file, put its backup in its place, or move it away and import your sheet again: the store is read anew and products that it shows are not added twice.`,
  }),
  E_DATABASE_FOREIGN: (detail: string) => ({
    tr: `Bu dosya bu programın veritabanı değil (${detail}). Başka bir klasör için CATALOG_HOME değişkenini kullanın.`,
    en: `This file is another program's database (${detail}). Set CATALOG_HOME to use another folder.`,
  }),
  E_DATABASE_NETWORK: (detail: string) => ({
    tr: `Veritabanı ağ ya da eşitlenen bir klasörde duramaz (${detail}): kilitleri ve yazmaları orada güvenilir değil. CATALOG_HOME değişkenini bu bilgisayardaki bir klasöre ayarlayın.`,
    en: `The database cannot be kept on a network or synchronised folder (${detail}): locks and writes cannot be trusted there. Set CATALOG_HOME to a folder on this computer.`,
  }),
  E_DATABASE_REPLACED: (detail: string) => ({
    tr: `Veritabanı dosyası çalışma sırasında silindi ya da değiştirildi (${detail}). Gönderim durduruldu. Dosyayı yerine koyup çalıştırmayı sürdürün: catalog resume <çalıştırma>`,
    en: `The database file was deleted or replaced while it was in use (${detail}). Sending has stopped. Put the file back and go on with: catalog resume <run>`,
  }),
  E_DATABASE_LOGIN: (detail: string) => ({
    tr: `PostgreSQL sunucusu bu kullanıcıyı, parolayı ya da veritabanını kabul etmedi (${detail}). PGPASSWORD değişkenini (ya da PGPASSFILE dosyasını) ve CATALOG_DATABASE_URL adresindeki kullanıcı ile veritabanı adını kontrol edip yeniden deneyin.`,
    en: `The PostgreSQL server refused this user, password or database (${detail}). Check PGPASSWORD (or the file of PGPASSFILE) and the user and the database in CATALOG_DATABASE_URL, and try again.`,
  }),
  E_DATABASE_MOVED: (detail: string) => ({
    tr: `Bu klasörün verileri PostgreSQL veritabanına taşındı (${detail}). Buradan gönderilirse ürünler iki kez eklenebilir; adresi CATALOG_DATABASE_URL değişkeniyle ya da databaseUrl ayarıyla verin.`,
    en: `The data of this folder was moved to PostgreSQL (${detail}). Sending from here could add products twice; give the address as CATALOG_DATABASE_URL or as the setting databaseUrl.`,
  }),
  E_DATABASE_NEWER: (detail: string) => ({
    tr: `Veritabanını programın daha yeni bir sürümü yaptı (${detail}). Hiçbir şey gönderilmedi. O sürümü kurun; geri dönmek için, yükseltmeden sonra hiçbir şey gönderilmediyse yükseltmeden önceki yedeği geri koyun.`,
    en: `The database was made by a newer version of the program (${detail}). Nothing was sent. Install that version; to go back, put the backup from before the upgrade in its place if nothing was sent since.`,
  }),
  E_DATABASE_NOT_EMPTY: (detail: string) => ({
    tr: `PostgreSQL veritabanı boş değil (${detail}). Yalnızca boş bir veritabanına kopyalanır; yenisini açıp catalog db migrate ile hazırlayın.`,
    en: `The PostgreSQL database is not empty (${detail}). Only an empty one can be copied to; make a new one and prepare it with: catalog db migrate`,
  }),
  E_DATABASE_OLDER: (detail: string) => ({
    tr: `Veritabanını programın 1.0 öncesi bir sürümü yaptı ve bu sürüm onu okuyamaz (${detail}). Hiçbir şey gönderilmedi. Boş bir veritabanıyla yeniden başlayın: catalog db migrate --discard dosyayı kenara koyar; sunucuda yeni bir veritabanı açın.`,
    en: `The database was made by a version of the program before 1.0, which this one cannot read (${detail}). Nothing was sent. Begin anew with an empty one: catalog db migrate --discard puts the file aside; on a server, make a new database.`,
  }),
  E_DATABASE_RESTORED: (detail: string) => ({
    tr: `PostgreSQL veritabanının yerine çalışma sırasında bir yedek ya da başka bir sunucu geçti (${detail}). Yeni bir şey gönderilmedi. Sürdürmek için: catalog resume <çalıştırma>; arada gönderilmiş olabilecekler önce mağazada aranır.`,
    en: `A backup or another server took the place of the PostgreSQL database while it was in use (${detail}). Nothing more was sent. To go on: catalog resume <run>; what may have been sent is looked up in the store first.`,
  }),
  E_DATABASE_RIGHTS: (detail: string) => ({
    tr: `PostgreSQL kullanıcısının buna yetkisi yok (${detail}). catalog db migrate ve catalog db copy komutlarını, CATALOG_DATABASE_URL içinde tabloların sahibinin adresiyle çalıştırın; ötekiler için kullanıcıya docs/operate.md içindeki yetkileri verin.`,
    en: `The PostgreSQL user has no right to this (${detail}). Run catalog db migrate and catalog db copy with the address of the tables' owner in CATALOG_DATABASE_URL; for all else, grant the user the rights in docs/operate.md.`,
  }),
  E_DATABASE_AWAY: (detail: string) => ({
    tr: `PostgreSQL sunucusu çalışma sırasında gitti ve beklenen sürede geri gelmedi (${detail}). Yeni bir şey gönderilmedi; gönderilenlerin hepsi kayıtlı ya da mağazada aranacak. Sunucu gelince sürdürün: catalog resume <çalıştırma>`,
    en: `The PostgreSQL server went away and did not come back in time (${detail}). Nothing more was sent; all that was sent is written down, or will be looked up in the store. Once it is back, go on with: catalog resume <run>`,
  }),
  E_DATABASE_SERVER: (detail: string) => ({
    tr: `PostgreSQL sunucusuna bağlanılamıyor ya da bağlantı koptu (${detail}). Gönderilenlerin hepsi kayıtlı. Sunucunun çalıştığını ve CATALOG_DATABASE_URL adresini kontrol edip yeniden deneyin.`,
    en: `The PostgreSQL server cannot be reached, or the connection was lost (${detail}). All that was sent is written down. Check that the server is running and the address in CATALOG_DATABASE_URL, and try again.`,
  }),
  E_DATABASE_VERSION: (detail: string) => ({
    tr: `PostgreSQL veritabanındaki tablolar bu sürüme uymuyor (${detail}). Tabloları oluşturmak ya da yenilemek için bir kez şunu çalıştırın: catalog db migrate`,
    en: `The tables of the PostgreSQL database do not fit this version (${detail}). Make or renew them once with: catalog db migrate`,
  }),
  E_DISK_FULL: (detail: string) => ({
    tr: `Diskte yeterli yer yok (${detail}). Gönderim durduruldu; gönderilenlerin hepsi kayıtlı. Yer açıp çalıştırmayı sürdürün: catalog resume <çalıştırma>`,
    en: `The disk has not enough room (${detail}). Sending has stopped, and all that was sent is written down. Make room and go on with: catalog resume <run>`,
  }),
  E_LEASE_LOST: (detail: string) => ({
    tr: `Bu işlem, mağaza üzerinde çalışma hakkını yitirdi (${detail}): veritabanına yeterince uzun süre ulaşamadı ya da duraklatıldı, ve başka bir işlem devraldı. Yeni bir şey gönderilmedi; gönderilenlerin sonucuna devralan işlem bakar. Sürdürmek için: catalog resume <çalıştırma>`,
    en: `This process has lost its right to work on the store (${detail}): it could not reach the database for too long or was suspended, and another process has taken over. Nothing more was sent; that process looks up what became of the rest. To go on: catalog resume <run>`,
  }),
  E_RUN_PRUNED: (detail: string) => ({
    tr: `Bu çalıştırmanın hücreleri, istekleri ve olayları, saklama süresi dolduğu için silindi (${detail}). Satırları yine göndermek için dosyayı yeniden içe aktarın; sonraki çalıştırmalar daha uzun saklansın diye keepDays ayarını ya da CATALOG_KEEP_DAYS değişkenini büyütün. Sayıları duruyor: catalog runs <çalıştırma>`,
    en: `The cells, requests and events of this run were deleted when they had been kept long enough (${detail}). To send its rows again, import the file again; to keep later runs longer, raise the setting keepDays or CATALOG_KEEP_DAYS. Its counts are kept: catalog runs <run>`,
  }),
  E_STORE_BUSY: (detail: string) => ({
    tr: `Bu mağaza için başka bir işlem sürüyor (${detail}). Bitmesini bekleyip yeniden deneyin; durdurmak için o pencerede Ctrl-C'ye basın.`,
    en: `Another process is working on this store (${detail}). Wait until it ends and try again; to stop it, press Ctrl-C in its window.`,
  }),
} as const;

/**
 * `E_CALLS_PAUSED`: no call was made, because it would have to wait. `E_STORE_BUSY`: another
 * process holds the store's lock. `E_DATABASE_BUSY`: another process writes to the file, and waiting
 * for it took too long. `E_DISK_FULL`: nothing may be sent until there is free space.
 * `E_RUN_PRUNED`: the rows of the run were deleted. `E_LEASE_LOST`: another process has taken over
 * the store. `E_DATABASE_RESTORED`: the server's database is not the one that was opened any more.
 * `E_DATABASE_AWAY`: the server could be used before and did not come back in time.
 * `E_DATABASE_LOGIN`: the server does not let the user into the database. `E_DATABASE_RIGHTS`: the
 * user may not do this there. The others: the file cannot be used, for the reason in the name where
 * it gives one.
 */
export type DatabaseErrorCode = keyof typeof TEXTS;

/** A refusal by the database; nothing was sent that is not written. */
export class DatabaseError extends LocalizedError<DatabaseErrorCode> {
  override readonly name = "StoreError";

  /** `detail` goes into the message: a path, SQLite's text or a text in both languages. */
  constructor(code: DatabaseErrorCode, detail: string | Localized, options?: ErrorOptions) {
    const { tr, en } = typeof detail === "string" ? { tr: detail, en: detail } : detail;
    super(code, { tr: TEXTS[code](tr).tr, en: TEXTS[code](en).en }, options);
  }
}

/**
 * A replica took over from the server whose database was in use. It may lack the newest commits, so everything that was read before is void; work that reopens the database may continue.
 */
export class TakenOverError extends DatabaseError {
  constructor(address: string, options?: ErrorOptions) {
    super("E_DATABASE_RESTORED", address, options);
  }
}

/** Converts an error of the file system or SQLite into one with a message for people. */
export function toDatabaseError(error: unknown, path: string): DatabaseError {
  if (error instanceof DatabaseError) return error;
  if (isBusy(error)) {
    return new DatabaseError("E_DATABASE_BUSY", describeHolder(findWriter(path)), { cause: error });
  }
  return new DatabaseError(toFileErrorCode(error, path), describeDatabaseError(error, path), {
    cause: error,
  });
}

function toFileErrorCode(error: unknown, path: string): DatabaseErrorCode {
  if (isDamaged(error)) return "E_DATABASE_DAMAGED";
  return isOutOfSpace(error, path) ? "E_DISK_FULL" : "E_DATABASE";
}

/**
 * SQLite's results about the file, the disk or another process: busy, read-only, I/O error,
 * corrupt, full, cannot open, locking protocol, not a database. Any other result is a bug of ours.
 */
const FILE_RESULTS: ReadonlySet<number> = new Set([5, 8, 10, 11, 13, 14, 15, 26]);

const BUSY_RESULT = 5;
const DAMAGED_RESULT = 11;

/** Says whether SQLite failed because of the file rather than because of the statement. */
export function isFileError(error: unknown): boolean {
  const result = toSqliteResult(error);
  return result !== undefined && FILE_RESULTS.has(result);
}

/** Says whether SQLite failed because the disk is full. */
export function isFull(error: unknown): boolean {
  return toSqliteResult(error) === FULL_RESULT;
}

/** Says whether SQLite reports the file as damaged. */
function isDamaged(error: unknown): boolean {
  return toSqliteResult(error) === DAMAGED_RESULT;
}

/** Says whether a file could not be used for the moment: it is locked, or the disk is full. */
export const isFileAway = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.code === "E_DATABASE_BUSY" || error.code === "E_DISK_FULL");

/** Says whether SQLite failed because another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  return toSqliteResult(error) === BUSY_RESULT;
}

/** SQLSTATE of a transaction that lost against another one and can be done again. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01"]);

/**
 * SQLSTATE of a server that ends, starts, follows another one or refuses work for the moment, and errors of
 * sockets (postgresql.org/docs/current/errcodes-appendix.html).
 */
const LOST: ReadonlySet<string> = new Set([
  // The server or a pooler has ended an idle transaction, or an idle session.
  "25P03",
  "57P05",
  // The server is a replica, whose primary is another one, or which has not taken over yet.
  "25006",
  "55000",
  "57P01",
  "57P02",
  "57P03",
  // No memory or connection is left, and what an administrator or a time limit of the server has ended.
  "53200",
  "53300",
  "57014",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
]);
const LOST_CLASS = "08";

const DISK_FULL = "53100";

/** SQLSTATE of a role, a password or a database that the server does not accept. */
const REFUSED_LOGINS: ReadonlySet<string> = new Set(["28000", "28P01", "3D000"]);

/**
 * What the driver says of a password that the server asks for and nobody has given; it gives no
 * code.
 */
const NO_PASSWORD = /^SASL: .*client password must be/u;

/** SQLSTATE of a role without the right to what was asked, or to any schema to do it in. */
const NO_RIGHT: ReadonlySet<string> = new Set(["42501", "3F000"]);

/** Says whether a row was to be written that is another store's: no right would help, it is a bug. */
const isForOtherStore = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "routine" in error &&
  error.routine === "ExecWithCheckOptions";

/** SQLSTATE of a function that the server does not have, or not for this role. */
const UNAVAILABLE: ReadonlySet<string> = new Set(["42501", "42883", "0A000"]);

/** What the driver says of a connection that has ended; it gives no code. */
const ENDED =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Connection ended/iu;

/** The SQLSTATE of an error of the server, or the code of an error of a socket; `""` for none. */
function toCode(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}

/** Says whether the transaction can be done again, as another one was in its way. */
export const isConflict = (error: unknown): boolean => CONFLICTS.has(toCode(error));

/** SQLSTATE of a lock that was not given within the time that the server allows. */
const LOCK_TIMEOUT = "55P03";

/** Says whether a single statement can be done again, as another transaction was in its way. */
export const isLocked = (error: unknown): boolean =>
  isConflict(error) || toCode(error) === LOCK_TIMEOUT;

/** Says whether the server refuses a function to this role, or to everybody. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE.has(toCode(error));

/** Says whether the connection was lost, or could not be made. */
export function isLost(error: unknown): boolean {
  const code = toCode(error);
  if (LOST.has(code) || code.startsWith(LOST_CLASS)) return true;
  return error instanceof Error && code === "" && ENDED.test(error.message);
}

/** Says whether the server cannot be used for the moment; what was refused for it is undone. */
export const isAway = (error: unknown): boolean => isLost(error) || toCode(error) === DISK_FULL;

function toServerErrorCode(error: unknown): DatabaseErrorCode | undefined {
  const code = toCode(error);
  if (code === DISK_FULL) return "E_DISK_FULL";
  if (NO_RIGHT.has(code)) return isForOtherStore(error) ? undefined : "E_DATABASE_RIGHTS";
  if (REFUSED_LOGINS.has(code)) return "E_DATABASE_LOGIN";
  if (isLost(error)) return "E_DATABASE_SERVER";
  const isWithoutPassword =
    error instanceof Error && code === "" && NO_PASSWORD.test(error.message);
  return isWithoutPassword ? "E_DATABASE_LOGIN" : undefined;
}

/** Converts errors about the server, its disk or the role into one with a message for people. */
export function toServerError(error: unknown, address: string): unknown {
  if (error instanceof DatabaseError) return error;
  const code = toServerErrorCode(error);
  if (code === undefined) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new DatabaseError(code, `${address}: ${text}`, { cause: error });
}

/** A server that was there before is not to be looked for in the settings. */
export const toLaterError = (error: unknown): unknown =>
  error instanceof DatabaseError && error.code === "E_DATABASE_SERVER"
    ? new DatabaseError("E_DATABASE_AWAY", describeCause(error.cause), { cause: error.cause })
    : error;

const describeCause = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);
