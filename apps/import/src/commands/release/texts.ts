/** Texts of the decisions on held rows. */

import { formatDateTime, formatNumber, type Lang } from "@catalog/i18n";
import type { ReleaseResult } from "@catalog/importer";
import type { Release } from "@catalog/runs";

/** Held rows on which a person can decide; of each kind, one as `--rows` names it. */
interface DecidableRows {
  readonly run: string;
  /** Held by a guard and never sent. */
  readonly guarded: string | undefined;
  /** Such a row that `--resend` sends: its price was compared. */
  readonly compared: string | undefined;
  /** Sent, or perhaps in the store. */
  readonly unsure: string | undefined;
  readonly isFeed: boolean;
  /** Path of the workbook of held rows, as one word of a command. */
  readonly held: string;
}

/** A run that holds rows. */
interface WaitingRun {
  readonly run: string;
  /** Name of its file or feed. */
  readonly source: string;
  readonly atMs: number;
  readonly held: number;
}

const WHEN = { dateStyle: "short", timeStyle: "short" } as const;

interface ReleaseTexts {
  readonly none: (run: string) => string;
  readonly nothingWaits: string;
  readonly waitingIn: (found: WaitingRun) => string;
  readonly moreWait: (rows: number) => string;
  readonly superseded: (newer: string) => string;
  /** The run was undone at `time` by the run `undo`. */
  readonly undone: (time: string, undo: string) => string;
  /** Parts of `--rows` without any row that waits. */
  readonly notWaiting: (rows: string) => string;
  readonly rowHead: (row: string, code: string) => string;
  readonly howTo: (rows: DecidableRows) => string;
  readonly ask: (row: string, code: string) => string;
  readonly choices: Readonly<Record<"resend" | "cancel" | "leave", string>>;
  /** Replaces `choices.resend` for a product that is in the store. */
  readonly sendUpdate: string;
  readonly confirm: Readonly<Record<Release["kind"], (rows: number) => string>>;
  /** Asks about rows that the file of held rows says not to send. */
  readonly confirmDeclined: (rows: number) => string;
  /** Asks about giving up rows that were never sent. */
  readonly confirmUnsent: (rows: number) => string;
  /** Asks about giving up the rest of a run, `unknown` rows of which may have been sent. */
  readonly confirmRest: (pending: number, unknown: number) => string;
  readonly lookingUp: (unknown: number) => string;
  /** Nothing of the run is left to be sent. */
  readonly noRest: (run: string) => string;
  readonly recorded: Readonly<
    Record<Exclude<ReleaseResult["to"], "held">, (row: string) => string>
  >;
  readonly kept: (row: string, why: string) => string;
  readonly refused: (fileRow: number, why: string) => string;
  readonly noneApproved: string;
  /** Nothing was decided, and `rows` still wait. */
  readonly stillWait: (rows: number) => string;
  readonly needsYes: string;
  readonly unitKept: (run: string) => string;
  readonly othersWait: (run: string) => string;
  /** Texts for rows held by a sync, which the next sync sends. */
  readonly feed: {
    readonly choices: Readonly<Record<"resend" | "cancel" | "leave", string>>;
    readonly confirm: (rows: number) => string;
    readonly next: string;
    /** What becomes of rows that were given up. */
    readonly cancelled: string;
  };
  /** Rows that are about no product. */
  readonly list: {
    readonly confirm: Readonly<
      Record<Exclude<Release["kind"], "approve">, (rows: number) => string>
    >;
    readonly resend: string;
    /** `row`: a row that waits; `held`: the path of the file of held rows. */
    readonly howTo: (run: string, row: string, held: string) => string;
  };
  readonly declined: string;
  readonly yes: string;
  readonly no: string;
}

const TURKISH: ReleaseTexts = {
  none: (run) => `"${run}" çalıştırmasında karar bekleyen satır yok.`,
  nothingWaits: "Mağazada karar bekleyen satır yok.",
  waitingIn: ({ run, source, atMs, held }) =>
    `${run}  ${formatDateTime(atMs, "tr", WHEN)}  ${source}: ${formatNumber(held, "tr")} satır bekliyor`,
  moreWait: (rows) => `${formatNumber(rows, "tr")} satır daha`,
  superseded: (newer) =>
    `Bekleyen satırları kapandı, çünkü beslemenin daha yeni eşitlemeleri var. Satır hâlâ bekliyorsa kararı oradan verin: catalog release ${newer}`,
  undone: (time, undo) =>
    `Bu çalıştırma ${time} tarihinde geri alındı (${undo}). Şimdi göndereceğiniz satırlar mağazayı geri almadan sonra yeniden değiştirir.`,
  notWaiting: (rows) => `Karar beklemeyen satırlar atlanıyor: ${rows}`,
  rowHead: (row, code) => `Satır ${row}  ${code}`,
  howTo: ({ run, guarded, compared, unsure, isFeed, held }) =>
    [
      "Karar vermek için (başka satırlar: --rows 3,7-9):",
      ...(compared === undefined
        ? []
        : [`  değer doğru:    catalog release ${run} --rows ${compared} --resend`]),
      ...(guarded === undefined
        ? []
        : [`  vazgeç:         catalog release ${run} --rows ${guarded} --cancel`]),
      ...(unsure === undefined
        ? []
        : [
            `  mağazada var:   catalog release ${run} --rows ${unsure} --as-done ÜRÜN_ID`,
            `  yeniden gönder: catalog release ${run} --rows ${unsure} --resend`,
            `  vazgeç:         catalog release ${run} --rows ${unsure} --cancel`,
          ]),
      `  onaylı dosya:   catalog release ${run} --approved ${held}`,
      ...(isFeed ? ["Onaylananı sıradaki eşitleme gönderir; besleme yanlışsa onu düzeltin."] : []),
    ].join("\n"),
  ask: (row, code) => `Satır ${row} (${code}) ne olsun?`,
  choices: {
    resend: "Mağazada yoksa gönder",
    cancel: "Vazgeç, hiç gönderme",
    leave: "Şimdilik beklesin",
  },
  sendUpdate: "Değerler doğru, planlandığı gibi gönder",
  confirm: {
    "as-done": (rows) => `${rows} satır bu ürünle tamamlandı sayılacak. Devam edilsin mi?`,
    resend: (rows) =>
      `${rows} satır, mağazada görünmüyorsa gönderilecek. Görünmeyen bir ürün iki kez eklenebilir. Devam edilsin mi?`,
    approve: (rows) => `Onaylanan ${rows} satır planlandığı gibi gönderilecek. Devam edilsin mi?`,
    cancel: (rows) =>
      `${rows} satırdan vazgeçilecek; ürün mağazada yine de oluşmuş olabilir. Devam edilsin mi?`,
  },
  confirmDeclined: (rows) =>
    `Hayır yazılan ${rows} satır gönderilmeyecek ve kapatılacak. Devam edilsin mi?`,
  confirmUnsent: (rows) =>
    `${rows} satırdan vazgeçilecek; hiçbiri gönderilmedi, mağaza olduğu gibi kalır. Devam edilsin mi?`,
  confirmRest: (pending, unknown) =>
    [
      `Henüz gönderilmemiş ${pending} satırdan vazgeçilecek ve çalıştırma bitecek; bu satırlar sonradan sürdürülemez.`,
      ...(unknown === 0
        ? []
        : [
            `Sonucu belirsiz ${unknown} satır önce mağazada aranır; gönderildiyse tamamlandı sayılır.`,
          ]),
      "Mağazaya gidenler orada kalır. Devam edilsin mi?",
    ].join(" "),
  lookingUp: (unknown) => `Sonucu belirsiz ${unknown} satır mağazada aranıyor…`,
  noRest: (run) =>
    `"${run}" çalıştırmasında gönderilmemiş satır yok; vazgeçilecek bir şey kalmamış.`,
  recorded: {
    done: (row) => `  ✓ ${row}  tamamlandı sayıldı`,
    ready: (row) => `  ✓ ${row}  gönderilecek`,
    cancelled: (row) => `  ✓ ${row}  vazgeçildi`,
  },
  kept: (row, why) => `  ✗ ${row}  beklemede kaldı: ${why}`,
  refused: (fileRow, why) => `  ✗ dosyada satır ${fileRow}: ${why}`,
  noneApproved: "Dosyada Onay sütununa Evet ya da Hayır yazılmış, hâlâ bekleyen bir satır yok.",
  stillWait: (rows) =>
    rows === 0
      ? "Hiçbir satır gönderilmedi; karar bekleyen satır da yok."
      : `Hiçbir satır gönderilmedi; ${rows} satır karar bekliyor.`,
  needsYes:
    "Soru sorulabilecek bir terminal yok; hiçbir satır değişmedi. Sormadan uygulamak için --yes ekleyin.",
  unitKept: (run) =>
    `Fiyat birimi hatırlanacak. Yalnızca birimi bekleyen satırlar karşılaştırılıp gönderilir: catalog resume ${run} (eşitlemenin satırlarını sıradaki catalog sync gönderir).`,
  othersWait: (run) =>
    `Bu çalıştırmada başka gönderilmemiş satırlar da var; hepsini göndermek için: catalog resume ${run}`,
  feed: {
    choices: {
      resend: "Değer doğru, sıradaki eşitleme göndersin",
      cancel: "Bu bekleyen satırı kapat",
      leave: "Şimdilik beklesin",
    },
    confirm: (rows) =>
      `${rows} satır sıradaki eşitlemede gönderilecek, beslemede ve mağazada değerleri o zamana dek değişmezse. Devam edilsin mi?`,
    next: "Bırakılan satırları sıradaki eşitleme (catalog sync) bir kez gönderir; besleme ya da mağaza o zamana dek başka bir fiyat gösterirse koruma yeniden karar verir. 7 gün beklenir.",
    cancelled:
      "Beslemede bu değer durdukça sıradaki eşitleme vazgeçilen satırı yeniden bekletir; bir daha beklemesin diye beslemeyi düzeltin.",
  },
  list: {
    confirm: {
      "as-done": (rows) => `${rows} satır yapılmış sayılacak. Devam edilsin mi?`,
      resend: (rows) =>
        `${rows} satır, mağaza yapıldığını göstermiyorsa gönderilecek. Göstermediği hâlde yapılmış bir işlem iki kez yapılabilir. Devam edilsin mi?`,
      cancel: (rows) =>
        `${rows} satırdan vazgeçilecek; isteği giden bir satır yapılmış olabilir. Devam edilsin mi?`,
    },
    resend: "Mağaza yapıldığını göstermiyorsa gönder",
    howTo: (run, row, held) =>
      [
        "Karar vermek için (başka satırlar: --rows 3,7-9):",
        `  yapılmış:       catalog release ${run} --rows ${row} --as-done`,
        `  gönder:         catalog release ${run} --rows ${row} --resend`,
        `  vazgeç:         catalog release ${run} --rows ${row} --cancel`,
        `  onaylı dosya:   catalog release ${run} --approved ${held}`,
      ].join("\n"),
  },
  declined: "Hiçbir satır değişmedi.",
  yes: "Evet",
  no: "Hayır",
};

const rowsEn = (rows: number): string => `${rows} ${rows === 1 ? "row" : "rows"}`;

const ENGLISH: ReleaseTexts = {
  none: (run) => `Run "${run}" has no rows that wait for a decision.`,
  nothingWaits: "No row of the store waits for a decision.",
  waitingIn: ({ run, source, atMs, held }) =>
    `${run}  ${formatDateTime(atMs, "en", WHEN)}  ${source}: ${formatNumber(held, "en")} ${held === 1 ? "row waits" : "rows wait"}`,
  moreWait: (rows) => `${formatNumber(rows, "en")} more ${rows === 1 ? "row" : "rows"}`,
  superseded: (newer) =>
    `Its held rows were closed, as there are newer syncs of the feed. If a row is still held, decide on it there: catalog release ${newer}`,
  undone: (time, undo) =>
    `This run was undone on ${time} (${undo}). Rows that you send now change the store again after that.`,
  notWaiting: (rows) => `Rows that do not wait for a decision are passed over: ${rows}`,
  rowHead: (row, code) => `Row ${row}  ${code}`,
  howTo: ({ run, guarded, compared, unsure, isFeed, held }) =>
    [
      "To decide (other rows: --rows 3,7-9):",
      ...(compared === undefined
        ? []
        : [`  the value is right:  catalog release ${run} --rows ${compared} --resend`]),
      ...(guarded === undefined
        ? []
        : [`  give it up:          catalog release ${run} --rows ${guarded} --cancel`]),
      ...(unsure === undefined
        ? []
        : [
            `  it is in the store:  catalog release ${run} --rows ${unsure} --as-done PRODUCT_ID`,
            `  send it again:       catalog release ${run} --rows ${unsure} --resend`,
            `  give it up:          catalog release ${run} --rows ${unsure} --cancel`,
          ]),
      `  approved file:       catalog release ${run} --approved ${held}`,
      ...(isFeed
        ? ["The next sync sends what was released. If the feed is wrong, correct it."]
        : []),
    ].join("\n"),
  ask: (row, code) => `What should happen to row ${row} (${code})?`,
  choices: {
    resend: "Send it if the store does not show it",
    cancel: "Give it up, never send it",
    leave: "Let it wait for now",
  },
  sendUpdate: "The values are right, send as planned",
  confirm: {
    "as-done": (rows) => `${rowsEn(rows)} will count as done with this product. Continue?`,
    resend: (rows) =>
      `${rowsEn(rows)} will be sent if the store does not show them. A product that it hides may be added twice. Continue?`,
    approve: (rows) =>
      `${rows} approved ${rows === 1 ? "row" : "rows"} will be sent as planned. Continue?`,
    cancel: (rows) =>
      `${rowsEn(rows)} will be given up; the product may be in the store all the same. Continue?`,
  },
  confirmDeclined: (rows) => `${rowsEn(rows)} marked No will not be sent but closed. Continue?`,
  confirmUnsent: (rows) =>
    `${rowsEn(rows)} will be given up; none was sent, and the store stays as it is. Continue?`,
  confirmRest: (pending, unknown) =>
    [
      `${rowsEn(pending)} not sent yet will be given up and the run ends; they cannot be gone on with later.`,
      ...(unknown === 0
        ? []
        : [
            `${rowsEn(unknown)} of unknown outcome ${unknown === 1 ? "is" : "are"} looked up first; what was sent counts as done.`,
          ]),
      "What the store has stays there. Continue?",
    ].join(" "),
  lookingUp: (unknown) => `Looking up ${rowsEn(unknown)} of unknown outcome…`,
  noRest: (run) => `Run "${run}" has no rows left to send, so there is nothing to give up.`,
  recorded: {
    done: (row) => `  ✓ ${row}  counts as done`,
    ready: (row) => `  ✓ ${row}  will be sent`,
    cancelled: (row) => `  ✓ ${row}  given up`,
  },
  kept: (row, why) => `  ✗ ${row}  still held: ${why}`,
  refused: (fileRow, why) => `  ✗ row ${fileRow} of the file: ${why}`,
  noneApproved: "No row of the file that still waits has Yes or No in its Approve column.",
  stillWait: (rows) =>
    rows === 0
      ? "No row was sent, and none waits for a decision."
      : `No row was sent; ${rowsEn(rows)} ${rows === 1 ? "waits" : "wait"} for a decision.`,
  needsYes:
    "There is no terminal to ask on; no row was changed. Add --yes to go on without asking.",
  unitKept: (run) =>
    `The unit of prices is remembered. Rows that wait for nothing else are compared and sent with: catalog resume ${run} (those of a sync by the next catalog sync).`,
  othersWait: (run) =>
    `This run has other rows that were not sent; to send all of them: catalog resume ${run}`,
  feed: {
    choices: {
      resend: "The value is right, let the next sync send it",
      cancel: "Close this held row",
      leave: "Let it wait for now",
    },
    confirm: (rows) =>
      `${rowsEn(rows)} will be sent by the next sync, if feed and store have the same values then. Continue?`,
    next: "The next sync (catalog sync) sends the released rows, once; where feed or store show another price by then, the guard decides again. They wait for 7 days.",
    cancelled:
      "As long as the feed has such a value, the next sync holds the row that was given up again; correct the feed to end that.",
  },
  list: {
    confirm: {
      "as-done": (rows) => `${rowsEn(rows)} will count as done. Continue?`,
      resend: (rows) =>
        `${rowsEn(rows)} will be sent if the store does not show that it was done. What was done and is not shown may be done twice. Continue?`,
      cancel: (rows) =>
        `${rowsEn(rows)} will be given up; where a request has left, it may have been carried out. Continue?`,
    },
    resend: "Send it if the store does not show it as done",
    howTo: (run, row, held) =>
      [
        "To decide (other rows: --rows 3,7-9):",
        `  it was done:    catalog release ${run} --rows ${row} --as-done`,
        `  send it:        catalog release ${run} --rows ${row} --resend`,
        `  give it up:     catalog release ${run} --rows ${row} --cancel`,
        `  approved file:  catalog release ${run} --approved ${held}`,
      ].join("\n"),
  },
  declined: "No row was changed.",
  yes: "Yes",
  no: "No",
};

/** The texts of a language. */
export function releaseTexts(lang: Lang): ReleaseTexts {
  return lang === "tr" ? TURKISH : ENGLISH;
}
