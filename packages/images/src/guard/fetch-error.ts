/** Why a download was refused or failed, with texts for people. */

import { bareAddress, type Localized, LocalizedError } from "@catalog/i18n";

/** How to raise the limit that was exceeded; the end of a sentence, empty without a setting. */
const raising = (setting: string | undefined): Localized =>
  setting === undefined
    ? { tr: "", en: "" }
    : {
        tr: ` ya da catalog.config.json içinde limits.${setting} değerini yükseltin`,
        en: `, or raise limits.${setting} in catalog.config.json`,
      };

/** Statuses that say one thing to a person. */
function describeStatus(status: string): Localized {
  const code = Number(status);
  if (code === 401 || code === 403) {
    return {
      tr: `Sunucu izin vermedi (${status}): adres oturum ya da yetki istiyor. Bunlar olmadan açılan bir adres verin.`,
      en: `The server refused access (${status}): the address needs a login or a right. Give one that opens without them.`,
    };
  }
  if (code === 404 || code === 410) {
    return {
      tr: `Bu adreste dosya yok (${status}). Adresi kontrol edin; dosyayı üreten sistem yerini değiştirmiş olabilir.`,
      en: `There is no file at this address (${status}). Check the address; the system that makes the file may have moved it.`,
    };
  }
  if (code === 429 || code >= 500) {
    return {
      tr: `Sunucu hata verdi (${status}). Dosyayı üreten sistemi kontrol edip daha sonra yeniden deneyin.`,
      en: `The server failed (${status}). Check the system that makes the file, and try again later.`,
    };
  }
  return {
    tr: `Sunucu ${status} yanıtını verdi. Adresi tarayıcıda açıp denetleyin.`,
    en: `The server answered ${status}. Open the address in a browser and check it.`,
  };
}

const TEXTS = {
  E_URL_FORM: (address: string) => ({
    tr: `“${address}” indirilebilecek bir adres değil. https, sftp ya da ftps ile başlayan bir adres verin.`,
    en: `“${address}” is not an address to download from. Give one that begins with https, sftp or ftps.`,
  }),
  E_URL_CREDENTIALS: () => ({
    tr: "Adresin içinde kullanıcı adı ya da parola var; adresler kayıtlarda göründüğü için alınmaz. Adresi bunlar olmadan verin, girişi bir kez saklayın: catalog feed login ADRES",
    en: "The address has a user name or password in it, and is not taken since addresses are shown in records. Give it without them, and store the login once: catalog feed login ADDRESS",
  }),
  E_URL_LOGIN_PLAIN: (host: string) => ({
    tr: `“${host}” için saklanan giriş http ile gönderilmez: yoldaki herkes okuyabilirdi. https adresini verin; sunucu kendi ağınızdaysa --allow-host ${host} ile izin verin.`,
    en: `The login that is stored for “${host}” is not sent over http, where anyone on the way could read it. Give the https address; if the server is in your own network, allow it with --allow-host ${host}.`,
  }),
  E_URL_PORT: (address: string) => ({
    tr: `“${address}” alışılmadık bir porta gidiyor. Sunucu sizinse --allow-host ile sunucu:port olarak izin verin.`,
    en: `“${address}” goes to an unusual port. If the server is yours, allow it as host:port with --allow-host.`,
  }),
  E_URL_PRIVATE: (host: string) => ({
    tr: `“${host}” herkese açık internette değil, özel bir ağda. Sunucu sizinse --allow-host ${host} ile izin verin.`,
    en: `“${host}” is not on the public internet but in a private network. If the server is yours, allow it with --allow-host ${host}.`,
  }),
  E_URL_REDIRECT: (reason: string) => ({
    tr: `Adres izlenemeyen bir yönlendirme yapıyor (${reason}). Yönlendirmenin vardığı adresi yazın.`,
    en: `The address redirects in a way that is not followed (${reason}). Write the address it ends at.`,
  }),
  E_FETCH_LOGIN: (address: string) => ({
    tr: `Sunucu giriş istiyor. Kullanıcı adını ve parolayı ya da anahtarı bir kez saklayın: catalog feed login ${address}`,
    en: `The server asks for a login. Store the user name and password, or the key, once: catalog feed login ${address}`,
  }),
  E_FETCH_LOGIN_REFUSED: (address: string) => ({
    tr: `Sunucu verilen girişi kabul etmedi; parola ya da anahtar değişmiş, süresi dolmuş ya da bu dosya için yetkisi yok. Yenisini saklayın: catalog feed login ${address}`,
    en: `The server did not accept the login: the password or key may have changed or expired, or may not open this file. Store the new one: catalog feed login ${address}`,
  }),
  E_URL_FTP: (address: string) => ({
    tr: `“${address}” ftp ile açılıyor; ftp parolayı ve dosyayı şifresiz gönderir, fiyatlar yolda değiştirilebilir. Sunucudan sftp:// ya da ftps:// adresi isteyin.`,
    en: `“${address}” is opened by ftp, which sends the password and the file unencrypted, so that prices could be changed on the way. Ask for an address that begins with sftp:// or ftps://.`,
  }),
  E_FETCH_HOST_KEY: (fingerprint: string, _setting?: string, address = "") => ({
    tr: `Sunucunun anahtarı tanınmıyor (${fingerprint}), bu yüzden parola gönderilmedi. Anahtarı sunucunun sahibine sorun ve girişi saklayın: catalog feed login ${address}`,
    en: `The server's key is not known (${fingerprint}), so no password was sent. Ask the owner of the server for its key, and store the login: catalog feed login ${address}`,
  }),
  E_FETCH_HOST_KEY_CHANGED: (fingerprint: string, _setting?: string, address = "") => ({
    tr: `Sunucunun anahtarı değişmiş (${fingerprint}): araya biri girmiş ya da sunucu yenilenmiş olabilir. Parola gönderilmedi. Sunucunun sahibi değişikliği doğrularsa yeniden saklayın: catalog feed login ${address}`,
    en: `The server's key has changed (${fingerprint}): someone may be in between, or the server was set up anew. No password was sent. If the owner of the server confirms the change, store it again: catalog feed login ${address}`,
  }),
  E_FETCH_KEY_FILE: (path: string) => ({
    tr: `SSH anahtarı okunamadı ya da parolası yanlış: ${path}`,
    en: `The SSH key cannot be read, or its passphrase is wrong: ${path}`,
  }),
  E_FETCH_MISSING: (address: string) => ({
    tr: `Sunucuda bu dosya yok: ${address}. Adresi kontrol edin; bir klasörün adresi / ile biter ve içinde bir tablo olmalı.`,
    en: `There is no such file on the server: ${address}. Check the address; that of a folder ends in /, and it must hold a table.`,
  }),
  E_FETCH_CHANGING: (address: string) => ({
    tr: `Dosya okunurken değişti: ${address}. Başka adla yazılıp en son yeniden adlandırılmalı; sonra yeniden deneyin.`,
    en: `The file changed while it was read: ${address}. It should be written under another name and renamed at the end; then try again.`,
  }),
  E_FETCH_STATUS: (status: string): Localized => describeStatus(status),
  E_FETCH_SIZE: (limit: string, setting?: string) => ({
    tr: `Dosya ${limit} sınırından büyük. Daha küçük bir dosya verin${raising(setting).tr}.`,
    en: `The file is larger than ${limit}. Give a smaller one${raising(setting).en}.`,
  }),
  E_FETCH_SLOW: (host: string, setting?: string) => ({
    tr: `“${host}” çok yavaş yanıt verdi. Daha sonra yeniden deneyin ya da dosyayı hızlı bir sunucuya koyun${raising(setting).tr}.`,
    en: `“${host}” answered too slowly. Try again later, or put the file on a faster server${raising(setting).en}.`,
  }),
  E_FETCH_CUT: (host: string) => ({
    tr: `“${host}” dosyanın ortasında bağlantıyı kesti; dosya yarım kaldı. Yeniden deneyin; sürerse sunucuyu kontrol edin.`,
    en: `“${host}” closed the connection in the middle of the file, so it is cut off. Try again; if it goes on, check the server.`,
  }),
  E_FETCH_FAILED: (host: string) => ({
    tr: `“${host}” sunucusuna ulaşılamadı. Adresi ve bağlantıyı denetleyip yeniden deneyin.`,
    en: `“${host}” could not be reached. Check the address and the connection, then try again.`,
  }),
  E_FETCH_CERTIFICATE: (host: string) => ({
    tr: `“${host}” sunucusunun sertifikası geçerli değil (süresi dolmuş, başka bir ad için ya da kendi imzasıyla). Sunucunun sahibine bildirin; kendi sertifikanızsa NODE_EXTRA_CA_CERTS ile tanıtın.`,
    en: `The certificate of “${host}” is not valid (expired, for another name, or signed by itself). Tell the owner of the server; if it is your own, name it with NODE_EXTRA_CA_CERTS.`,
  }),
  E_FETCH_ENCODING: (encoding: string) => ({
    tr: `Sunucu dosyayı okunamayan bir biçimde sıkıştırdı (${encoding}). Dosyayı sıkıştırmadan ya da gzip ile sunun.`,
    en: `The server compressed the file in a way that cannot be read (${encoding}). Serve it as it is, or with gzip.`,
  }),
} as const;

const MAX_SHOWN = 80;

/** A text that is not ours, cut to what a sentence can hold. */
export const shown = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;

/** `E_URL_…`: refused before a byte leaves for that address; `E_FETCH_…`: failed after that. */
export type FetchErrorCode = keyof typeof TEXTS;

interface FetchErrorOptions extends ErrorOptions {
  readonly status?: number | undefined;
  readonly setting?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly attempts?: number | undefined;
  /** The address for a command, without secrets. */
  readonly address?: string | undefined;
}

/** The texts, which name the number of attempts where there was more than one. */
function describe(
  code: FetchErrorCode,
  detail: string,
  { setting, attempts = 1, address }: FetchErrorOptions,
): Localized {
  const { tr, en } = TEXTS[code](detail, setting, address);
  if (attempts === 1) return { tr, en };
  return {
    tr: `${tr} İndirme ${attempts} kez denendi.`,
    en: `${en} It was tried ${attempts} times.`,
  };
}

/** A download that was refused or failed. Repeats nothing of the server's answer. */
export class FetchError extends LocalizedError<FetchErrorCode> {
  override readonly name = "FetchError";
  /** Status of the server's answer, when that was the reason. */
  readonly status: number | undefined;
  /** The address, limit or word that the texts name. */
  readonly detail: string;
  /** The setting of the limit that was exceeded, when that was the reason. */
  readonly setting: string | undefined;
  /** How long the server asked to wait before another request, when it did. */
  readonly retryAfterMs: number | undefined;
  /** Number of requests that failed before the download was given up. */
  readonly attempts: number;

  constructor(code: FetchErrorCode, given: string, options: FetchErrorOptions = {}) {
    // The text comes from a person or from another server's redirect.
    const detail = code === "E_URL_FORM" ? shown(bareAddress(given)) : given;
    super(code, describe(code, detail, options), options);
    this.status = options.status;
    this.detail = detail;
    this.setting = options.setting;
    this.retryAfterMs = options.retryAfterMs;
    this.attempts = options.attempts ?? 1;
  }
}

/** The {@link FetchError} behind an error that a library threw; `undefined` if there is none. */
export function findFetchError(error: unknown): FetchError | undefined {
  let at = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth += 1) {
    if (at instanceof FetchError) return at;
    at = at.cause;
  }
  return undefined;
}
