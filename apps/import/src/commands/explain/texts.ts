/** Texts for the evidence of a row: the meaning of each cause, and the next step. */

import type { Localized } from "@catalog/i18n";
import {
  isUnsendable,
  type NamedCause,
  type RowRecord,
  type RowState,
  type RunRecord,
} from "@catalog/runs";

type RunState = RunRecord["state"];

type DescribedState = RowState | "unsendable";

const toDescribedState = (record: Pick<RowRecord, "state" | "issues">): DescribedState =>
  isUnsendable(record) ? "unsendable" : record.state;

/** Names of a row's states for people. */
export const STATE_TEXTS: Readonly<Record<DescribedState, Localized>> = {
  parsed: { tr: "okundu", en: "read" },
  invalid: { tr: "hatalı", en: "invalid" },
  duplicate: { tr: "tekrar", en: "duplicate" },
  skipped: { tr: "atlandı", en: "skipped" },
  unsendable: {
    tr: "gönderilemedi: mağaza bu alanın güncellemesini almıyor",
    en: "cannot be sent: the store does not take updates of this field",
  },
  unchanged: { tr: "değişmedi", en: "unchanged" },
  held: { tr: "karar bekliyor", en: "waits for a decision" },
  ready: { tr: "gönderilecek", en: "to be sent" },
  sending: { tr: "gönderiliyor", en: "being sent" },
  ambiguous: { tr: "sonucu belirsiz", en: "outcome unknown" },
  done: { tr: "tamamlandı", en: "done" },
  rejected: { tr: "reddedildi", en: "rejected" },
  cancelled: { tr: "vazgeçildi", en: "given up" },
};

const CAUSE_WORDS: Readonly<Record<NamedCause, Localized>> = {
  plan: { tr: "Satır okundu ve planlandı", en: "The row was read and planned" },
  begin: { tr: "İstek yazıldı ve gönderildi", en: "The request was written down and sent" },
  answer: { tr: "Pazaryeri kabul etti", en: "The marketplace accepted it" },
  "answer-status-false": { tr: "Pazaryeri kabul etmedi", en: "The marketplace refused it" },
  "answer-without-id": { tr: "Yanıtta ürün kimliği yoktu", en: "The answer had no product id" },
  unsent: { tr: "İstek bu makineden çıkmadı", en: "The request never left this machine" },
  lost: { tr: "Güvenilir bir yanıt gelmedi", en: "No trustworthy answer came" },
  "status-401": { tr: "Oturum kabul edilmedi", en: "The login was refused" },
  "status-403": { tr: "Mağaza izin vermedi", en: "The store gave no permission" },
  "status-429": { tr: "Çok fazla istek denildi", en: "There were too many calls" },
  recovery: {
    tr: "İşlem gönderirken kesilmişti; sonuç bilinmiyor",
    en: "The process died while sending; the outcome is unknown",
  },
  "recovery-unsent": {
    tr: "İşlem kesilmişti; istek çıkmadan önce olduğu kesin",
    en: "The process died, provably before the request left",
  },
  look: { tr: "Mağazada arandı; bulunamadı", en: "Looked for in the store; not found" },
  lookup: { tr: "Mağazada arandı; bulundu", en: "Looked for in the store; found" },
  "late-answer": {
    tr: "Yanıt, gönderim başka bir bilgisayara geçtikten sonra geldi; kabul edilmiş",
    en: "Its answer came after another machine had taken over; it was accepted",
  },
  "lookup-several": {
    tr: "Mağazada bu kodla birden çok ürün bulundu",
    en: "The store shows several with this code",
  },
  "lookup-different": {
    tr: "Mağazada bu kodla başka içerikte bir ürün bulundu",
    en: "The store shows the code with other contents",
  },
  "lookup-similar": {
    tr: "Mağazada yalnızca benzer bir kod bulundu",
    en: "The store shows only a similar code",
  },
  "not-found": { tr: "Bulunamadı; karar bekliyor", en: "Not found; waits for a decision" },
  "not-found-resend": {
    tr: "Bulunamadı; bir kez daha gönderilecek",
    en: "Not found; will be sent once more",
  },
  "refused-and-absent": {
    tr: "Reddedildiği ve mağazada olmadığı görüldü",
    en: "Refused, and seen to be absent",
  },
  "read-back": { tr: "Geri okundu; uygulanmış", en: "Read back; it was applied" },
  "read-back-differs": { tr: "Geri okundu; uygulanmamış", en: "Read back; it was not applied" },
  "read-back-missing": {
    tr: "Geri okunamadı; ürün görünmüyor",
    en: "Could not be read back; it is not shown",
  },
  appeared: {
    tr: "Ürün plandan sonra mağazada ortaya çıktı",
    en: "The product appeared after the plan",
  },
  changed: { tr: "Ürün plandan sonra değişti", en: "The product changed after the plan" },
  "code-taken": { tr: "Kod başka bir çalıştırmada eklendi", en: "Another run has added the code" },
  "address-joined": {
    tr: "Aynı ürünün iki güncellemesi, adresin iki ayrı yazılışıyla yarım kalmıştı",
    en: "Two updates of the product were under way at two spellings of the address",
  },
  "released-as-done": { tr: "Bir kişi tamamlandı saydı", en: "A person counted it as done" },
  "released-resend": { tr: "Bir kişi gönderilmesini istedi", en: "A person asked to send it" },
  "released-approve": {
    tr: "Bir kişi held.xlsx içinde onayladı",
    en: "A person approved it in held.xlsx",
  },
  "sent-by-sync": {
    tr: "Bırakılan değeri sonraki bir eşitleme gönderdi",
    en: "A later sync sent the released value",
  },
  superseded: { tr: "Daha yeni bir besleme geçerli", en: "A newer feed says what holds" },
  "superseded-hold": {
    tr: "Beslemenin daha yeni bir eşitlemesi var; kararı o bekliyor",
    en: "There is a newer sync of the feed, which waits for the decision now",
  },
  "released-cancel": { tr: "Bir kişi vazgeçti", en: "A person gave it up" },
  alike: {
    tr: "Mağazada benzer görünen bir kod var",
    en: "The store has a code that looks the same",
  },
  guard: { tr: "Bir koruma durdurdu", en: "A guard stopped it" },
  "set-aside": { tr: "Bir kişi planda işaretini kaldırdı", en: "A person unticked it in the plan" },
  "refused-often": {
    tr: "Pazaryeri bu satırı tekrar tekrar geri çevirdi",
    en: "The marketplace refused this row again and again",
  },
  unseen: {
    tr: "Başka bir kopya göndermiş olabilir; mağaza göstermiyor",
    en: "Another copy may have sent it; the store does not show it",
  },
  "price-unit": {
    tr: "Mağazadaki fiyatların birimi öğrenildi",
    en: "The unit of the store's prices became known",
  },
  "stock-first": {
    tr: "Stok fiyatı beklemeden gönderilecek",
    en: "The stock is sent without waiting for the price",
  },
  "stock-sent": {
    tr: "Stok gönderildi; satırın kalanı bekliyor",
    en: "The stock was sent; the rest of the row waits",
  },
};

const WORDS_OF_STORED: ReadonlyMap<string, Localized> = new Map(Object.entries(CAUSE_WORDS));

const UNTRUSTED = "untrusted-";

/** The meaning of a stored cause. A cause that this version does not know is shown unchanged. */
export function describeCause(cause: string): Localized {
  const known = WORDS_OF_STORED.get(cause);
  if (known !== undefined) return known;
  if (cause.startsWith(UNTRUSTED)) {
    const { tr, en } = describeCause(cause.slice(UNTRUSTED.length));
    return { tr: `${tr}; doğruluğu aranacak`, en: `${en}; to be verified by a look` };
  }
  const status = /^status-(\d+)$/u.exec(cause)?.[1];
  if (status === undefined) return { tr: cause, en: cause };
  return { tr: `Pazaryeri ${status} yanıtı verdi`, en: `The marketplace answered ${status}` };
}

type Advice = (run: string, row: number, state: RunState) => Localized;

const RESUME: Advice = (run) => ({
  tr: `Sürdürün: catalog resume ${run}`,
  en: `Go on with the run: catalog resume ${run}`,
});
/** Sends the row, in a run of this state. */
const SEND: Advice = (run, row, state) =>
  state === "planned"
    ? { tr: `Planı uygulayın: catalog apply ${run}`, en: `Apply the plan: catalog apply ${run}` }
    : RESUME(run, row, state);
const CORRECT: Advice = () => ({
  tr: "Satırı düzeltip dosyayı (ya da failed.xlsx dosyasını) yeniden yükleyin.",
  en: "Correct the row, then import the file (or failed.xlsx) again.",
});
const NOTHING: Advice = () => ({ tr: "Yapılacak bir şey yok.", en: "There is nothing to do." });

const ADVICE: Readonly<Record<DescribedState, Advice>> = {
  parsed: () => ({
    tr: "Plan yarım kalmış; dosyayı yeniden yükleyin.",
    en: "The plan was cut off; import the file again.",
  }),
  invalid: CORRECT,
  duplicate: CORRECT,
  skipped: NOTHING,
  unsendable: () => ({
    tr: "Değeri mağaza panelinden değiştirin; yeniden denemek için dosyayı --try-refused ile yükleyin.",
    en: "Change the value in the store's panel; to try again, import the file with --try-refused.",
  }),
  unchanged: NOTHING,
  done: NOTHING,
  cancelled: NOTHING,
  held: (run, row) => ({
    tr: `Karar verin: catalog release ${run} --rows ${row}`,
    en: `Decide: catalog release ${run} --rows ${row}`,
  }),
  ready: SEND,
  sending: RESUME,
  ambiguous: RESUME,
  rejected: (run) => ({
    tr: `Satırı düzeltip yeniden yükleyin ya da olduğu gibi deneyin: catalog retry ${run}`,
    en: `Correct the row and import it again, or try it as it is: catalog retry ${run}`,
  }),
};

/** The name of a row's state for people. */
export function describeState(record: Pick<RowRecord, "state" | "issues">): Localized {
  return STATE_TEXTS[toDescribedState(record)];
}

const CORRECT_FEED: Localized = {
  tr: "Satırı beslemede düzeltin; sıradaki eşitleme yeniden okur.",
  en: "Correct the row in the feed; the next sync reads it again.",
};
const TRY_SYNC: Localized = {
  tr: "Değeri mağaza panelinden değiştirin; yeniden denemek için eşitlemeyi --try-refused ile çalıştırın.",
  en: "Change the value in the store's panel; to try again, run the sync with --try-refused.",
};
/** The run of a sync is not continued: the next one sends what still differs. */
const SYNC_AGAIN: Localized = {
  tr: "Yeniden eşitleyin: sıradaki eşitleme bu satıra bakar.",
  en: "Run the sync again; it looks at this row.",
};

/** Advice that is another one for a row of a sync. */
const FEED_ADVICE: Readonly<Partial<Record<DescribedState, Localized>>> = {
  parsed: SYNC_AGAIN,
  ready: SYNC_AGAIN,
  sending: SYNC_AGAIN,
  ambiguous: SYNC_AGAIN,
  invalid: CORRECT_FEED,
  duplicate: CORRECT_FEED,
  rejected: CORRECT_FEED,
  unsendable: TRY_SYNC,
};

/** Advice for a row in its state. */
export function adviseOn(
  record: Pick<RowRecord, "state" | "issues" | "row">,
  { id, kind, state }: Pick<RunRecord, "id" | "kind" | "state">,
): Localized {
  const described = toDescribedState(record);
  const forFeed = kind === "sync" ? FEED_ADVICE[described] : undefined;
  return forFeed ?? ADVICE[described](id, record.row, state);
}

/** Headings and names of evidence. */
export const EXPLAIN_TEXTS = {
  tr: {
    row: "Satır",
    run: "Çalıştırma",
    state: "Durum",
    undo: "Geri alma",
    undone: (time: string, run: string) => `${time} tarihinde geri alındı (${run})`,
    product: "Ürün ID",
    cells: "Okunan hücreler",
    plan: "Plan",
    actions: {
      add: "ürün eklenecek",
      update: "ürün güncellenecek",
      reply: "soru yanıtlanacak",
      accept: "paket onaylanacak",
      postpone: "paket ertelenecek",
      "accept-return": "paketin iadesi onaylanacak",
      "reject-return": "paketin iadesi reddedilecek",
      "shipping-code": "kargo kodu alınacak",
      "create-template": "teslimat şablonu oluşturulacak",
      "update-template": "teslimat şablonu güncellenecek",
    },
    nothing: "gönderilecek bir şey yok",
    events: "Olanlar",
    problems: "Sorunlar",
    next: "Şimdi",
    phases: {
      none: "gönderilmeye başlanmadı",
      started: "gönderilmeye başlandı",
      headers: "pazaryeri yanıtlamaya başladı",
      body: "yanıtın tamamı geldi",
    },
    evidence: {
      phase: "istek nereye kadar gitti",
      status: "yanıtın kodu",
      contentType: "yanıtın türü",
      excerpt: "yanıtın başı",
      found: "bulunanlar",
      by: "karar veren",
      reason: "neden",
      words: "pazaryerinin sözü",
      differences: "farklar",
      serverMs: "pazaryeri saati",
      productId: "ürün ID",
    },
  },
  en: {
    row: "Row",
    run: "Run",
    state: "State",
    undo: "Undone",
    undone: (time: string, run: string) => `on ${time} (${run})`,
    product: "Product ID",
    cells: "Cells read",
    plan: "Plan",
    actions: {
      add: "add the product",
      update: "update the product",
      reply: "answer the question",
      accept: "accept the order",
      postpone: "postpone the order",
      "accept-return": "accept the return",
      "reject-return": "reject the return",
      "shipping-code": "make a shipping code",
      "create-template": "create the shipping template",
      "update-template": "update the shipping template",
    },
    nothing: "nothing to send",
    events: "What happened",
    problems: "Problems",
    next: "Next",
    phases: {
      none: "it had not begun to leave",
      started: "it had begun to leave",
      headers: "the marketplace had begun to answer",
      body: "the whole answer came",
    },
    evidence: {
      phase: "how far the request got",
      status: "status",
      contentType: "content type",
      excerpt: "start of the answer",
      found: "found",
      by: "decided by",
      reason: "reason",
      words: "marketplace's words",
      differences: "differences",
      serverMs: "marketplace's time",
      productId: "product id",
    },
  },
} as const;
