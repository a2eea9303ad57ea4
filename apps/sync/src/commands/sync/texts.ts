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

export interface Texts {
  /** Shown while another attempt to download the feed is waited for. */
  readonly retryingDownload: (attempts: number, waitSeconds: number) => string;
  readonly readingStore: (products: number) => string;
  readonly planned: (updates: number) => string;
  readonly sent: (done: number, total: number) => string;
  readonly result: (counts: ReportedCounts) => string;
  /** The same of a dry run, whose rows to be sent count as pending. */
  readonly planResult: (counts: ReportedCounts, isShadow: boolean) => string;
  readonly planFile: (path: string) => string;
  readonly dryRun: (run: string) => string;
  /** The same for a sync in shadow. */
  /** @param schedule is not known where a sync without one is in shadow. */
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

const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: {
    retryingDownload: (attempts, waitSeconds) =>
      `Besleme indirilemedi (${tr(attempts)}. deneme); ${tr(waitSeconds)} sn sonra yeniden denenecek`,
    readingStore: (products) => `Mağaza okunuyor: ${tr(products)} ürün`,
    planned: (updates) => `Gönderilecek değişiklik: ${tr(updates)}`,
    sent: (done, total) => `Gönderiliyor: ${tr(done)}/${tr(total)}`,
    result: ({ rows, updated, unchanged, unknownCodes: unknown, unsendable, ...rest }) =>
      `${tr(rows)} satır: ${join([
        [
          updated,
          `${tr(updated)} güncellendi${inBrackets(rest.absent?.emptied, (n) => `${tr(n)} tanesi beslemede olmayan ürün, stoğu 0 oldu`)}`,
        ],
        [unchanged, `${tr(unchanged)} değişmedi`],
        [
          unsendable.rows,
          `${tr(unsendable.rows)} gönderilemedi (mağaza güncellemede almıyor: ${fieldList(unsendable, "tr")})`,
        ],
        [
          unsendable.partly,
          `${tr(unsendable.partly)} satır eksik gönderildi (mağaza güncellemede almıyor: ${fieldList(unsendable, "tr")})`,
        ],
        [
          rest.skipped - unsendable.rows,
          `${tr(rest.skipped - unsendable.rows)} satırın kendisi ürün değil (ana satır ya da görsel)`,
        ],
        [unknown, `${tr(unknown)} kod mağazada yok`],
        [rest.invalid - unknown, `${tr(rest.invalid - unknown)} hatalı`],
        [rest.duplicate, `${tr(rest.duplicate)} tekrar`],
        [
          rest.held,
          `${tr(rest.held)} bekletildi${inBrackets(rest.absent?.held, (n) => `${tr(n)} tanesi beslemede olmayan ürün`)}${rest.stockSent > 0 ? ` (${tr(rest.stockSent)} satırın stoğu gönderildi)` : ""}`,
        ],
        [rest.rejected, `${tr(rest.rejected)} reddedildi`],
        [rest.unknown, `${tr(rest.unknown)} sonucu belirsiz`],
        [rest.pending, `${tr(rest.pending)} gönderilmedi`],
      ])}.`,
    planResult: ({ rows, unchanged, unknownCodes: unknown, unsendable, ...rest }, isShadow) =>
      `${isShadow ? "Gölge" : "Deneme"}. ${tr(rows)} satır: ${join([
        [
          rest.pending,
          `${tr(rest.pending)} güncellenecek${inBrackets(rest.absent?.emptied, (n) => `${tr(n)} tanesi beslemede olmayan ürün, stoğu 0 olacak`)}`,
        ],
        [unchanged, `${tr(unchanged)} değişmeyecek`],
        [
          unsendable.rows,
          `${tr(unsendable.rows)} gönderilemeyecek (mağaza güncellemede almıyor: ${fieldList(unsendable, "tr")})`,
        ],
        [
          unsendable.partly,
          `${tr(unsendable.partly)} satır eksik gönderilecek (mağaza güncellemede almıyor: ${fieldList(unsendable, "tr")})`,
        ],
        [
          rest.skipped - unsendable.rows,
          `${tr(rest.skipped - unsendable.rows)} satırın kendisi ürün değil (ana satır ya da görsel)`,
        ],
        [unknown, `${tr(unknown)} kod mağazada yok`],
        [rest.invalid - unknown, `${tr(rest.invalid - unknown)} hatalı`],
        [rest.duplicate, `${tr(rest.duplicate)} tekrar`],
        [
          rest.held,
          `${tr(rest.held)} bekletilecek${rest.stockSent > 0 ? ` (${tr(rest.stockSent)} satırın stoğu gönderilecek)` : ""}`,
        ],
      ])}.`,
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
    result: ({ rows, updated, unchanged, unknownCodes: unknown, unsendable, ...rest }) =>
      `${plural(rows, "row")}: ${join([
        [
          updated,
          `${en(updated)} updated${inBrackets(rest.absent?.emptied, (n) => `${en(n)} absent from the feed, their stock is 0 now`)}`,
        ],
        [unchanged, `${en(unchanged)} unchanged`],
        [
          unsendable.rows,
          `${en(unsendable.rows)} could not be sent (the store does not take updates of: ${fieldList(unsendable, "en")})`,
        ],
        [
          unsendable.partly,
          `${en(unsendable.partly)} sent in part (the store does not take updates of: ${fieldList(unsendable, "en")})`,
        ],
        [
          rest.skipped - unsendable.rows,
          `${en(rest.skipped - unsendable.rows)} no products themselves (parent rows or images)`,
        ],
        [unknown, `${en(unknown)} not in the store`],
        [rest.invalid - unknown, `${en(rest.invalid - unknown)} invalid`],
        [rest.duplicate, `${en(rest.duplicate)} duplicate`],
        [
          rest.held,
          `${en(rest.held)} held${inBrackets(rest.absent?.held, (n) => `${en(n)} absent from the feed`)}${rest.stockSent > 0 ? ` (the stock of ${en(rest.stockSent)} was sent)` : ""}`,
        ],
        [rest.rejected, `${en(rest.rejected)} rejected`],
        [rest.unknown, `${en(rest.unknown)} of unknown outcome`],
        [rest.pending, `${en(rest.pending)} not sent`],
      ])}.`,
    planResult: ({ rows, unchanged, unknownCodes: unknown, unsendable, ...rest }, isShadow) =>
      `${isShadow ? "Shadow" : "Dry run"}. ${plural(rows, "row")}: ${join([
        [
          rest.pending,
          `${en(rest.pending)} would be updated${inBrackets(rest.absent?.emptied, (n) => `${en(n)} absent from the feed, their stock would be 0`)}`,
        ],
        [unchanged, `${en(unchanged)} unchanged`],
        [
          unsendable.rows,
          `${en(unsendable.rows)} could not be sent (the store does not take updates of: ${fieldList(unsendable, "en")})`,
        ],
        [
          unsendable.partly,
          `${en(unsendable.partly)} would be sent in part (the store does not take updates of: ${fieldList(unsendable, "en")})`,
        ],
        [
          rest.skipped - unsendable.rows,
          `${en(rest.skipped - unsendable.rows)} no products themselves (parent rows or images)`,
        ],
        [unknown, `${en(unknown)} not in the store`],
        [rest.invalid - unknown, `${en(rest.invalid - unknown)} invalid`],
        [rest.duplicate, `${en(rest.duplicate)} duplicate`],
        [
          rest.held,
          `${en(rest.held)} would be held${rest.stockSent > 0 ? ` (the stock of ${en(rest.stockSent)} would be sent)` : ""}`,
        ],
      ])}.`,
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
