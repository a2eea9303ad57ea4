/** Mistakes in the cells of sheets of shipping templates, and reasons to hold their rows. */

import type { Localized } from "@catalog/i18n";
import type { IssueLocation, RowIssue } from "@catalog/runs";

interface Text {
  readonly message: Localized;
  readonly suggestion?: Localized;
}

/** How a held row is sent or closed. */
const RELEASE: Localized = {
  tr: "Yine de gönderilsin diye: catalog release <çalıştırma> --rows <satır> --resend, kapatmak için --cancel ile",
  en: "To have it sent all the same: catalog release <run> --rows <row> --resend, with --cancel to close it",
};

/** Texts by code; details are inserted. */
const TEXTS = {
  E_TEMPLATE_REQUIRED: (): Text => ({
    message: {
      tr: "Yeni bir teslimat şablonu için bu hücre gerekli.",
      en: "A new shipping template needs this cell.",
    },
    suggestion: {
      tr: "Hücreyi doldurun. Satır var olan bir şablonsa Şablon ID sütununa kimliğini yazın.",
      en: "Fill the cell. If the row is a template that exists, write its id into Template ID.",
    },
  }),
  E_TEMPLATE_UNKNOWN: (id: string): Text => ({
    message: {
      tr: "Mağazada bu kimlikte bir teslimat şablonu yok.",
      en: "The store has no shipping template with this id.",
    },
    suggestion:
      id === ""
        ? {
            tr: "Kimliği dışa aktarılan dosyadan alın; yeni bir şablon için boş bırakın.",
            en: "Take the id from the exported file; leave it empty for a new template.",
          }
        : {
            tr: `Bu addaki şablonun kimliği: ${id}`,
            en: `The template of this name has the id ${id}`,
          },
  }),
  E_TEMPLATE_ID_TWICE: (rows: string): Text => ({
    message: {
      tr: `Aynı şablon birden çok satırda (satırlar: ${rows}); hiçbiri gönderilmedi.`,
      en: `The same template is in several rows (${rows}); none was sent.`,
    },
    suggestion: {
      tr: "Tek satır bırakın. Satırı yeni bir şablon için kopyaladıysanız Şablon ID hücresini boşaltın.",
      en: "Leave one row. If you copied the row for a new template, empty its Template ID.",
    },
  }),
  E_TEMPLATE_NAME_TWICE: (rows: string): Text => ({
    message: {
      tr: `Bu yeni adı birden çok satır istiyor (satırlar: ${rows}); hiçbiri gönderilmedi.`,
      en: `Several rows want this new name (${rows}); none was sent.`,
    },
    suggestion: {
      tr: "Her şablona ayrı bir ad verin.",
      en: "Give each template a name of its own.",
    },
  }),
  E_TEMPLATE_EXISTS: (id: string): Text => ({
    message: {
      tr: `Mağazada bu adla bir teslimat şablonu zaten var (ID ${id}); ikincisi oluşmasın diye bekletildi.`,
      en: `The store already has a shipping template of this name (ID ${id}); held so that there is no second one.`,
    },
    suggestion: {
      tr: `O şablonu değiştirmek istiyorsanız Şablon ID hücresine ${id} yazın. ${RELEASE.tr}`,
      en: `To change that template, write ${id} into Template ID. ${RELEASE.en}`,
    },
  }),
  E_TEMPLATE_RENAME: (id: string): Text => ({
    message: {
      tr: `Bu ad başka bir teslimat şablonunun (ID ${id}); iki şablon aynı adı taşımasın diye bekletildi.`,
      en: `Another shipping template has this name (ID ${id}); held so that no two have one name.`,
    },
    suggestion: RELEASE,
  }),
  E_TEMPLATE_SINCE: (store: string, file: string): Text => ({
    message: {
      tr: `Bu alan dosya dışa aktarıldıktan sonra mağazada değişmiş olabilir. Mağazada: ${store}. Dosyanın kimlik sütununda: ${file}.`,
      en: `This field may have changed in the store since the file was exported. The store shows: ${store}. The ids in the file are: ${file}.`,
    },
    suggestion: {
      tr: `Dosyayı yeniden dışa aktarın. ${RELEASE.tr}`,
      en: `Export the file again. ${RELEASE.en}`,
    },
  }),
  E_TEMPLATE_NAME_UNKNOWN: (name: string, near: string): Text => ({
    message: {
      tr: `“${name}” listede yok.`,
      en: `“${name}” is not in the list.`,
    },
    suggestion:
      near === ""
        ? {
            tr: "Adı ya da kimliği listedeki gibi yazın: catalog shipping companies, catalog shipping addresses, catalog lookup cities",
            en: "Write the name or the id as in the list: catalog shipping companies, catalog shipping addresses, catalog lookup cities",
          }
        : { tr: `Bunlardan biri mi: ${near}?`, en: `Did you mean one of these: ${near}?` },
  }),
  E_TEMPLATE_NAME_AMBIGUOUS: (name: string, ids: string): Text => ({
    message: {
      tr: `“${name}” birden çok kaydın adı.`,
      en: `“${name}” is the name of several.`,
    },
    suggestion: {
      tr: `Kimliğini yazın: ${ids}`,
      en: `Write the id: ${ids}`,
    },
  }),
  E_TEMPLATE_ONE: (): Text => ({
    message: { tr: "Burada tek bir adres olabilir.", en: "There can be one address here." },
    suggestion: { tr: "Bir adres bırakın.", en: "Leave one address." },
  }),
  E_TEMPLATE_YES_NO: (): Text => ({
    message: { tr: "Bu hücre Evet ya da Hayır olabilir.", en: "This cell is Yes or No." },
    suggestion: {
      tr: "Evet ya da Hayır yazın; olduğu gibi kalsın diye boş bırakın.",
      en: "Write Yes or No; leave it empty to keep it as it is.",
    },
  }),
  E_TEMPLATE_TIME: (): Text => ({
    message: {
      tr: "Kargoya verme süresi tam bir sayıdır (gün olduğu varsayılır).",
      en: "The shipping time is a whole number (days are assumed).",
    },
    suggestion: { tr: "Örneğin 3 yazın.", en: "Write 3, for example." },
  }),
  E_TEMPLATE_AMOUNT: (): Text => ({
    message: {
      tr: "Bu tutar okunamadı ya da iki türlü okunabiliyor.",
      en: "This amount cannot be read, or in two ways.",
    },
    suggestion: {
      tr: "Binlik ayırmadan yazın: 1500 ya da 1500,50",
      en: "Write it without separating thousands: 1500 or 1500.50",
    },
  }),
  E_TEMPLATE_CLEAR: (): Text => ({
    message: {
      tr: "Pazaryerinde bu alan boşaltılamaz.",
      en: "The marketplace has no way to empty this field.",
    },
    suggestion: {
      tr: "Bir değer yazın; olduğu gibi kalsın diye boş bırakın.",
      en: "Write a value; leave it empty to keep it as it is.",
    },
  }),
  E_TEMPLATE_RETURN: (): Text => ({
    message: {
      tr: "İade adresi aynı değilse (Hayır), iade adresi gerekli.",
      en: "A return address is needed where it is not the same (No).",
    },
    suggestion: {
      tr: "Adresin adını ya da kimliğini yazın: catalog shipping addresses",
      en: "Write the address by name or id: catalog shipping addresses",
    },
  }),
  E_TEMPLATE_CITIES: (column: string): Text => ({
    message: {
      tr: `“${column}” Hayır iken gönderilen şehirler gerekli.`,
      en: `With “${column}” at No the cities are needed.`,
    },
    suggestion: {
      tr: "Şehirleri noktalı virgülle ayırarak yazın: İstanbul; Ankara",
      en: "Write the cities, separated by semicolons: İstanbul; Ankara",
    },
  }),
  E_TEMPLATE_MINIMUM: (column: string): Text => ({
    message: {
      tr: `Alt tutar yalnızca “${column}” Evet iken verilebilir.`,
      en: `A minimum can only be given with “${column}” at Yes.`,
    },
    suggestion: {
      tr: `“${column}” hücresine Evet yazın ya da tutarı boşaltın.`,
      en: `Write Yes into “${column}”, or empty the amount.`,
    },
  }),
  E_TEMPLATE_VALUE: (): Text => ({
    message: {
      tr: "Pazaryeri bu değeri kabul etmez.",
      en: "The marketplace does not take this value.",
    },
  }),
  W_TEMPLATE_IDS: (column: string): Text => ({
    message: {
      tr: `Bu kimlikler “${column}” sütunundaki adlardan başka bir şey söylüyor; adlar mağazadaki gibi olduğu için bir şey gönderilmez.`,
      en: `These ids say something else than the names in “${column}”; the names are those of the store, so nothing is sent.`,
    },
    suggestion: {
      tr: "Değişiklik adlardan okunur. Yalnızca kimlik vermek için ad hücresini boşaltın.",
      en: "Changes are read from the names. To give ids alone, empty the cell of names.",
    },
  }),
  W_TEMPLATE_COMMON: (column: string): Text => ({
    message: {
      tr: `“${column}” Evet iken iade adresi gönderim adresinin aynısıdır; buradaki adres gönderilmez.`,
      en: `With “${column}” at Yes the return address is the sender address; this one is not sent.`,
    },
    suggestion: {
      tr: `Başka bir iade adresi için “${column}” hücresine Hayır yazın.`,
      en: `For another return address write No into “${column}”.`,
    },
  }),
  W_TEMPLATE_ALL: (column: string): Text => ({
    message: {
      tr: `“${column}” Evet iken şehir seçilemez; buradaki şehirler gönderilmez.`,
      en: `With “${column}” at Yes no cities can be chosen; these are not sent.`,
    },
    suggestion: {
      tr: `Yalnızca bu şehirler için “${column}” hücresine Hayır yazın.`,
      en: `For these cities alone write No into “${column}”.`,
    },
  }),
  W_TEMPLATE_EXISTS: (id: string): Text => ({
    message: {
      tr: `Mağazada bu adla, gösterdiği alanları satırdakiyle aynı olan bir teslimat şablonu var (ID ${id}); yenisi oluşturulmaz.`,
      en: `The store has a shipping template of this name that shows what the row says (ID ${id}); no new one is created.`,
    },
  }),
  W_TEMPLATE_UNSEEN: (): Text => ({
    message: {
      tr: "Mağaza bu alanı göstermiyor: eski değeri bilinmiyor, gönderilen sonradan okunamaz; hücre dolu oldukça gönderilir.",
      en: "The store does not show this field: its old value is not known, what is sent cannot be read back, and it is sent as long as the cell is filled.",
    },
  }),
  W_TEMPLATE_USE: (products: string, time: string): Text => ({
    message: {
      tr: `Bu şablonu ${products} ürün kullanıyor (${time} tarihli ürün listesine göre); değişiklik hepsini etkiler.`,
      en: `${products} products use this template (by the list of products of ${time}); the change affects all of them.`,
    },
  }),
  W_UNDO_TEMPLATE: (name: string): Text => ({
    message: {
      tr: `“${name}” şablonunu bu satır oluşturmuştu; pazaryerinde şablon silme yok, geri alınamaz.`,
      en: `This row created the template “${name}”; the marketplace has no way to delete one, so it cannot be undone.`,
    },
    suggestion: {
      tr: "Şablonu mağaza panelinden silin.",
      en: "Delete the template in the store's panel.",
    },
  }),
  W_UNDO_ACTION: (): Text => ({
    message: {
      tr: "Yanıtlar, sipariş işlemleri ve kargo kodları geri alınamaz.",
      en: "Answers, actions on orders and shipping codes cannot be undone.",
    },
  }),
  W_UNDO_GONE: (): Text => ({
    message: {
      tr: "Mağaza bu şablonu artık göstermiyor; dokunulmadı.",
      en: "The store does not show this template any more; it was left alone.",
    },
  }),
  W_UNDO_TEMPLATE_KEPT: (tr: string, en: string): Text => ({
    message: {
      tr: `Bu alanlar o zamandan beri değiştirildi; dokunulmadı. Gönderdiğimiz → şimdi: ${tr}.`,
      en: `These fields have been changed since and were left alone. What we sent → now: ${en}.`,
    },
  }),
  W_UNDO_TEMPLATE_HIDDEN: (tr: string, en: string): Text => ({
    message: {
      tr: `Bu alanların önceki değeri bilinmiyor ya da gönderilemez, geri alınamaz: ${tr}.`,
      en: `The earlier values of these fields are not known or cannot be sent, so they are not restored: ${en}.`,
    },
    suggestion: {
      tr: "Bu alanları panelden ya da bir dosyayla düzeltin.",
      en: "Correct these fields in the panel or with a file.",
    },
  }),
} as const;

export type TemplateIssueCode = keyof typeof TEXTS;

/** Creates an issue at a cell; the details are inserted into its text. */
export function toTemplateIssue(
  code: TemplateIssueCode,
  location: IssueLocation,
  ...[first = "", second = ""]: readonly string[]
): RowIssue {
  return { code, ...location, ...TEXTS[code](first, second) };
}
