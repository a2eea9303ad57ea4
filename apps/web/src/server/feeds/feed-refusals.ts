/** Why a change of a schedule is refused. */

import type { InputError } from "@catalog/i18n";

import { RequestError } from "../site.ts";

export const badFeed = (): RequestError =>
  new RequestError(400, "E_FEED_PLACE", {
    tr: "Dosyanın ya da klasörün tam yolunu yazın (/ ile başlar) ya da https:// ile başlayan bağlantıyı yapıştırın.",
    en: "Write the whole path of the file or folder (it starts with /), or paste a link that starts with https://.",
  });

export const badTimes = (error: InputError): RequestError =>
  new RequestError(400, "E_SCHEDULE_TIMES", error.localized, { cause: error });

export const knownFeed = (): RequestError =>
  new RequestError(409, "E_SCHEDULE_KNOWN", {
    tr: "Bu kaynak zaten listede. Zamanını değiştirmek için onun satırındaki Değiştir düğmesini kullanın.",
    en: "This source is on the list already. To change its times, use the button Change in its row.",
  });

export const noSchedule = (): RequestError =>
  new RequestError(404, "E_SCHEDULE_GONE", {
    tr: "Bu eşitleme artık listede değil. Sayfayı yenileyin.",
    en: "This sync is no longer on the list. Reload the page.",
  });

export const ofCommand = (): RequestError =>
  new RequestError(409, "E_SCHEDULE_COMMAND", {
    tr: "Bu eşitleme komut satırından çalışıyor. Zamanı orada değişir; buradan duraklatabilirsiniz.",
    en: "This sync is run from the command line. Its times are changed there; you can pause it here.",
  });

export const isRunningNow = (): RequestError =>
  new RequestError(409, "E_SCHEDULE_RUNNING", {
    tr: "Bu kaynak şu an eşitleniyor. Bitince sonucu burada görünür.",
    en: "This source is being synced now. Its result appears here when it is done.",
  });

export const noFolder = (folder: string, cause?: unknown): RequestError =>
  new RequestError(
    400,
    "E_FOLDER",
    {
      tr: `Bu klasör açılamıyor: ${folder}. Silinmiş ya da izniniz olmayabilir; başka bir klasör seçin.`,
      en: `This folder cannot be opened: ${folder}. It may have been deleted, or you may have no permission; choose another one.`,
    },
    { cause },
  );
