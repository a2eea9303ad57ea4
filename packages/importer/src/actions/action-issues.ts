/** Mistakes in the cells of sheets whose rows do something. */

import type { Localized } from "@catalog/i18n";
import type { IssueLocation, RowIssue } from "@catalog/runs";

interface Text {
  readonly message: Localized;
  readonly suggestion: Localized;
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
      tr: "Gerekçe sütununa alıcıya ya da pazaryerine yazılacak açıklamayı girin.",
      en: "Write into the Reason column what the buyer or the marketplace is to read.",
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
  E_ACTION_TOO_LONG: (chars: string): Text => ({
    message: {
      tr: `Bu yanıt çok uzun; en çok ${chars} karakter olabilir.`,
      en: `This answer is too long; it may have at most ${chars} characters.`,
    },
    suggestion: { tr: "Yanıtı kısaltın.", en: "Shorten the answer." },
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
