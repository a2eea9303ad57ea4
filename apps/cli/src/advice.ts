/**
 * Advice for a person about an error of the client, in both languages, and the exit code of its
 * class.
 */

import {
  ApiError,
  AuthError,
  type ClientError,
  NetworkError,
  PermissionError,
  SettingsError,
  ShapeError,
} from "@catalog/client/errors";
import { EXIT } from "@catalog/console";
import type { Localized } from "@catalog/i18n";

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
