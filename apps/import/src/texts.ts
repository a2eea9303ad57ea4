/** Texts of the commands that plan and send. */

import { formatDuration, formatNumber, type Lang, type Localized, quoteWord } from "@catalog/i18n";
import type { RunSummary } from "@catalog/report";
import type { Counts } from "@catalog/runs";

import type { Phase } from "./run-view.ts";

/** Calls of a plan. */
export interface PlannedRequests {
  /** Calls made so far; `undefined` where the run has made others than those of its plan. */
  readonly made: number | undefined;
  readonly reads: number;
  readonly writes: number;
  readonly seconds: number;
  /** Maximum number of calls an hour; `undefined` is unlimited. */
  readonly perHour?: number | undefined;
}

interface CallTexts {
  readonly requests: (requests: PlannedRequests) => string;
  readonly sent: (requests: RunSummary["requests"]) => string;
}

const n = {
  tr: (value: number): string => formatNumber(value, "tr"),
  en: (value: number): string => formatNumber(value, "en"),
};

const countWord = (value: number, word: string): string =>
  `${n.en(value)} ${word}${value === 1 ? "" : "s"}`;

const callTexts: Readonly<Record<Lang, CallTexts>> = {
  tr: {
    requests: ({ made, reads, writes, seconds, perHour }) => {
      const before = made === undefined ? "" : `plan için ${n.tr(made)} istek yapıldı; `;
      if (writes === 0) return `${before}gönderilecek bir şey yok`;
      const hourly = perHour === undefined ? "" : `, saatte en çok ${n.tr(perHour)} istek`;
      const more = `en az ${n.tr(reads + writes)} istek${made === undefined ? "" : " daha"}`;
      return `${before}göndermek için ${more} (${n.tr(writes)} yazma, ${n.tr(reads)} okuma), ≈ ${formatDuration(seconds, "tr")}${hourly}`;
    },
    sent: ({ total, token, read, write }) =>
      `toplam ${n.tr(total)} istek (${n.tr(token)} oturum, ${n.tr(read)} okuma, ${n.tr(write)} yazma)`,
  },
  en: {
    requests: ({ made, reads, writes, seconds, perHour }) => {
      const before = made === undefined ? "" : `${n.en(made)} made for the plan; `;
      if (writes === 0) return `${before}nothing to send`;
      const hourly = perHour === undefined ? "" : `, at most ${n.en(perHour)} an hour`;
      const more = made === undefined ? "calls" : "more";
      return `${before}at least ${n.en(reads + writes)} ${more} to send it (${countWord(writes, "write")}, ${countWord(reads, "read")}), ≈ ${formatDuration(seconds, "en")}${hourly}`;
    },
    sent: ({ total, token, read, write }) =>
      `${n.en(total)} in all (${countWord(token, "login")}, ${countWord(read, "read")}, ${countWord(write, "write")})`,
  },
};

export interface Texts extends CallTexts {
  readonly number: (value: number) => string;
  /** A count with its unit where that is not rows. */
  readonly withUnit: (count: string, phase: Phase) => string;
  readonly rate: (perSecond: number, phase: Phase) => string;
  readonly remaining: (seconds: number) => string;
  readonly phases: Readonly<Record<Phase, string>>;
  /** Says how many searches for open names are about to be made. */
  readonly searches: (count: number, seconds: number) => string;
  readonly draftChecked: string;
  readonly file: string;
  readonly store: string;
  readonly plan: string;
  readonly calls: string;
  readonly result: string;
  readonly files: string;
  readonly run: string;
  readonly sheet: (name: string) => string;
  /** The path of the records of XML or JSON. */
  readonly record: (path: string) => string;
  /** The line on which a record begins, and its product code, which may be empty. */
  readonly recordAt: (line: number, code: string) => string;
  readonly rows: (count: number) => string;
  readonly planned: {
    readonly add: (count: number) => string;
    readonly update: (count: number) => string;
    readonly unchanged: (count: number) => string;
    readonly invalid: (count: number) => string;
    readonly duplicate: (count: number) => string;
    /** `stock`: the rows of these whose stock is sent all the same. */
    readonly held: (count: number, stock?: number) => string;
  };
  /** Heading of a scheduled sync's run in the history. */
  readonly synced: string;
  /** The result files could not be written; `cause` names the path. */
  readonly filesUnwritten: (cause: string, run: string) => string;
  /** Rows of a sync that wait no more and were not sent by it. */
  readonly closed: (count: number) => string;
  /** The second number is of held rows whose stock was sent. */
  readonly counted: Readonly<
    Record<Exclude<keyof Counts, "rows">, (count: number, stock?: number) => string>
  >;
  readonly confirm: (add: number, update: number, stock: number) => string;
  /** The question after a sentence that says what will be done. */
  readonly goOn: (sentence: string) => string;
  readonly yes: string;
  readonly no: string;
  readonly declined: (run: string) => string;
  /** `canAllow`: whether the command takes `--allow`. */
  readonly unruled: (run: string, canAllow: boolean) => string;
  readonly sameAnswer: (run: string) => string;
  readonly needsYes: string;
  readonly problems: Readonly<Record<"fix" | "wait", (rows: number) => string>>;
  /** `others`: further cells with the same problem; empty where none is named. */
  readonly sameRows: (rows: number, others: string) => string;
  /** `isOne`: for a single row, which may as well be corrected in its cell. */
  readonly ruleFor: (command: string, isOne: boolean) => string;
  readonly listFor: (command: string) => string;
  readonly moreProblems: (count: number) => string;
  readonly ended: Readonly<
    Record<
      "stopped" | "breaker" | "too-many-rejected" | "canary" | "period" | "login" | "permission",
      (reason: string) => string
    >
  >;
  readonly resumeWith: (run: string) => string;
  /** `command`: what takes the corrected file. */
  readonly fixAndRetry: (path: string, command: string) => string;
  readonly mapWith: (path: string, names: number) => string;
  readonly applyWith: (run: string) => string;
  readonly releaseWith: (run: string) => string;
  readonly nothingToRetry: (run: string) => string;
  readonly nothingToUndo: (run: string) => string;
  readonly wasFinished: (run: string) => string;
  readonly undoInstead: (run: string) => string;
  readonly verification: string;
  readonly verified: Readonly<Record<keyof RunSummary["verification"], (count: number) => string>>;
  readonly noRuns: string;
  readonly runStates: Readonly<
    Record<
      "planning" | "planned" | "running" | "stopped" | "finished" | "refused" | "dryRun" | "shadow",
      string
    >
  >;
  /** What stands for the file of a run that undoes the run `id`, or changes of a product. */
  readonly undoOf: (id: string) => string;
}

const ROWS = { tr: "satır", en: "rows" };
const UNITS: Readonly<Record<Phase, Localized>> = {
  read: ROWS,
  names: { tr: "ad", en: "names" },
  search: { tr: "arama", en: "searches" },
  store: { tr: "sayfa", en: "pages" },
  codes: { tr: "kod", en: "codes" },
  plan: ROWS,
  recheck: ROWS,
  send: ROWS,
  verify: ROWS,
  write: ROWS,
};

const ONE_DECIMAL = { maxDecimals: 1 } as const;

const productsEn = (count: number): string =>
  `${n.en(count)} ${count === 1 ? "product" : "products"}`;
const rowsEn = (count: number): string => `${n.en(count)} ${count === 1 ? "row" : "rows"}`;

const TURKISH: Texts = {
  number: n.tr,
  withUnit: (count, phase) => (phase === "store" ? `${count} sayfa` : count),
  rate: (perSecond, phase) => `${formatNumber(perSecond, "tr", ONE_DECIMAL)} ${UNITS[phase].tr}/sn`,
  remaining: (seconds) => `kalan ${formatDuration(seconds, "tr")}`,
  phases: {
    read: "Dosya okunuyor",
    names: "Adlar aranıyor",
    search: "Adlar için pazaryerinde aranıyor",
    store: "Mağaza okunuyor",
    codes: "Ürün kodları aranıyor",
    plan: "Denetleniyor",
    recheck: "Mağazaya yeniden bakılıyor",
    send: "Gönderiliyor",
    verify: "Geri okunuyor",
    write: "Sonuç dosyaları yazılıyor",
  },
  searches: (count, seconds) =>
    `Açık adlar için pazaryerinde en çok ${n.tr(count)} arama yapılacak, ≈ ${formatDuration(seconds, "tr")} (aramadan: --no-market-search).`,
  draftChecked: "Taslak denetlendi; satırları sayfada (catalog web).",
  file: "Dosya",
  store: "Mağaza",
  plan: "Plan",
  calls: "İstek",
  result: "Sonuç",
  files: "Dosyalar",
  run: "Çalıştırma",
  sheet: (name) => `"${name}" sayfası`,
  record: (path) => `"${path}" kayıtları`,
  recordAt: (line, code) => `(${code === "" ? "" : `${code}, `}dosyanın ${line}. satırı)`,
  rows: (count) => `${n.tr(count)} satır`,
  planned: {
    add: (count) => `${n.tr(count)} eklenecek`,
    update: (count) => `${n.tr(count)} güncellenecek`,
    unchanged: (count) => `${n.tr(count)} değişmeyecek`,
    invalid: (count) => `${n.tr(count)} hatalı`,
    duplicate: (count) => `${n.tr(count)} tekrar`,
    held: (count, stock = 0) =>
      `${n.tr(count)} bekletilecek${stock > 0 ? ` (${n.tr(stock)} satırın stoğu yine de gönderilir)` : ""}`,
  },
  synced: "eşitleme",
  filesUnwritten: (cause, run) =>
    `Sonuç dosyaları yazılamadı: ${cause}. Çalıştırmanın kendisi etkilenmedi. Düzeltince yazdırmak için: catalog report ${run}`,
  closed: (count) => `${n.tr(count)} satır kapandı (vazgeçildi ya da sonraki eşitleme üstlendi)`,
  counted: {
    added: (count) => `${n.tr(count)} eklendi`,
    updated: (count) => `${n.tr(count)} güncellendi`,
    unchanged: (count) => `${n.tr(count)} değişmedi`,
    skipped: (count) => `${n.tr(count)} atlandı`,
    invalid: (count) => `${n.tr(count)} hatalı`,
    duplicate: (count) => `${n.tr(count)} tekrar`,
    rejected: (count) => `${n.tr(count)} reddedildi`,
    held: (count, stock = 0) =>
      `${n.tr(count)} bekletildi${stock > 0 ? ` (${n.tr(stock)} satırın stoğu gönderildi)` : ""}`,
    unknown: (count) => `${n.tr(count)} sonucu belirsiz`,
    cancelled: (count) => `${n.tr(count)} satırdan vazgeçildi`,
    pending: (count) => `${n.tr(count)} henüz gönderilmedi`,
  },
  ...callTexts.tr,
  confirm: (add, update, stock) =>
    `${[add > 0 ? `${n.tr(add)} ürün eklenecek` : "", update > 0 ? `${n.tr(update)} ürün güncellenecek` : "", stock > 0 ? `${n.tr(stock)} ürünün yalnız stoğu gönderilecek` : ""].filter((part) => part !== "").join(", ")}. Devam edilsin mi?`,
  goOn: (sentence) => `${sentence}. Devam edilsin mi?`,
  yes: "Evet",
  no: "Hayır",
  unruled: (run, canAllow) =>
    `Gönderilmedi: fiyat kurallarınız var ve hiçbiri bu dosyaya uymuyor. Dosyadaki fiyatlar doğruysa ${canAllow ? "--allow no-rules ekleyin ya da " : ""}planı uygulayın: catalog apply ${run}`,
  sameAnswer: (run) =>
    `Gönderilmedi: soruların neredeyse hepsine aynı yanıt verilecekti. Doğruysa --allow same-answer ekleyin ya da planı uygulayın: catalog apply ${run}`,
  declined: (run) => `Gönderilmedi. Planı uygulamak için: catalog apply ${run}`,
  needsYes: "Soru sorulabilecek bir terminal yok. Sormadan göndermek için --yes ekleyin.",
  problems: {
    fix: (rows) => `Düzeltilecek ${n.tr(rows)} satır`,
    wait: (rows) => `Karar bekleyen ${n.tr(rows)} satır`,
  },
  sameRows: (rows, others) => `(${n.tr(rows)} satırda${others && `; ayrıca ${others}`})`,
  ruleFor: (command, isOne) =>
    `${isOne ? "Ya da sonraki dosyalarda da geçerli bir kuralla" : "Hepsi için bir kez"}: ${command}`,
  listFor: (command) => `“…” yerine mağazadaki adı yazın; adların listesi: ${command}`,
  moreProblems: (count) => `… ve ${n.tr(count)} sorun daha; hepsi sonuç dosyasında.`,
  ended: {
    stopped: () => "Durduruldu. Yoldaki istekler tamamlandı, hiçbir satır kaybolmadı.",
    breaker: (reason) => `Art arda sorun çıktığı için gönderim durduruldu: ${reason}`,
    "too-many-rejected": (reason) =>
      `Çok fazla satır reddedildiği için gönderim durduruldu. Son yanıt: ${reason}`,
    canary: () =>
      "Önden gönderilen satırlar mağazada gönderildiği gibi görülmedi; kalan satırlar gönderilmedi. Dosyayı düzeltip yeniden planlayın ya da farkı kabul ediyorsanız sürdürün.",
    period: () => "Geri alma zamanı geldi; kalan satırlar gönderilmedi, artık gönderilmez.",
    login: (reason) =>
      `Oturum kabul edilmedi: ${reason} CATALOG_CLIENT_KEY ve CATALOG_CLIENT_SECRET değerlerini kontrol edin.`,
    permission: (reason) =>
      `Mağaza bu işleme izin vermiyor: ${reason} Mağaza panelinden uygulamaya izin verin.`,
  },
  resumeWith: (run) => `Kaldığı yerden sürdürmek için: catalog resume ${run}`,
  fixAndRetry: (path, command) =>
    `Hatalı satırları düzeltip yeniden yükleyin: ${command} ${quoteWord(path)}`,
  mapWith: (path, names) =>
    `Karşılığı bilinmeyen ${n.tr(names)} adı bir tabloda doldurmak için: catalog map ${quoteWord(path)} --out adlar.xlsx`,
  applyWith: (run) => `Planı uygulamak için: catalog apply ${run}`,
  releaseWith: (run) => `Bekleyen satırlara karar vermek için: catalog release ${run}`,
  nothingToRetry: (run) => `"${run}" çalıştırmasında yeniden denenecek reddedilmiş satır yok.`,
  nothingToUndo: (run) =>
    `"${run}" çalıştırmasında geri alınacak bir satır yok; hiçbir şey gönderilmemiş.`,
  wasFinished: (run) => `${run} zaten bitmişti; gönderilecek satırı kalmamış.`,
  undoInstead: (run) =>
    `Bu bir geri alma çalıştırması; hücreleri yok. Kalanları yeniden denemek için: catalog undo ${run}`,
  verification: "Mağazada",
  verified: {
    visible: (count) => `${n.tr(count)} görüldü`,
    mismatch: (count) => `${n.tr(count)} farklı görünüyor`,
    not_visible: (count) => `${n.tr(count)} henüz görünmüyor`,
    accepted: (count) => `${n.tr(count)} geri okunmadı`,
  },
  noRuns: "Bu mağaza için henüz çalıştırma yok.",
  runStates: {
    planning: "yarım plan",
    planned: "planlandı",
    running: "sürüyor",
    stopped: "yarım kaldı",
    finished: "bitti",
    refused: "alınmadı",
    dryRun: "deneme",
    shadow: "gölge",
  },
  undoOf: (id) => `geri alma: ${id}`,
};

const ENGLISH: Texts = {
  number: n.en,
  withUnit: (count, phase) => (phase === "store" ? `${count} pages` : count),
  rate: (perSecond, phase) => `${formatNumber(perSecond, "en", ONE_DECIMAL)} ${UNITS[phase].en}/s`,
  remaining: (seconds) => `${formatDuration(seconds, "en")} left`,
  phases: {
    read: "Reading the file",
    names: "Looking up names",
    search: "Searching the marketplace for names",
    store: "Reading the store",
    codes: "Looking up product codes",
    plan: "Checking",
    recheck: "Looking at the store again",
    send: "Sending",
    verify: "Reading back",
    write: "Writing the result files",
  },
  searches: (count, seconds) =>
    `At most ${n.en(count)} ${count === 1 ? "search" : "searches"} of the marketplace for open names, ≈ ${formatDuration(seconds, "en")} (without: --no-market-search).`,
  draftChecked: "The draft is checked; its rows are on the page (catalog web).",
  file: "File",
  store: "Store",
  plan: "Plan",
  calls: "Calls",
  result: "Result",
  files: "Files",
  run: "Run",
  sheet: (name) => `sheet "${name}"`,
  record: (path) => `records "${path}"`,
  recordAt: (line, code) => `(${code === "" ? "" : `${code}, `}line ${line} of the file)`,
  rows: (count) => rowsEn(count),
  planned: {
    add: (count) => `${n.en(count)} to add`,
    update: (count) => `${n.en(count)} to update`,
    unchanged: (count) => `${n.en(count)} unchanged`,
    invalid: (count) => `${n.en(count)} invalid`,
    duplicate: (count) => `${n.en(count)} duplicate`,
    held: (count, stock = 0) =>
      `${n.en(count)} to be held${stock > 0 ? ` (the stock of ${n.en(stock)} is sent all the same)` : ""}`,
  },
  synced: "sync",
  filesUnwritten: (cause, run) =>
    `The result files could not be written: ${cause}. The run itself was not affected. To write them once this is put right: catalog report ${run}`,
  closed: (count) => `${n.en(count)} closed (given up, or taken over by a later sync)`,
  counted: {
    added: (count) => `${n.en(count)} added`,
    updated: (count) => `${n.en(count)} updated`,
    unchanged: (count) => `${n.en(count)} unchanged`,
    skipped: (count) => `${n.en(count)} skipped`,
    invalid: (count) => `${n.en(count)} invalid`,
    duplicate: (count) => `${n.en(count)} duplicate`,
    rejected: (count) => `${n.en(count)} rejected`,
    held: (count, stock = 0) =>
      `${n.en(count)} held${stock > 0 ? ` (the stock of ${n.en(stock)} was sent)` : ""}`,
    unknown: (count) => `${n.en(count)} unknown`,
    cancelled: (count) => `${n.en(count)} cancelled`,
    pending: (count) => `${n.en(count)} not sent yet`,
  },
  ...callTexts.en,
  confirm: (add, update, stock) =>
    `${[add > 0 ? `${productsEn(add)} will be added` : "", update > 0 ? `${productsEn(update)} will be updated` : "", stock > 0 ? `only the stock of ${productsEn(stock)} will be sent` : ""].filter((part) => part !== "").join(", ")}. Continue?`,
  goOn: (sentence) => `${sentence}. Continue?`,
  yes: "Yes",
  no: "No",
  unruled: (run, canAllow) =>
    `Nothing was sent: you have price rules, and none of them fits this file. If the file's prices are right, ${canAllow ? "add --allow no-rules, or " : ""}apply the plan: catalog apply ${run}`,
  sameAnswer: (run) =>
    `Nothing was sent: nearly all questions would get the same answer. If that is right, add --allow same-answer, or apply the plan: catalog apply ${run}`,
  declined: (run) => `Nothing was sent. To apply the plan: catalog apply ${run}`,
  needsYes: "There is no terminal to ask on. Add --yes to send without asking.",
  problems: {
    fix: (rows) => `${rowsEn(rows)} to correct`,
    wait: (rows) => `${rowsEn(rows)} waiting for your decision`,
  },
  sameRows: (rows, others) => `(on ${rowsEn(rows)}${others && `; also ${others}`})`,
  ruleFor: (command, isOne) =>
    `${isOne ? "Or by a rule, which later files use too" : "Once for all of them"}: ${command}`,
  listFor: (command) => `Write the store's name in place of “…”; the list of names: ${command}`,
  moreProblems: (count) => `… and ${n.en(count)} more; all of them are in the result file.`,
  ended: {
    stopped: () => "Stopped. Calls under way were finished, and no row is lost.",
    breaker: (reason) => `Sending stopped after several failures in a row: ${reason}`,
    "too-many-rejected": (reason) =>
      `Sending stopped because too many rows were rejected. Last answer: ${reason}`,
    canary: () =>
      "The canary rows were not seen as they were sent, and no other row has left. Correct the file and plan it again, or go on if the difference is fine.",
    period: () => "The time of taking back has come; the rows left were not sent and never are.",
    login: (reason) =>
      `The login was refused: ${reason} Check CATALOG_CLIENT_KEY and CATALOG_CLIENT_SECRET.`,
    permission: (reason) =>
      `The store does not allow this: ${reason} Grant the permission in the store's panel.`,
  },
  resumeWith: (run) => `To go on where it stopped: catalog resume ${run}`,
  fixAndRetry: (path, command) =>
    `Correct the failed rows and import them again: ${command} ${quoteWord(path)}`,
  mapWith: (path, names) =>
    `To fill in the ${n.en(names)} names without a known meaning in one table: catalog map ${quoteWord(path)} --out names.xlsx`,
  applyWith: (run) => `To apply the plan: catalog apply ${run}`,
  releaseWith: (run) => `To decide on the rows that wait: catalog release ${run}`,
  nothingToRetry: (run) => `Run "${run}" has no rejected rows to try again.`,
  nothingToUndo: (run) => `Run "${run}" has nothing to undo: no row of it was sent.`,
  wasFinished: (run) => `${run} was finished already; it had no rows left to send.`,
  undoInstead: (run) =>
    `This run undoes another and has no cells of its own. To try the rest again: catalog undo ${run}`,
  verification: "In store",
  verified: {
    visible: (count) => `${n.en(count)} visible`,
    mismatch: (count) => `${n.en(count)} ${count === 1 ? "shows" : "show"} something else`,
    not_visible: (count) => `${n.en(count)} not visible yet`,
    accepted: (count) => `${n.en(count)} not read back`,
  },
  noRuns: "This store has no runs yet.",
  runStates: {
    planning: "plan cut off",
    planned: "planned",
    running: "under way",
    stopped: "unfinished",
    finished: "finished",
    refused: "refused",
    dryRun: "dry run",
    shadow: "shadow",
  },
  undoOf: (id) => `undo of ${id}`,
};

/** The texts of a language. */
export function textsFor(lang: Lang): Texts {
  return lang === "tr" ? TURKISH : ENGLISH;
}
