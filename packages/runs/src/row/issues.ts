/** The issues of rows, and the texts of those that planning and sending report for a whole row. */

import type { Localized } from "@catalog/i18n";

import type { GuardName } from "../guards/guard-settings.ts";
import type { Answer } from "../ports/marketplace.ts";
import { ACTION_TEXTS } from "./action-issues.ts";

/** One thing wrong with one cell. Collected, stored with its row, never thrown. */
export interface RowIssue {
  /** Stable: `E_…` blocks the row, `W_…` does not. */
  readonly code: string;
  readonly sheet: string;
  /** Row number as the spreadsheet program shows it. */
  readonly row: number;
  /** Header as in the file. */
  readonly column: string;
  /** Cell reference, such as `F12`. */
  readonly cell: string;
  readonly value: string;
  readonly message: Localized;
  readonly suggestion?: Localized | undefined;
  /** The values that a guard compared, where a guard holds the row. */
  readonly guard?: GuardFinding | undefined;
}

/** What the buyer pays before and after a change, in minor units. */
export interface PaidPrices {
  readonly old: number;
  /** Absent where the discount leaves no lower price above zero, so that the marketplace decides. */
  readonly new?: number;
}

/** A change that a guard holds. */
export interface GuardFinding {
  readonly guard: GuardName;
  /** The field whose values these are; `paid_price` is the price after the discount. */
  readonly field: "price" | "paid_price";
  /** In minor units; absent where the guard compares new values with each other. */
  readonly old?: number | undefined;
  /** In minor units. */
  readonly new: number;
  /** The new price in minor units, where `new` is a discounted one that is compared with it. */
  readonly price?: number | undefined;
  /** What the buyer pays, where a discount makes it differ from the price. */
  readonly paid?: PaidPrices | undefined;
  /** Further guards that hold the same change. @default none */
  readonly also?: readonly GuardName[];
  /** Change in percent of the old value, in whole percents unless that would be 0 or −100. */
  readonly percent?: number | undefined;
}

/** What an issue says, and the next step. */
interface IssueText {
  readonly message: Localized;
  readonly suggestion?: Localized;
}

/** Texts by code; a detail is inserted. */
const UNDO_TEXTS = {
  W_UNDO_KEPT: (differences: string): IssueText => ({
    message: {
      tr: `Bu alanlar o zamandan beri değiştirildi; dokunulmadı. Gönderdiğimiz → şimdi: ${differences}.`,
      en: `These fields have been changed since and were left alone. What we sent → now: ${differences}.`,
    },
    suggestion: {
      tr: "Yine de eski değeri istiyorsanız bu satırı bir dosyayla güncelleyin.",
      en: "If the old value is wanted all the same, update this product with a file.",
    },
  }),
  W_UNDO_HIDDEN: (fields: string): IssueText => ({
    message: {
      tr: `Bu alanların önceki değeri bilinmiyor, geri alınamaz: ${fields}. Mağaza listesi göstermiyor ya da birimi belli değil.`,
      en: `The earlier values of these fields are not known, so they cannot be restored: ${fields}. The store's listing does not show them, or not their unit.`,
    },
    suggestion: {
      tr: "Bu alanları panelden ya da bir dosyayla düzeltin.",
      en: "Correct these fields in the panel or with a file.",
    },
  }),
  W_UNDO_ADD: (): IssueText => ({
    message: {
      tr: "Bu satır bir ürün eklemişti; pazaryerinde ürün silme yok, geri alınamaz.",
      en: "This row added a product; the marketplace has no way to delete one, so it cannot be undone.",
    },
    suggestion: {
      tr: "Satışı durdurmak için --zero-stock ile stoğunu 0 yapın.",
      en: "To stop its sale, set its stock to 0 with --zero-stock.",
    },
  }),
  W_UNDO_ADD_EMPTIED: (): IssueText => ({
    message: {
      tr: "Bu satır bir ürün eklemişti; ürün silinemez, onun yerine stoğu 0 olacak.",
      en: "This row added a product; it cannot be deleted, so its stock becomes 0 instead.",
    },
  }),
  W_UNDO_ADD_EMPTY: (): IssueText => ({
    message: {
      tr: "Bu satır bir ürün eklemişti; ürün silinemez. Stoğu zaten 0.",
      en: "This row added a product; it cannot be deleted. Its stock is 0 already.",
    },
  }),
  W_UNDO_MISSING: (): IssueText => ({
    message: {
      tr: "Mağaza listesi bu ürünü şimdi göstermiyor; neyin değiştiği bilinemez, dokunulmadı.",
      en: "The store's listing does not show this product now, so it cannot be told what has changed; it was left alone.",
    },
    suggestion: {
      tr: "Ürünü panelde kontrol edin; göründüğünde geri almayı yeniden çalıştırın.",
      en: "Look for the product in the panel; undo again once it is shown.",
    },
  }),
} as const;

/** The location in the sheet at which an issue is shown. */
export type IssueLocation = Pick<RowIssue, "sheet" | "row" | "column" | "cell" | "value">;

/** Where an issue of a whole row is: it has no cell, and its value is the product code. */
export const toRowLocation = (
  sheet: string,
  { row, code }: { readonly row: number; readonly code: string | null },
): IssueLocation => ({ sheet, row, column: "", cell: "", value: code ?? "" });

const ROW_TEXTS = {
  E_CODE_DUPLICATE: (rows: string): IssueText => ({
    message: {
      tr: `Bu ürün kodu dosyada birden çok satırda geçiyor (satırlar: ${rows}).`,
      en: `This product code is on several rows of the file (rows ${rows}).`,
    },
    suggestion: {
      tr: "Her ürün kodunu yalnızca bir satırda kullanın.",
      en: "Use each product code on one row only.",
    },
  }),
  E_CODE_SUSPECT: (codes: string): IssueText => ({
    message: {
      tr: `Bu ürün kodu, kullanılan bir koda çok benziyor: ${codes}. Aynı ürün iki kez eklenmesin diye satır bekletildi.`,
      en: `This product code looks like one that is in use: ${codes}. The row is held so that one product is not added twice.`,
    },
    suggestion: {
      tr: "Aynı ürünse kodu dosyada da mağazadaki gibi yazın. Ayrı ürünse dosyayı --allow code-suspect ile yeniden yükleyin ya da held.xlsx içinde Onay hücresine Evet yazıp kaydedin, sonra: catalog release <çalıştırma> --approved held.xlsx",
      en: "If it is the same product, write its code as the store does. If it is another one, import the file again with --allow code-suspect, or write Yes in the row's Approve cell in held.xlsx, save it, and then: catalog release <run> --approved held.xlsx",
    },
  }),
  E_PRODUCT_UNKNOWN: (code: string): IssueText => ({
    message: {
      tr: `Mağazada “${code}” kodlu bir ürün bulunamadı; bu satır yalnızca güncelleme yapabilir.`,
      en: `The store has no product “${code}”, and this row may only update.`,
    },
    suggestion: {
      tr: "Kodu kontrol edin. Ürünü eklemek istiyorsanız güncelleme kipini kapatın (İşlem sütunu, --mode) ve Ürün ID hücresini boş bırakın.",
      en: "Check the code. To add the product, do not ask for updates only (Action column, --mode) and leave Product ID empty.",
    },
  }),
  E_BODY: (detail: string): IssueText => ({
    message: {
      tr: `Bu satırdan geçerli bir güncelleme oluşmuyor: ${detail}.`,
      en: `This row does not make a valid update: ${detail}.`,
    },
    suggestion: {
      tr: "Birbirine bağlı alanları (örneğin indirim tipi ve değeri) birlikte doldurun.",
      en: "Fill in fields that belong together, such as discount type and value.",
    },
  }),
  E_CODE_REMOTE_TWICE: (ids: string): IssueText => ({
    message: {
      tr: `Mağazada bu ürün kodunu taşıyan birden çok ürün var: ${ids}.`,
      en: `Several products of the store have this product code: ${ids}.`,
    },
    suggestion: {
      tr: "Güncellenecek ürünün kimliğini Ürün ID sütununa yazın.",
      en: "Write the id of the product to update into the Product ID column.",
    },
  }),
  E_ID_CODE_MISMATCH: (code: string): IssueText => ({
    message: {
      tr: `Ürün ID başka bir ürünün: mağazada bu kimliğin ürün kodu “${code}”.`,
      en: `The product id is another product's: in the store its code is “${code}”.`,
    },
    suggestion: {
      tr: "Ürün ID ile Ürün Kodu aynı ürünü göstermeli; birini düzeltin ya da silin.",
      en: "Product ID and Product Code must mean one product; correct or delete one of them.",
    },
  }),
  E_PRODUCT_TWICE: (row: string): IssueText => ({
    message: {
      tr: `Bu satır, ${row}. satırdaki ürünle aynı ürünü güncelliyor.`,
      en: `This row updates the same product as row ${row}.`,
    },
    suggestion: {
      tr: "Her ürünü yalnızca bir satırda güncelleyin.",
      en: "Update each product on one row only.",
    },
  }),
  E_APPEARED: (ids: string): IssueText => ({
    message: {
      tr: `Bu ürün kodu plan yapıldıktan sonra mağazada ortaya çıktı (${ids}); ikinci kez eklenmedi.`,
      en: `This product code has appeared in the store since the plan was made (${ids}); it was not added again.`,
    },
    suggestion: {
      tr: "Dosyayı yeniden yükleyin; satır güncelleme olarak planlanır.",
      en: "Import the file again; the row will be planned as an update.",
    },
  }),
  E_ADD_UNSEEN: (): IssueText => ({
    message: {
      tr: "Bu ürün bu arada eklenmiş olabilir: gönderim uzun süre durdu ya da veritabanı eski bir kopya, bu mağazanın eklenen ürünleri gösterdiği de görülmedi. İki kez eklenmemesi için bekletildi.",
      en: "This product may have been added meanwhile: sending had stopped for a long time, or the database is an older copy, and the store has not been seen to show what is added to it. Held so that it is not added twice.",
    },
    suggestion: {
      tr: "Ürünü mağaza panelinde arayın. Oradaysa: catalog release <çalıştırma> --rows <satır> --as-done <ürün kimliği>; yoksa --resend-blind ile gönderin.",
      en: "Look for the product in the store's panel. If it is there: catalog release <run> --rows <row> --as-done <product id>; if not, send it with --resend-blind.",
    },
  }),
  E_CHANGED: (differences: string): IssueText => ({
    message: {
      tr: `Ürün, plan yapıldıktan sonra mağazada değişti; üzerine yazılmadı. ${differences}.`,
      en: `The product has changed in the store since the plan was made and was not overwritten. ${differences}.`,
    },
    suggestion: {
      tr: "Dosyayı yeniden yüklerseniz satır şimdiki değerlere göre planlanır. Ya da held.xlsx içinde Onay hücresine dosyadaki değer doğruysa Evet, mağazadaki değer kalacaksa Hayır yazıp kaydedin, sonra: catalog release <çalıştırma> --approved held.xlsx",
      en: "If you import the file again, the row is planned against the present values. Or write in the row's Approve cell in held.xlsx Yes if the file's value is right, or No if the store's value is to stay, save it, and then: catalog release <run> --approved held.xlsx",
    },
  }),
  E_ADD_OPEN: (runId: string): IssueText => ({
    message: {
      tr: `Bu ürün kodu için ${runId} çalıştırmasının sonucu henüz belli değil; ikinci kez eklenmedi.`,
      en: `The outcome of this product code in run ${runId} is not known yet; it was not added again.`,
    },
    suggestion: {
      tr: `Önce o çalıştırmayı sonuçlandırın: catalog resume ${runId} (ürün panelde de yoksa --on-unknown resend ile).`,
      en: `Settle that run first: catalog resume ${runId} (with --on-unknown resend if the panel does not show the product either).`,
    },
  }),
  E_CODE_TAKEN: (): IssueText => ({
    message: {
      tr: "Bu ürün kodu, plan yapıldıktan sonra başka bir çalıştırmada eklendi; ikinci kez eklenmedi.",
      en: "Another run has added this product code since the plan was made; it was not added again.",
    },
    suggestion: {
      tr: "Dosyayı yeniden yükleyin; satır güncelleme olarak planlanır.",
      en: "Import the file again; the row will be planned as an update.",
    },
  }),
  E_REJECTED: (words: string): IssueText => ({
    message: {
      tr: `Pazaryeri bu ürünü kabul etmedi: ${words}`,
      en: `The marketplace refused this product: ${words}`,
    },
    suggestion: {
      tr: "Satırı düzeltip yeniden yükleyin.",
      en: "Correct the row and import it again.",
    },
  }),
  E_OUTCOME_UNKNOWN: (): IssueText => ({
    message: {
      tr: "İsteğin sonucu alınamadı ve ürün mağazada henüz görünmüyor; iki kez eklenmemesi için bekletildi.",
      en: "The request's outcome was lost and the store does not show the product yet; held so that it is not added twice.",
    },
    suggestion: {
      tr: "Her yeni çalıştırma ürünü yeniden arar. Ürünü mağaza panelinde de arayın; orada yoksa en az 15 dakika sonra bir kez daha göndermesi için: catalog resume <çalıştırma> --on-unknown resend",
      en: "Every later run looks for it again. Look in the store's panel too; if it is not there, let the run send it once more after at least 15 minutes: catalog resume <run> --on-unknown resend",
    },
  }),
  E_REFUSED_OPEN: (words: string): IssueText => ({
    message: {
      tr: `Pazaryeri ekleme isteğini geri çevirdi (${words}), ama ürünü yine de eklemiş olabilir: mağaza yeni ürünleri geç gösteriyor ya da gösterdiği henüz görülmedi. İki kez eklenmemesi için bekletildi.`,
      en: `The marketplace refused to add it (${words}) and may have added it all the same: the store shows new products late, or has not been seen to show them. Held so that it is not added twice.`,
    },
    suggestion: {
      tr: "Her yeni çalıştırma ürünü yeniden arar ve eklenmediği kesinleşince gönderir: catalog resume <çalıştırma>. Beklemek istemiyorsanız ürünü mağaza panelinde arayın; orada yoksa: catalog release <çalıştırma> --resend (terminalde ürün kodunu sorar); terminal yoksa --resend-blind ile",
      en: "Every later run looks for it again and sends it once it is certain that it was not added: catalog resume <run>. To wait no longer, look in the store's panel; if it is not there: catalog release <run> --resend, which asks for its code on a terminal; without a terminal --resend-blind",
    },
  }),
  E_REFUSED_BEFORE: (runId: string): IssueText => ({
    message: {
      tr: `Bu ürün kodunu ekleme isteği ${runId} çalıştırmasında kabul edilmedi, ama ürün yine de eklenmiş olabilir: mağaza yeni ürünleri geç gösteriyor ya da gösterdiği henüz görülmedi. İki kez eklenmemesi için bekletildi.`,
      en: `A request to add this product code in run ${runId} was not accepted, and the product may have been added all the same: the store shows new products late, or has not been seen to show them. Held so that it is not added twice.`,
    },
    suggestion: {
      tr: "Dosyayı daha sonra yeniden yükleyin: mağaza eklenen başka bir ürünü gösterdiği hâlde bunu göstermiyorsa satır kendiliğinden gönderilir. Beklemek istemiyorsanız ürünü mağaza panelinde arayın; orada yoksa: catalog release <çalıştırma> --resend (terminalde ürün kodunu sorar); terminal yoksa --resend-blind ile",
      en: "Import the file again later: once the store has shown another product that was added, and still not this one, the row goes by itself. To wait no longer, look in the store's panel; if it is not there: catalog release <run> --resend, which asks for its code on a terminal; without a terminal --resend-blind",
    },
  }),
  E_REFUSED_OFTEN: (words: string): IssueText => ({
    message: {
      tr: `Diğer satırlar gönderilirken pazaryeri bu satırı her denemede geri çevirdi (${words}); bekletildi.`,
      en: `The marketplace refused this row at every try while others went through (${words}); it is held.`,
    },
    suggestion: {
      tr: "Daha sonra yeniden gönderin: catalog release <çalıştırma> --resend",
      en: "Send it again later: catalog release <run> --resend",
    },
  }),
  E_FOUND_TWICE: (ids: string): IssueText => ({
    message: {
      tr: `Sonucu belirsiz isteğin ardından mağazada bu koda sahip birden çok ürün bulundu: ${ids}.`,
      en: `After a lost answer the store shows several products with this code: ${ids}.`,
    },
    suggestion: {
      tr: "Ürünleri mağaza panelinde karşılaştırın ve fazlasını oradan kaldırın.",
      en: "Compare the products in the store's panel, and remove the surplus one there.",
    },
  }),
  E_FOUND_DIFFERENT: (ids: string): IssueText => ({
    message: {
      tr: `Sonucu belirsiz isteğin ardından mağazada bu koda sahip, başlığı ya da fiyatı farklı bir ürün bulundu: ${ids}.`,
      en: `After a lost answer the store shows a product with this code but another title or price: ${ids}.`,
    },
    suggestion: {
      tr: "Ürünü mağaza panelinde açın. Bu satırın ürünüyse dosyayı yeniden yükleyin; satır güncelleme olarak planlanır.",
      en: "Open the product in the store's panel. If it is this row's product, import the file again; the row will be planned as an update.",
    },
  }),
  E_FOUND_SIMILAR: (ids: string): IssueText => ({
    message: {
      tr: `Sonucu belirsiz isteğin ardından mağazada yalnızca kodu buna çok benzeyen ürün bulundu: ${ids}.`,
      en: `After a lost answer the store shows only a product whose code is nearly the same: ${ids}.`,
    },
    suggestion: {
      tr: "Ürünü mağaza panelinde açıp bu satırın ürünü olup olmadığına bakın.",
      en: "Open the product in the store's panel and see whether it is this row's product.",
    },
  }),
  W_EXISTS: (id: string): IssueText => ({
    message: {
      tr: `Ürün mağazada zaten var (${id}); bu çalıştırma yalnızca ekleme yapıyor.`,
      en: `The store already has the product (${id}), and this run only adds.`,
    },
  }),
  W_FIELD_REFUSED: (fields: string): IssueText => ({
    message: {
      tr: `Pazaryeri güncellemede şu alanları uygulamadı ya da reddetti; gönderilmedi: ${fields}.`,
      en: `The marketplace has not applied these fields in updates before, or has refused them; they were not sent: ${fields}.`,
    },
    suggestion: {
      tr: "Bu değerleri panelden değiştirin; yeniden denemek için --try-refused verin.",
      en: "Change these values in the store's panel; give --try-refused to try again.",
    },
  }),
  W_NOT_COMPARABLE: (fields: string): IssueText => ({
    message: {
      tr: `Mağaza listesi şu alanları göstermediği için karşılaştırılamadı ve gönderilmedi: ${fields}.`,
      en: `The store's listing does not show these fields, so they were not compared and not sent: ${fields}.`,
    },
  }),
} as const;

export type IssueCode =
  | keyof typeof ROW_TEXTS
  | keyof typeof UNDO_TEXTS
  | keyof typeof ACTION_TEXTS;

const ISSUE_TEXTS: Readonly<Record<IssueCode, (detail: string) => IssueText>> = {
  ...ROW_TEXTS,
  ...UNDO_TEXTS,
  ...ACTION_TEXTS,
};

/**
 * The last text of each code: the same one often stands at every row of a file, and is made, kept and
 * stored once.
 */
const LAST_TEXTS = new Map<IssueCode, Localized & { readonly text: IssueText }>();

/** Creates an issue at `location`; `detail` is inserted into its text. */
export function toIssue(
  code: IssueCode,
  location: IssueLocation,
  detail: string | Localized = "",
): RowIssue {
  const { tr, en } = typeof detail === "string" ? { tr: detail, en: detail } : detail;
  const last = LAST_TEXTS.get(code);
  const text = last?.tr === tr && last.en === en ? last.text : fillIn(code, { tr, en });
  if (text !== last?.text) LAST_TEXTS.set(code, { tr, en, text });
  return { code, ...location, message: text.message, suggestion: text.suggestion };
}

function fillIn(code: IssueCode, { tr, en }: Localized): IssueText {
  const { message, suggestion }: IssueText = ISSUE_TEXTS[code](tr);
  // A suggestion names no detail that differs by language.
  const english = tr === en ? message.en : ISSUE_TEXTS[code](en).message.en;
  const texts = { message: { tr: message.tr, en: english } };
  return suggestion === undefined ? texts : { ...texts, suggestion };
}

/** Text of a product id whose product has the row's code with its leading zeros. */
export const toLostZerosText = (code: string, shown: string): Required<IssueText> => ({
  message: {
    tr: `Ürün ID, mağazada kodu “${shown}” olan ürünün; bu satırda kod “${code}”. Excel baştaki sıfırları silmiş olabilir.`,
    en: `The product id is that of the product with the code “${shown}” in the store; the code of this row is “${code}”. Excel may have removed leading zeros.`,
  },
  suggestion: {
    tr: `Aynı ürünse hücrenin biçimini Metin yapıp kodu “${shown}” olarak yazın. Ayrı ürünse Ürün ID hücresini düzeltin ya da silin.`,
    en: `If it is this product, format the cell as text and write the code as “${shown}”. If it is another one, correct or delete the product id.`,
  },
});

/** What is said in place of the values of a product that the store does not show any more. */
export const GONE: Localized = {
  tr: "ürün artık mağazanın hiçbir listesinde yok",
  en: "no listing of the store shows the product any more",
};

/** Issue of a row whose product has been changed since the row was made of it. */
export function toOvertakenIssue(location: IssueLocation, differences: Localized): RowIssue {
  const { tr, en } = differences;
  return {
    ...toIssue("E_CHANGED", location),
    message: {
      tr: `Bu satır açıldıktan sonra ürün mağazada değişti; üzerine yazılmadı. ${tr}.`,
      en: `The product has changed in the store since this row was opened and was not overwritten. ${en}.`,
    },
    suggestion: {
      tr: "Sizin değeriniz doğruysa satırı onaylayın, mağazadaki değer kalacaksa onaylamayın: held.xlsx içinde Onay hücresine Evet ya da Hayır yazıp kaydedin, sonra: catalog release <çalıştırma> --approved held.xlsx",
      en: "Approve the row if your value is right, and not if the store's value is to stay: write Yes or No in its Approve cell in held.xlsx, save it, and then: catalog release <run> --approved held.xlsx",
    },
  };
}

/** Says whether an issue keeps its row from being sent. */
export function isBlocking(issue: Pick<RowIssue, "code">): boolean {
  return issue.code.startsWith("E_");
}

/** Code of the issue that says which rule of the shop has made a value. */
export const RULE_CODE = "W_PRICE_RULE";

/** Says whether an issue only tells how a value came about, so that nothing is wrong with its cell. */
export const isNote = ({ code }: Pick<RowIssue, "code">): boolean => code === RULE_CODE;

/** What a person reads first of a row. */
interface RowReason {
  /** What blocks or holds the row, or else is wrong with it; a note only where there is nothing else. */
  readonly reason: RowIssue | undefined;
  /** Which rule has made the value that the reason is about. */
  readonly rule: RowIssue | undefined;
}

/** Picks the reason for what became of a row, with the rule behind it. */
export function pickReason(issues: readonly RowIssue[]): RowReason {
  const notes = issues.filter(isNote);
  const reason = issues.find(isBlocking) ?? issues.find((issue) => !isNote(issue)) ?? notes.shift();
  return { reason, rule: notes.find(({ column }) => column === reason?.column) };
}

/** Text for an answer that gives no reason. */
const NO_REASON: Localized = { tr: "neden belirtilmedi", en: "it gave no reason" };

/** Returns the answer's own text; `note` is the reason that was read from it. */
export function answerText(answer: Answer, note: string | undefined): Localized {
  const words = answer.kind === "answered" ? undefined : answer.words;
  if (words !== undefined) return words;
  return note === undefined ? NO_REASON : { tr: note, en: note };
}

/** Reads a text that was stored with an event. */
export function readAnswerText(stored: unknown): Localized | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const [tr, en] = ["tr", "en"].map((lang) => Object.entries(stored).find(([key]) => key === lang));
  const [turkish, english] = [tr?.[1], en?.[1]];
  return typeof turkish === "string" && typeof english === "string"
    ? { tr: turkish, en: english }
    : undefined;
}
