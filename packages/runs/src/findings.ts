/** What planning and sending find wrong with a whole row, in the words that people read. */

import { type Localized, type RowIssue } from "./issue.ts";

/** Where in the sheet a finding is shown. */
export type IssuePlace = Pick<RowIssue, "sheet" | "row" | "column" | "cell" | "value">;

interface FindingText {
  readonly message: Localized;
  readonly suggestion?: Localized;
}

const FINDINGS = {
  E_CODE_DUPLICATE: (rows: string): FindingText => ({
    message: {
      tr: `Bu ürün kodu dosyada birden çok satırda geçiyor (satırlar: ${rows}).`,
      en: `This product code is on several rows of the file (rows ${rows}).`,
    },
    suggestion: {
      tr: "Her ürün kodunu yalnızca bir satırda kullanın.",
      en: "Use each product code on one row only.",
    },
  }),
  E_PRODUCT_UNKNOWN: (code: string): FindingText => ({
    message: {
      tr: `Mağazada "${code}" kodlu bir ürün bulunamadı; bu satır yalnızca güncelleme yapabilir.`,
      en: `The store has no product "${code}", and this row may only update.`,
    },
    suggestion: {
      tr: "Kodu kontrol edin ya da ürünü eklemek için İşlem sütununu boş bırakın.",
      en: "Check the code, or leave the Action column empty to add the product.",
    },
  }),
  E_BODY: (detail: string): FindingText => ({
    message: {
      tr: `Bu satırdan geçerli bir güncelleme oluşmuyor: ${detail}.`,
      en: `This row does not make a valid update: ${detail}.`,
    },
    suggestion: {
      tr: "Birbirine bağlı alanları (örneğin indirim tipi ve değeri) birlikte doldurun.",
      en: "Fill in fields that belong together, such as discount type and value.",
    },
  }),
  E_CODE_REMOTE_TWICE: (ids: string): FindingText => ({
    message: {
      tr: `Mağazada bu ürün kodunu taşıyan birden çok ürün var: ${ids}.`,
      en: `Several products of the store have this product code: ${ids}.`,
    },
    suggestion: {
      tr: "Güncellenecek ürünün kimliğini Ürün ID sütununa yazın.",
      en: "Write the id of the product to update into the Product ID column.",
    },
  }),
  E_ADD_OPEN: (runId: string): FindingText => ({
    message: {
      tr: `Bu ürün kodu için ${runId} çalıştırmasının sonucu henüz belli değil; ikinci kez eklenmedi.`,
      en: `The outcome of this product code in run ${runId} is not known yet; it was not added again.`,
    },
    suggestion: {
      tr: `Önce "catalog resume ${runId}" komutunu çalıştırın.`,
      en: `Run "catalog resume ${runId}" first.`,
    },
  }),
  E_CODE_TAKEN: (): FindingText => ({
    message: {
      tr: "Bu ürün kodu, plan yapıldıktan sonra başka bir çalıştırmada eklendi; ikinci kez eklenmedi.",
      en: "Another run has added this product code since the plan was made; it was not added again.",
    },
    suggestion: {
      tr: "Dosyayı yeniden yükleyin; satır güncelleme olarak planlanır.",
      en: "Import the file again; the row will be planned as an update.",
    },
  }),
  E_REJECTED: (words: string): FindingText => ({
    message: {
      tr: `Pazaryeri bu ürünü kabul etmedi: ${words}`,
      en: `The marketplace refused this product: ${words}`,
    },
    suggestion: {
      tr: "Satırı düzeltip yeniden yükleyin.",
      en: "Correct the row and import it again.",
    },
  }),
  E_OUTCOME_UNKNOWN: (): FindingText => ({
    message: {
      tr: "İsteğin sonucu alınamadı ve ürün mağazada görünmüyor; iki kez eklenmemesi için bekletildi.",
      en: "The request's outcome was lost and the store does not show the product; held so that it is not added twice.",
    },
    suggestion: {
      tr: "Ürünü mağaza panelinde arayın; yoksa satırı yeni bir dosyayla değil, bu çalıştırma üzerinden sürdürün.",
      en: "Look for the product in the store's panel; if it is not there, go on with this run rather than with a new file.",
    },
  }),
  E_FOUND_TWICE: (ids: string): FindingText => ({
    message: {
      tr: `Sonucu belirsiz isteğin ardından mağazada bu koda sahip birden çok ürün bulundu: ${ids}.`,
      en: `After a lost answer the store shows several products with this code: ${ids}.`,
    },
  }),
  W_EXISTS: (id: string): FindingText => ({
    message: {
      tr: `Ürün mağazada zaten var (${id}); bu çalıştırma yalnızca ekleme yapıyor.`,
      en: `The store already has the product (${id}), and this run only adds.`,
    },
  }),
  W_NOT_COMPARABLE: (fields: string): FindingText => ({
    message: {
      tr: `Mağaza listesi şu alanları göstermediği için karşılaştırılamadı ve gönderilmedi: ${fields}.`,
      en: `The store's listing does not show these fields, so they were not compared and not sent: ${fields}.`,
    },
  }),
} as const;

export type FindingCode = keyof typeof FINDINGS;

/** Writes a finding as an issue of the row at `place`; `detail` goes into its text. */
export function toIssue(code: FindingCode, place: IssuePlace, detail = ""): RowIssue {
  const text: FindingText = FINDINGS[code](detail);
  return { code, ...place, message: text.message, suggestion: text.suggestion };
}

/** Says whether an issue keeps its row from being sent. */
export function isBlocking(issue: Pick<RowIssue, "code">): boolean {
  return issue.code.startsWith("E_");
}
