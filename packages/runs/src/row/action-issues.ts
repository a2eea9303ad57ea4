/** Texts of issues of rows that do something to a question, a package or a shipping template. */

import type { Localized } from "@catalog/i18n";

interface ActionText {
  readonly message: Localized;
  readonly suggestion?: Localized;
}

/** Texts by code; a detail is inserted. */
export const ACTION_TEXTS = {
  E_SUBJECT_UNKNOWN: (id: string): ActionText => ({
    message: {
      tr: `Mağaza “${id}” kimliğini göstermiyor; bu satır için bir şey yapılamaz.`,
      en: `The store does not show “${id}”, so nothing can be done for this row.`,
    },
    suggestion: {
      tr: "Kimliği dışa aktarılan dosyadan olduğu gibi alın; dosya eskiyse yeniden dışa aktarın.",
      en: "Take the id from the exported file as it is; export again if the file is old.",
    },
  }),
  E_ACTION_TWICE: (rows: string): ActionText => ({
    message: {
      tr: `Dosya aynı kayıt için farklı işlemler istiyor (satırlar: ${rows}); hiçbiri yapılmadı.`,
      en: `The file asks for different things for one record (rows ${rows}); none was done.`,
    },
    suggestion: {
      tr: "Her kayıt için tek bir işlem bırakın.",
      en: "Leave one action for each record.",
    },
  }),
  E_ANSWERED: (answer: string): ActionText => ({
    message: {
      tr: `Bu soru zaten yanıtlanmış; ikinci kez yanıtlanmadı. Mağazadaki yanıt: ${answer}`,
      en: `This question has an answer already and was not answered again. The store shows: ${answer}`,
    },
    suggestion: {
      tr: "Yanıtı değiştirmek için mağaza panelini kullanın. Satırı kapatmak için: catalog release <çalıştırma> --rows <satır> --cancel",
      en: "Change the answer in the store's panel. To close the row: catalog release <run> --rows <row> --cancel",
    },
  }),
  E_ACTION_FILLED: (value: string): ActionText => ({
    message: {
      tr: `Mağaza bu kayıt için zaten bir değer gösteriyor (${value}); iki kez alınmaması için bekletildi.`,
      en: `The store shows a value for this record already (${value}); held so that it is not made twice.`,
    },
    suggestion: {
      tr: "İstediğiniz buysa satırı kapatın: catalog release <çalıştırma> --rows <satır> --cancel; değilse --resend ile gönderin",
      en: "If that is what you want, close the row: catalog release <run> --rows <row> --cancel; if not, send it with --resend",
    },
  }),
  E_ACTION_CHANGED: (differences: string): ActionText => ({
    message: {
      tr: `Kayıt, plan yapıldıktan sonra mağazada değişti; işlem yapılmadı. ${differences}`,
      en: `The record has changed in the store since the plan was made; nothing was done. ${differences}`,
    },
    suggestion: {
      tr: "Dosyayı yeniden planlayın; ya da şimdiki durumuyla yine de yapılsın diye: catalog release <çalıştırma> --rows <satır> --resend, kapatmak için --cancel ile",
      en: "Plan the file again; or to have it done all the same as the record is now: catalog release <run> --rows <row> --resend, with --cancel to close it",
    },
  }),
  E_ACTION_DONE: (differences: string): ActionText => ({
    message: {
      tr: `Bu işlem, plan yapıldıktan sonra başka biri tarafından yapılmış; ikinci kez yapılmadı. ${differences}`,
      en: `Somebody else has done this since the plan was made; it was not done again. ${differences}`,
    },
    suggestion: {
      tr: "Satırı kapatmak için: catalog release <çalıştırma> --rows <satır> --cancel",
      en: "To close the row: catalog release <run> --rows <row> --cancel",
    },
  }),
  E_ACTION_GONE: (id: string): ActionText => ({
    message: {
      tr: `Mağaza “${id}” kimliğini artık göstermiyor; işlem yapılmadı.`,
      en: `The store does not show “${id}” any more; nothing was done.`,
    },
    suggestion: {
      tr: "Mağaza panelinde arayın. Yine de yapılsın diye: catalog release <çalıştırma> --rows <satır> --resend, kapatmak için --cancel ile",
      en: "Look for it in the store's panel. To have it done all the same: catalog release <run> --rows <row> --resend, with --cancel to close it",
    },
  }),
  E_ACTION_TAKEN: (run: string): ActionText => ({
    message: {
      tr: `Bu işlemi, plan yapıldıktan sonra ${run} çalıştırması yaptı; ikinci kez yapılmadı.`,
      en: `Run ${run} has done this since the plan was made; it was not done again.`,
    },
    suggestion: {
      tr: "Satırı kapatmak için: catalog release <çalıştırma> --rows <satır> --cancel",
      en: "To close the row: catalog release <run> --rows <row> --cancel",
    },
  }),
  E_ACTION_UNSEEN: (): ActionText => ({
    message: {
      tr: "Bu veritabanı bir yedekten dönmüş olabilir ve mağaza bu işlemin yapılıp yapılmadığını göstermiyor; iki kez yapılmaması için bekletildi.",
      en: "This database may be a restored copy, and the store does not show whether this was done; held so that it is not done twice.",
    },
    suggestion: {
      tr: "Mağaza panelinde bakın. Yapılmışsa: catalog release <çalıştırma> --rows <satır> --as-done; yapılmamışsa --resend ile",
      en: "Look in the store's panel. If it was done: catalog release <run> --rows <row> --as-done; if not, with --resend",
    },
  }),
  E_TEMPLATE_MADE: (run: string): ActionText => ({
    message: {
      tr: `Bu adla bir teslimat şablonunu ${run} çalıştırması oluşturmuştu; mağaza onu bu adla göstermiyor. İkincisi oluşmasın diye bekletildi.`,
      en: `Run ${run} has created a shipping template of this name, which the store does not show under it. Held so that there is no second one.`,
    },
    suggestion: {
      tr: "Mağaza panelinde bakın. Yine de oluşturulsun diye: catalog release <çalıştırma> --rows <satır> --resend, kapatmak için --cancel ile",
      en: "Look in the store's panel. To have it created all the same: catalog release <run> --rows <row> --resend, with --cancel to close it",
    },
  }),
  E_ACTION_OPEN: (run: string): ActionText => ({
    message: {
      tr: `Aynı kayıt için ${run} çalıştırmasının sonucu henüz belli değil; ikinci kez yapılmadı.`,
      en: `The outcome for this record in run ${run} is not known yet; it was not done again.`,
    },
    suggestion: {
      tr: `Önce o çalıştırmayı sonuçlandırın: catalog resume ${run}`,
      en: `Settle that run first: catalog resume ${run}`,
    },
  }),
  E_ACTION_UNKNOWN: (): ActionText => ({
    message: {
      tr: "İsteğin yanıtı alınamadı ve mağaza yapıldığını göstermiyor; iki kez yapılmaması için bekletildi.",
      en: "The answer was lost and the store does not show that it was done; held so that it is not done twice.",
    },
    suggestion: {
      tr: "Mağaza panelinde bakın. Yapılmışsa: catalog release <çalıştırma> --rows <satır> --as-done; yapılmamışsa --resend ile",
      en: "Look in the store's panel. If it was done: catalog release <run> --rows <row> --as-done; if not, with --resend",
    },
  }),
  E_ACTION_UNCLEAR: (differences: string): ActionText => ({
    message: {
      tr: `İsteğin yanıtı alınamadı ve kayıt değişmiş; bunu bu isteğin mi yaptığı belli değil. ${differences}`,
      en: `The answer was lost and the record has changed; whether by this request is not known. ${differences}`,
    },
    suggestion: {
      tr: "Mağaza panelinde bakın. İstenen yapılmışsa: catalog release <çalıştırma> --rows <satır> --as-done; yapılmamışsa --resend ile",
      en: "Look in the store's panel. If it was done: catalog release <run> --rows <row> --as-done; if not, with --resend",
    },
  }),
  E_ACTION_REJECTED: (words: string): ActionText => ({
    message: {
      tr: `Pazaryeri bu işlemi kabul etmedi: ${words}`,
      en: `The marketplace refused this: ${words}`,
    },
    suggestion: {
      tr: "Nedeni giderip satırı yeniden gönderin: catalog retry <çalıştırma>",
      en: "Remove the cause and send the row again: catalog retry <run>",
    },
  }),
  W_ACTION_SAME: (row: string): ActionText => ({
    message: {
      tr: `Aynı kayıt için aynı işlemi başka bir satır da istiyor (satır: ${row}); bu satır için ayrıca bir şey gönderilmez.`,
      en: `Another row asks for the same for this record (row ${row}); nothing more is sent for this row.`,
    },
  }),
  W_ACTION_ALREADY: (): ActionText => ({
    message: {
      tr: "Paketin durumu, bu işlem yapılmış paketlerinki gibi (öncekilerden öğrenildi, varsayım); yeniden yapılmaz.",
      en: "The package has the status that this action has led to before (learned, so assumed); it is not done again.",
    },
  }),
  W_ACTION_COMPANY: (): ActionText => ({
    message: {
      tr: "Mağaza bu paketi bu kargo firmasıyla gösteriyor, kodunu göstermiyor; kod alınmış olabilir, yenisi istenmez.",
      en: "The store shows this company for the package and no code; a code may have been made, so none is asked for.",
    },
    suggestion: {
      tr: "Kodu yoksa firmayı komutta verin: catalog orders shipping-codes … --company FİRMA",
      en: "If it has none, name the company in the command: catalog orders shipping-codes … --company NAME",
    },
  }),
  W_ACTION_BEFORE: (run: string): ActionText => ({
    message: {
      tr: `Bu işlemi ${run} çalıştırması yapmıştı; ikinci kez yapılmaz.`,
      en: `Run ${run} has done this before; it is not done again.`,
    },
  }),
} as const;
