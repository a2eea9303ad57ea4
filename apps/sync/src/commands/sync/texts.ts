/** Texts of the sync in both languages. */

import { fieldLabel } from "@catalog/connection";
import { type Lang, formatNumber, quoteWord } from "@catalog/i18n";
import type { SyncResult } from "@catalog/importer";
import type { Counts, RunRecord } from "@catalog/runs";

type UnsendableFields = NonNullable<NonNullable<RunRecord["facts"]>["unsendable"]>;

/** Counts in the result line of a sync. */
export interface ReportedCounts extends Counts {
  readonly unsendable: UnsendableFields;
  readonly unknownCodes: number;
  /** Held rows whose stock was sent. */
  readonly stockSent: number;
  readonly absent: SyncResult["absent"];
}

interface HeldHint {
  /** Guards that hold rows; empty where something else does. */
  readonly guards: readonly string[];
  /** The file of held rows; `null` where it could not be written. */
  readonly file: string | null;
}

/** A sync that is only planned. */
type UnsentPlan = "dry-run" | "shadow";

export interface Texts {
  /** Shown while another attempt to download the feed is waited for. */
  readonly retryingDownload: (attempts: number, waitSeconds: number) => string;
  readonly readingStore: (products: number) => string;
  readonly planned: (updates: number) => string;
  readonly sent: (done: number, total: number) => string;
  /** `plan` is set where nothing was sent; rows to be sent count as pending then. */
  readonly result: (counts: ReportedCounts, plan?: UnsentPlan) => string;
  readonly planFile: (path: string) => string;
  readonly dryRun: (run: string) => string;
  /** The same for a sync in shadow; `schedule` is not known where a sync without one is in shadow. */
  readonly shadow: (run: string, schedule: string | undefined) => string;
  readonly runOf: (run: string) => string;
  readonly calls: (read: number, write: number) => string;
  readonly reconciled: (products: number) => string;
  readonly problem: (row: string, code: string, message: string) => string;
  readonly moreProblems: (count: number, run: string) => string;
  readonly heldHint: (run: string, held: HeldHint) => string;
  readonly heldFile: (path: string) => string;
  readonly filesUnwritten: (cause: string) => string;
  readonly unknownHint: string;
  /** The store was not read now, but at this time. */
  readonly readBefore: (time: string) => string;
  readonly released: (rows: number) => string;
  readonly added: (products: number, run: string) => string;
  readonly addsBusy: string;
  readonly drafted: (products: number, draft: string) => string;
  readonly files: (folder: string) => string;
  readonly stopped: (reason: string) => string;
  readonly next: (times: readonly string[], zone: string) => string;
  readonly due: (time: string) => string;
  readonly late: (time: string) => string;
  readonly waiting: (time: string) => string;
  /** Another process works on the store; the same time is tried again at `time`. */
  readonly busy: (time: string) => string;
  readonly ended: string;
  readonly status: (url: string) => string;
  readonly notifyFailed: string;
  readonly fileRefused: (cause: string) => string;
  readonly unreachable: (message: string) => string;
}

const tr = (value: number): string => formatNumber(value, "tr");
const en = (value: number): string => formatNumber(value, "en");
const plural = (count: number, word: string): string =>
  `${en(count)} ${word}${count === 1 ? "" : "s"}`;

const join = (parts: readonly (readonly [count: number, text: string])[]): string =>
  parts
    .filter(([count], index) => count > 0 || index < 2)
    .map(([, text]) => text)
    .join(", ");

const inBrackets = (count: number | undefined, write: (count: number) => string): string =>
  count === undefined || count === 0 ? "" : ` (${write(count)})`;

const fieldList = ({ fields }: UnsendableFields, lang: Lang): string =>
  [...new Set(fields.map((field) => fieldLabel(field, lang)))].join(", ");

const PLAN_NAMES: Readonly<Record<Lang, Readonly<Record<UnsentPlan, string>>>> = {
  tr: { "dry-run": "Deneme. ", shadow: "Gölge. " },
  en: { "dry-run": "Dry run. ", shadow: "Shadow. " },
};

/** Words of the counts of a sync that has ended, and of one that is only planned. */
const RESULT_WORDS = {
  tr: {
    done: {
      updated: "güncellendi",
      emptied: "stoğu 0 oldu",
      unchanged: "değişmedi",
      unsendable: "gönderilemedi",
      partly: "eksik gönderildi",
      held: "bekletildi",
      stock: "gönderildi",
    },
    planned: {
      updated: "güncellenecek",
      emptied: "stoğu 0 olacak",
      unchanged: "değişmeyecek",
      unsendable: "gönderilemeyecek",
      partly: "eksik gönderilecek",
      held: "bekletilecek",
      stock: "gönderilecek",
    },
  },
  en: {
    done: {
      updated: "updated",
      emptied: "their stock is 0 now",
      unchanged: "unchanged",
      unsendable: "could not be sent",
      partly: "sent in part",
      held: "held",
      stock: "was sent",
    },
    planned: {
      updated: "would be updated",
      emptied: "their stock would be 0",
      unchanged: "unchanged",
      unsendable: "could not be sent",
      partly: "would be sent in part",
      held: "would be held",
      stock: "would be sent",
    },
  },
} as const;

const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: {
    retryingDownload: (attempts, waitSeconds) =>
      `Besleme indirilemedi (${tr(attempts)}. deneme); ${tr(waitSeconds)} sn sonra yeniden denenecek`,
    readingStore: (products) => `Mağaza okunuyor: ${tr(products)} ürün`,
    planned: (updates) => `Gönderilecek değişiklik: ${tr(updates)}`,
    sent: (done, total) => `Gönderiliyor: ${tr(done)}/${tr(total)}`,
    result: (counts, plan) => {
      const { rows, unchanged, unknownCodes: unknown, unsendable, absent } = counts;
      const words = RESULT_WORDS.tr[plan === undefined ? "done" : "planned"];
      const updated = plan === undefined ? counts.updated : counts.pending;
      const fields = ` (mağaza güncellemede almıyor: ${fieldList(unsendable, "tr")})`;
      return `${plan === undefined ? "" : PLAN_NAMES.tr[plan]}${tr(rows)} satır: ${join([
        [
          updated,
          `${tr(updated)} ${words.updated}${inBrackets(absent?.emptied, (n) => `${tr(n)} tanesi beslemede olmayan ürün, ${words.emptied}`)}`,
        ],
        [unchanged, `${tr(unchanged)} ${words.unchanged}`],
        [unsendable.rows, `${tr(unsendable.rows)} ${words.unsendable}${fields}`],
        [unsendable.partly, `${tr(unsendable.partly)} satır ${words.partly}${fields}`],
        [
          counts.skipped - unsendable.rows,
          `${tr(counts.skipped - unsendable.rows)} satırın kendisi ürün değil (ana satır ya da görsel)`,
        ],
        [unknown, `${tr(unknown)} kod mağazada yok`],
        [counts.invalid - unknown, `${tr(counts.invalid - unknown)} hatalı`],
        [counts.duplicate, `${tr(counts.duplicate)} tekrar`],
        [
          counts.held,
          `${tr(counts.held)} ${words.held}${inBrackets(absent?.held, (n) => `${tr(n)} tanesi beslemede olmayan ürün`)}${inBrackets(counts.stockSent, (n) => `${tr(n)} satırın stoğu ${words.stock}`)}`,
        ],
        [counts.rejected, `${tr(counts.rejected)} reddedildi`],
        [counts.unknown, `${tr(counts.unknown)} sonucu belirsiz`],
        [plan === undefined ? counts.pending : 0, `${tr(counts.pending)} gönderilmedi`],
      ])}.`;
    },
    planFile: (path) => `Değişikliklerin hepsi: ${path}`,
    dryRun: (run) =>
      `Hiçbir şey gönderilmedi; sonraki eşitleme bu deneme olmamış gibi çalışır. Satırlar: catalog runs ${run}`,
    shadow: (run, schedule) =>
      `Gölgede: hiçbir şey gönderilmedi. ${schedule === undefined ? "" : `Gün gün ne gönderilirdi: catalog schedule shadow ${schedule}; `}bu eşitleme: catalog runs ${run}`,
    runOf: (run) => `Ayrıntı: catalog runs ${run}`,
    calls: (read, write) => `İstekler: ${tr(write)} yazma, ${tr(read)} okuma.`,
    reconciled: (products) => `Mağazanın tümü okundu: ${tr(products)} ürün.`,
    problem: (row, code, message) => `  satır ${row}  ${code}  ${message}`,
    moreProblems: (count, run) => `  … ${tr(count)} satır daha: catalog runs ${run}`,
    unknownHint:
      "Bu kodların mağazada olmaması normalse --ignore-unknown-codes ekleyin: yine bildirilirler ama çıkış kodu bu yüzden 5 olmaz.",
    readBefore: (time) =>
      `Mağazanın tümü en son ${time} tarihinde okundu; sonrasında panelde değişenler “değişmedi” görünebilir (--reconcile 0 her seferinde okur).`,
    heldHint: (run, { guards, file }) =>
      [
        "Bekletilen değerler doğruysa onaylayın; sıradaki eşitleme gönderir:",
        `  catalog release ${run}`,
        ...(file === null
          ? []
          : [
              "Ya da bekleyen satırların dosyasında Onay sütununa Evet ya da Hayır yazıp kaydedin, sonra:",
              `  catalog release ${run} --approved ${quoteWord(file)}`,
            ]),
        guards.length === 0
          ? "Yanlışsa beslemeyi düzeltin."
          : `Hepsi doğruysa eşitlemeyi bir kez --allow ${guards.join(",")} ile çalıştırın; yanlışsa beslemeyi düzeltin.`,
      ].join("\n"),
    heldFile: (path) => `Bekleyen satırlar: ${path}`,
    filesUnwritten: (cause) =>
      `Sonuç dosyaları yazılamadı: ${cause}. Eşitleme bundan etkilenmedi. Yazılabilen bir klasörü --report ile verin.`,
    added: (products, run) => `Sorusu kalmayan yeni ürünlerden eklenen: ${tr(products)} (${run}).`,
    addsBusy: "Mağazada başka bir çalıştırma sürüyor; yeni ürünler sıradaki eşitlemede eklenecek.",
    drafted: (products, draft) =>
      `Mağazada olmayan ${tr(products)} ürün taslakta bekliyor: sayfada açın (catalog web) ya da soruları bitince gönderin: catalog import draft:${draft}`,
    released: (rows) => `Onayınızla gönderime alınan bekletilmiş satır: ${tr(rows)}.`,
    files: (folder) => `Sonuç dosyaları: ${folder}`,
    stopped: (reason) =>
      `Sona ermeden durdu${reason === "" ? "" : `: ${reason.replace(/\.$/u, "")}`}. Aynı komut kaldığı yerden sürer.`,
    next: (times, zone) => `Sıradaki eşitlemeler (${zone}): ${times.join(", ")}`,
    due: (time) => `${time} eşitlemesi`,
    late: (time) => `${time} eşitlemesi (kaçırılmıştı, şimdi yapılıyor)`,
    waiting: (time) => `Bekleniyor; sıradaki: ${time}`,
    busy: (time) => `Mağaza meşgul; bu eşitleme ${time} civarında yeniden denenecek.`,
    ended: "Eşitleme durduruldu.",
    status: (url) => `Durum: ${url}`,
    notifyFailed:
      "Bildirim gönderilemedi; eşitleme bundan etkilenmedi. --notify adresini kontrol edin.",
    fileRefused: (cause) =>
      `Bir dosya ya da klasör kullanılamıyor: ${cause}. İzinlerini ve yolunu düzeltin; sıradaki eşitleme yeniden dener.`,
    unreachable: (message) =>
      `Pazaryeri ya da oturum sorunu: ${message} Sıradaki eşitlemede yeniden denenecek.`,
  },
  en: {
    retryingDownload: (attempts, waitSeconds) =>
      `The feed could not be downloaded (attempt ${en(attempts)}); trying again in ${en(waitSeconds)} s`,
    readingStore: (products) => `Reading the store: ${en(products)} products`,
    planned: (updates) => `Changes to send: ${en(updates)}`,
    sent: (done, total) => `Sending: ${en(done)}/${en(total)}`,
    result: (counts, plan) => {
      const { rows, unchanged, unknownCodes: unknown, unsendable, absent } = counts;
      const words = RESULT_WORDS.en[plan === undefined ? "done" : "planned"];
      const updated = plan === undefined ? counts.updated : counts.pending;
      const fields = ` (the store does not take updates of: ${fieldList(unsendable, "en")})`;
      return `${plan === undefined ? "" : PLAN_NAMES.en[plan]}${plural(rows, "row")}: ${join([
        [
          updated,
          `${en(updated)} ${words.updated}${inBrackets(absent?.emptied, (n) => `${en(n)} absent from the feed, ${words.emptied}`)}`,
        ],
        [unchanged, `${en(unchanged)} ${words.unchanged}`],
        [unsendable.rows, `${en(unsendable.rows)} ${words.unsendable}${fields}`],
        [unsendable.partly, `${en(unsendable.partly)} ${words.partly}${fields}`],
        [
          counts.skipped - unsendable.rows,
          `${en(counts.skipped - unsendable.rows)} no products themselves (parent rows or images)`,
        ],
        [unknown, `${en(unknown)} not in the store`],
        [counts.invalid - unknown, `${en(counts.invalid - unknown)} invalid`],
        [counts.duplicate, `${en(counts.duplicate)} duplicate`],
        [
          counts.held,
          `${en(counts.held)} ${words.held}${inBrackets(absent?.held, (n) => `${en(n)} absent from the feed`)}${inBrackets(counts.stockSent, (n) => `the stock of ${en(n)} ${words.stock}`)}`,
        ],
        [counts.rejected, `${en(counts.rejected)} rejected`],
        [counts.unknown, `${en(counts.unknown)} of unknown outcome`],
        [plan === undefined ? counts.pending : 0, `${en(counts.pending)} not sent`],
      ])}.`;
    },
    planFile: (path) => `All changes: ${path}`,
    dryRun: (run) =>
      `Nothing was sent, and the next sync goes as if this one had not been. Its rows: catalog runs ${run}`,
    shadow: (run, schedule) =>
      `In shadow: nothing was sent. ${schedule === undefined ? "" : `What would have been, day by day: catalog schedule shadow ${schedule}; `}this sync: catalog runs ${run}`,
    runOf: (run) => `Details: catalog runs ${run}`,
    calls: (read, write) => `Calls: ${plural(write, "write")}, ${plural(read, "read")}.`,
    reconciled: (products) => `The whole store was read: ${en(products)} products.`,
    problem: (row, code, message) => `  row ${row}  ${code}  ${message}`,
    moreProblems: (count, run) => `  … ${plural(count, "more row")}: catalog runs ${run}`,
    unknownHint:
      "If the store is not supposed to have these codes, add --ignore-unknown-codes: they are still reported, but no longer set the exit code to 5.",
    readBefore: (time) =>
      `The whole store was last read on ${time}; what was changed in the panel since may count as unchanged (--reconcile 0 reads it every time).`,
    heldHint: (run, { guards, file }) =>
      [
        "Where held values are right, release them, and the next sync sends them:",
        `  catalog release ${run}`,
        ...(file === null
          ? []
          : [
              "Or write Yes or No in the Approve column of the file of held rows, save it, and then:",
              `  catalog release ${run} --approved ${quoteWord(file)}`,
            ]),
        guards.length === 0
          ? "If they are wrong, correct the feed."
          : `If all are right, run the sync once with --allow ${guards.join(",")}; else correct the feed.`,
      ].join("\n"),
    heldFile: (path) => `Held rows: ${path}`,
    filesUnwritten: (cause) =>
      `The result files could not be written: ${cause}. The sync itself was not affected. Name a folder that can be written with --report.`,
    added: (products, run) =>
      `New products without open questions that were added: ${en(products)} (${run}).`,
    addsBusy: "Another run works on the store; new products are added by the next sync.",
    drafted: (products, draft) =>
      `New products that wait in a draft: ${en(products)}. Open it on the page (catalog web), or send it once its questions are answered: catalog import draft:${draft}`,
    released: (rows) => `Held rows that are sent with your approval: ${en(rows)}.`,
    files: (folder) => `Result files: ${folder}`,
    stopped: (reason) =>
      `Stopped before the end${reason === "" ? "" : `: ${reason.replace(/\.$/u, "")}`}. The same command goes on from there.`,
    next: (times, zone) => `Next syncs (${zone}): ${times.join(", ")}`,
    due: (time) => `Sync of ${time}`,
    late: (time) => `Sync of ${time} (it was missed and is made up for)`,
    waiting: (time) => `Waiting; next: ${time}`,
    busy: (time) => `The store is busy; this sync is tried again at about ${time}.`,
    ended: "The sync was stopped.",
    status: (url) => `Status: ${url}`,
    notifyFailed:
      "The notification could not be sent; the sync itself was not affected. Check --notify.",
    fileRefused: (cause) =>
      `A file or folder cannot be used: ${cause}. Correct its permissions or its path; the next sync tries again.`,
    unreachable: (message) =>
      `Trouble with the marketplace or the login: ${message} The next sync tries again.`,
  },
};

export const textsFor = (lang: Lang): Texts => TEXTS[lang];
