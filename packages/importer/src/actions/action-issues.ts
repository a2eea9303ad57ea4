/** Mistakes in the cells of sheets whose rows do something. */

import type { Localized } from "@catalog/i18n";
import type { IssueLocation, RowIssue } from "@catalog/runs";

interface Text {
  readonly message: Localized;
  readonly suggestion?: Localized;
}

/** Texts by code; a detail is inserted. */
const TEXTS = {
  E_ACTION_NO_SUBJECT: (): Text => ({
    message: {
      tr: "Bu satırda kimlik yok; ne için yapılacağı belli değil.",
      en: "This row has no id, so it is not known what it is about.",
    },
    suggestion: {
      tr: "Kimlik sütununu dışa aktarılan dosyadaki gibi bırakın.",
      en: "Leave the column of ids as it was exported.",
    },
  }),
  E_ACTION_WORD: (): Text => ({
    message: {
      tr: "Bu işlem tanınmıyor.",
      en: "This action is not known.",
    },
    suggestion: {
      tr: "Onayla, Ertele, İadeyi onayla ya da İadeyi reddet yazın; yapılacak bir şey yoksa boş bırakın.",
      en: "Write Accept, Postpone, Accept return or Reject return; leave it empty if nothing is to be done.",
    },
  }),
  E_ACTION_REASON: (): Text => ({
    message: {
      tr: "Bu işlem için gerekçe gerekiyor.",
      en: "This action needs a reason.",
    },
    suggestion: {
      tr: "Gerekçe sütununa alıcıya ya da pazaryerine yazılacak açıklamayı girin ya da hepsi için --reason verin.",
      en: "Write into the Reason column what the buyer or the marketplace is to read, or give --reason for all.",
    },
  }),
  E_ACTION_COMPANY: (names: string): Text => ({
    message: {
      tr: `Bu kargo firması tanınmıyor ya da birden çok firmanın adı. Firmalar: ${names}`,
      en: `This shipping company is not known, or several have the name. The companies: ${names}`,
    },
    suggestion: {
      tr: "Firmanın adını listedeki gibi, ya da kimliğini yazın.",
      en: "Write the name of the company as in the list, or its id.",
    },
  }),
  E_ACTION_FORMULA: (): Text => ({
    message: {
      tr: "Bu hücrede formül var; sonucu değil, yazılan metin gönderilebilir.",
      en: "This cell has a formula; only a text that was written can be sent.",
    },
    suggestion: {
      tr: "Hücreyi kopyalayıp yerine “değerleri yapıştır” ile yapıştırın, okuyun ve dosyayı yeniden verin.",
      en: "Copy the cell, paste it back as a value, read it, and give the file again.",
    },
  }),
  E_ACTION_ERROR: (): Text => ({
    message: {
      tr: "Bu hücrede bir hata değeri var.",
      en: "This cell has an error value.",
    },
    suggestion: { tr: "Yerine metni yazın.", en: "Write the text in its place." },
  }),
  E_ACTION_NOT_TEXT: (): Text => ({
    message: {
      tr: "Bu hücre metin değil: Excel onu sayı, tarih ya da DOĞRU/YANLIŞ yapmış.",
      en: "This cell is no text: Excel has made it a number, a date or TRUE/FALSE.",
    },
    suggestion: {
      tr: "Hücreyi Metin biçimine alıp yeniden yazın (başına ' koymak da yeter) ya da bir sözcük ekleyin: “5 adet”.",
      en: "Format the cell as Text and write it again (or put ' before it), or add a word: “5 pieces”.",
    },
  }),
  E_ACTION_CLEAR: (): Text => ({
    message: {
      tr: "<SİL> burada kullanılamaz: verilmiş bir yanıt ya da işlem geri alınamaz.",
      en: "<CLEAR> has no meaning here: an answer or an action cannot be taken back.",
    },
    suggestion: {
      tr: "Yapılacak bir şey yoksa hücreyi boş bırakın.",
      en: "Leave the cell empty if nothing is to be done.",
    },
  }),
  W_ACTION_TRIMMED: (): Text => ({
    message: {
      tr: "Metnin başındaki ve sonundaki boşluklar gönderilmez.",
      en: "Blanks around the text are not sent.",
    },
  }),
  W_ACTION_TITLE_ALONE: (): Text => ({
    message: {
      tr: "Yanıt boş olduğu için başlık da gönderilmez.",
      en: "The title is not sent, as there is no answer.",
    },
  }),
  E_ACTION_TOO_LONG: (chars: string): Text => ({
    message: {
      tr: `Bu metin çok uzun; en çok ${chars} karakter olabilir.`,
      en: `This text is too long; it may have at most ${chars} characters.`,
    },
    suggestion: { tr: "Metni kısaltın.", en: "Shorten it." },
  }),
} as const;

export type ActionIssueCode = keyof typeof TEXTS;

/** Creates an issue at a cell; `detail` is inserted into its text. */
export function toActionIssue(
  code: ActionIssueCode,
  location: IssueLocation,
  detail = "",
): RowIssue {
  return { code, ...location, ...TEXTS[code](detail) };
}
