/** Alerts in the words of a person, and as documents whose keys are a public contract. */

import { type Connection, shownStore } from "@catalog/connection";
import { formatDateTime, formatNumber, type Lang, type Localized } from "@catalog/i18n";

import type { AlertCause } from "./alert-names.ts";
import type { AlertFacts } from "./alert-state.ts";

/** A message in words. */
export interface AlertText {
  /** What has happened, in one sentence without its reason. */
  readonly title: string;
  /** All of it. */
  readonly text: string;
}

interface TextOptions {
  /** Name of the store. @default it has none */
  readonly storeName?: string | undefined;
  readonly lang: Lang;
  readonly nowMs: number;
}

/** Says what has happened, since when, and what a person has to do. */
export function toAlertText(facts: AlertFacts, options: TextOptions): AlertText {
  const title = toTitle(facts, options);
  const { lang } = options;
  const reason = toReason(facts, lang);
  const parts = [
    reason === undefined ? `${title}.` : `${title}: ${reason}.`,
    toLastSuccess(facts, options),
    toOwner(facts, lang),
    toAdvice(facts, lang),
  ];
  const told = parts.filter((part) => part !== undefined).join(" ");
  const store = shownStore({ storeName: options.storeName, storeId: facts.storeId });
  return { title, text: `${told}\n${WORDS[lang].store(store)}` };
}

/** A message that a person asks for to see whether it arrives. */
export function toTestText(
  lang: Lang,
  named: Pick<Connection, "storeId" | "storeName">,
): AlertText {
  const { test, store } = WORDS[lang];
  return { title: test.title, text: `${test.title}. ${test.rest}\n${store(shownStore(named))}` };
}

const toIso = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** What the document of a message is made of; one without facts is a test. */
interface DocumentOptions
  extends Pick<TextOptions, "nowMs" | "storeName">, Pick<AlertFacts, "baseUrl" | "storeId"> {
  readonly id?: string | undefined;
  readonly facts?: AlertFacts | undefined;
}

/** The document of a message. All keys are always there. */
export function toAlertDocument(
  { text }: AlertText,
  { id, facts, nowMs, baseUrl, storeId, storeName }: DocumentOptions,
): Readonly<Record<string, unknown>> {
  const known: Partial<AlertFacts> = facts ?? {};
  const { aheadMs, sinceMs, succeededAtMs } = known;
  const named = (["schedule", "feed", "owner", "run", "code", "rows", "host"] as const).map(
    (key) => [key, known[key] ?? null] as const,
  );
  return {
    id: id ?? `test ${toIso(nowMs)}`,
    cause: known.cause ?? "test",
    at: toIso(nowMs),
    since: toIso(sinceMs),
    last_success: toIso(succeededAtMs),
    store: { base_url: baseUrl, store_id: storeId, name: storeName ?? null },
    ...Object.fromEntries(named),
    clock_ahead_seconds: aheadMs === undefined ? null : Math.round(aheadMs / 1000),
    text,
  };
}

/** Causes whose message says when the last good sync was. */
const LAST_SHOWN: ReadonlySet<AlertCause> = new Set(["failed", "stale"]);

function toLastSuccess(facts: AlertFacts, options: TextOptions): string | undefined {
  if (facts.schedule === undefined || !LAST_SHOWN.has(facts.cause)) return undefined;
  const { last, never } = WORDS[options.lang];
  const { succeededAtMs } = facts;
  return succeededAtMs === undefined ? never : last(toTime(succeededAtMs, facts, options));
}

/** Who is to be asked; the title says it where that person is gone. */
const toOwner = ({ cause, owner }: AlertFacts, lang: Lang): string | undefined =>
  owner === undefined || cause === "owner" ? undefined : WORDS[lang].owner(owner);

/** The time of day, with the day where it is another one. */
function toTime(
  atMs: number,
  { timeZone = "Europe/Istanbul" }: Pick<AlertFacts, "timeZone">,
  { lang, nowMs }: TextOptions,
): string {
  const dayOf = (ms: number): string => formatDateTime(ms, "en", { dateStyle: "short", timeZone });
  const time = formatDateTime(atMs, lang, { timeStyle: "short", timeZone });
  const shown = lang === "tr" ? time.replace(":", ".") : time;
  if (dayOf(atMs) === dayOf(nowMs)) return shown;
  const [, month = "", day = ""] = dayOf(atMs).split("-");
  return lang === "tr" ? `${day}.${month} ${shown}` : `${month}-${day} ${shown}`;
}

/** What the feed is called: by what it gives, and its name. */
function toFeedName({ fields = [], feed }: AlertFacts, lang: Lang): string {
  const { kinds } = WORDS[lang];
  const isStock = fields.some((field) => field.startsWith("stock"));
  const isPrice = fields.some((field) => field.includes("price"));
  const kind = isStock ? (isPrice ? kinds.both : kinds.stock) : isPrice ? kinds.price : kinds.feed;
  return feed === undefined ? kind : `${kind} (${feed})`;
}

function toTitle(facts: AlertFacts, options: TextOptions): string {
  const words = WORDS[options.lang];
  const { cause, run, schedule, rows = 0, aheadMs = 0, host = "?", owner = "?" } = facts;
  const since = toTime(facts.sinceMs, facts, options);
  if (cause === "clock") return words.clock(Math.round(aheadMs / 1000), host);
  if (cause === "period") return toPeriodTitle(facts, options.lang);
  if (schedule === undefined && run !== undefined) return words.run(run, since);
  return words.titles[cause](toFeedName(facts, options.lang), { since, rows, owner });
}

/** The run by its file, and what is wrong with its times. */
function toPeriodTitle({ feed = "", run = "", period }: AlertFacts, lang: Lang): string {
  const told = period?.[lang].replace(/\.$/u, "") ?? "";
  return `“${feed}” (${run}): ${told}`;
}

/** Why; nothing where the title says it. */
function toReason(facts: AlertFacts, lang: Lang): string | undefined {
  const { cause, code } = facts;
  if (cause !== "failed" && cause !== "stale") return undefined;
  const known = code === undefined ? undefined : REASONS[code];
  const told = known?.[lang] ?? facts.reason ?? (cause === "stale" ? STALE[lang] : code);
  return told?.trimEnd().replace(/\.{1,3}$/u, "");
}

function toAdvice(facts: AlertFacts, lang: Lang): string {
  const { cause, code = "", run } = facts;
  const words = WORDS[lang];
  if (cause === "recovered") return words.nothingToDo;
  if (cause === "period") return words.todo(LOOK_AT_RUN[lang](run));
  const known = ADVICE[code];
  if (cause === "failed" && known !== undefined) return words.todo(known[lang](run));
  return words.todo(ADVICE_OF[cause][lang]);
}

const STALE: Localized = {
  tr: "zamanı gelen eşitleme yapılmadı, onu başlatan program kapalı olabilir",
  en: "its syncs were not run when they were due, and the program that starts them may be closed",
};

const REASONS: Readonly<Record<string, Localized>> = {
  AUTH_ERROR: {
    tr: "pazaryeri girişi kabul etmedi (401)",
    en: "the marketplace refused the login (401)",
  },
  PERMISSION_ERROR: {
    tr: "uygulama anahtarının bu mağazaya izni yok (403)",
    en: "the key of the application has no permission for this store (403)",
  },
  NETWORK_ERROR: { tr: "pazaryerine ulaşılamıyor", en: "the marketplace cannot be reached" },
  E_DOWNLOAD_LOGIN: {
    tr: "beslemenin sunucusu girişi kabul etmedi (401)",
    en: "the server of the feed refused the login (401)",
  },
  E_STORE_BUSY: {
    tr: "mağazada başka bir iş sürüyor, sıra gelmiyor",
    en: "other work on the store does not end, and the sync waits for it",
  },
  E_COMMAND: {
    tr: "eşitlemeyi yapan program yarıda kesildi",
    en: "the program that makes the sync ended before it was done",
  },
  E_BREAKER: {
    tr: "yanıtlar üst üste kayboldu ve gönderim kendini durdurdu",
    en: "answers were lost several times in a row, and it stopped itself",
  },
  E_TOO_MANY_REJECTED: {
    tr: "pazaryeri çok fazla satırı reddetti ve gönderim kendini durdurdu",
    en: "the marketplace rejected too many rows, and it stopped itself",
  },
  E_CANARY: {
    tr: "önden gönderilen satırlar mağazada gönderildiği gibi görünmüyor",
    en: "the first rows do not look in the store as they were sent",
  },
};

type Advice = Readonly<Record<Lang, (run: string | undefined) => string>>;

const LOOK_AT_RUN: Advice = {
  tr: (run) => (run === undefined ? "catalog schedule list" : `catalog runs ${run}`),
  en: (run) => (run === undefined ? "catalog schedule list" : `catalog runs ${run}`),
};

const ADVICE: Readonly<Record<string, Advice>> = {
  AUTH_ERROR: { tr: () => "catalog login", en: () => "catalog login" },
  PERMISSION_ERROR: { tr: () => "catalog doctor", en: () => "catalog doctor" },
  E_DOWNLOAD_LOGIN: {
    tr: () => "catalog feed login ADRES",
    en: () => "catalog feed login ADDRESS",
  },
  E_COMMAND: { tr: () => "catalog doctor", en: () => "catalog doctor" },
  E_DISK_FULL: { tr: () => "diskte yer açın", en: () => "make room on the disk" },
  E_BREAKER: LOOK_AT_RUN,
  E_TOO_MANY_REJECTED: LOOK_AT_RUN,
  E_CANARY: LOOK_AT_RUN,
};

const ADVICE_OF: Readonly<Record<Exclude<AlertCause, "recovered" | "period">, Localized>> = {
  failed: { tr: "catalog schedule list", en: "catalog schedule list" },
  stale: {
    tr: "catalog worker ya da catalog sync … --every çalışıyor mu bakın (catalog schedule list)",
    en: "see whether catalog worker or catalog sync … --every is running (catalog schedule list)",
  },
  held: { tr: "catalog release --waiting", en: "catalog release --waiting" },
  owner: {
    tr: "sayfada, Eşitleme bölümünde yeni sorumlusunu seçin",
    en: "choose a new owner on the page, under Sync",
  },
  clock: {
    tr: "bilgisayarın saatini internetten eşitleyin, sonra catalog doctor",
    en: "let the machine set its clock from the network, then catalog doctor",
  },
};

interface TitleParts {
  readonly since: string;
  readonly rows: number;
  readonly owner: string;
}

interface Words {
  readonly kinds: Readonly<Record<"stock" | "price" | "both" | "feed", string>>;
  readonly titles: Readonly<
    Record<Exclude<AlertCause, "clock" | "period">, (feed: string, parts: TitleParts) => string>
  >;
  readonly clock: (seconds: number, host: string) => string;
  readonly run: (run: string, since: string) => string;
  readonly last: (time: string) => string;
  readonly owner: (name: string) => string;
  readonly never: string;
  readonly todo: (what: string) => string;
  readonly nothingToDo: string;
  readonly store: (id: string) => string;
  readonly test: { readonly title: string; readonly rest: string };
}

/** The last word of a number, and the ending of “from” that its sound asks for. */
const ENDINGS: readonly (readonly [values: readonly number[], ending: string])[] = [
  [[1, 2, 7, 8, 20, 50], "den"],
  [[3, 4, 5], "ten"],
  [[0, 6, 9, 10, 30], "dan"],
  [[40], "tan"],
];

/** “from” this time on: 02.15'ten, 02.40'tan, 06.00'dan. */
export function fromTime(time: string): string {
  const [hour = 0, minute = 0] = (/(\d{1,2})\.(\d{1,2})$/u.exec(time)?.slice(1) ?? []).map(Number);
  // Whole hours are read without their minutes.
  const read = minute === 0 ? hour : minute;
  const last = read % 10 === 0 ? read : read % 10;
  const ending = ENDINGS.find(([values]) => values.includes(last))?.[1] ?? "den";
  return `${time}'${ending}`;
}

const WORDS: Readonly<Record<Lang, Words>> = {
  tr: {
    kinds: {
      stock: "Stok beslemesi",
      price: "Fiyat beslemesi",
      both: "Stok ve fiyat beslemesi",
      feed: "Besleme",
    },
    titles: {
      failed: (feed, { since }) => `${feed} ${fromTime(since)} beri çalışmıyor`,
      stale: (feed, { since }) => `${feed} ${fromTime(since)} beri eşitlenmedi`,
      recovered: (feed, { since }) =>
        `${feed} yeniden çalışıyor; ${fromTime(since)} beri çalışmıyordu`,
      held: (feed, { rows }) =>
        `${feed}: ${formatNumber(rows, "tr")} satır gönderilmedi, kararınızı bekliyor`,
      owner: (feed, { owner }) =>
        `${feed}: sorumlusu yok; ${owner} artık bu mağazada onay veremiyor, eşitlemeler sürüyor`,
    },
    clock: (seconds, host) =>
      `${host} adlı bilgisayarın saati pazaryerinin saatinden ${formatNumber(Math.abs(seconds), "tr")} sn ${seconds > 0 ? "ileri" : "geri"}; oturumların süresi yanlış hesaplanır`,
    run: (run, since) => `${run} gönderimi saat ${since} sularında durdu`,
    last: (time) => `Son başarılı eşitleme ${time}.`,
    owner: (name) => `Sorumlusu: ${name}.`,
    never: "Henüz başarılı bir eşitleme olmadı.",
    todo: (what) => `Yapılacak: ${what}`,
    nothingToDo: "Yapılacak bir şey yok.",
    store: (id) => `Mağaza: ${id}`,
    test: {
      title: "Deneme iletisi: uyarılar buraya ulaşıyor",
      rest: "Bir eşitleme çalışmadığında, satırlar kararınızı beklediğinde, zamanı gelen bir geri alma yapılmadığında ya da bir saat şaştığında buraya yazılır.",
    },
  },
  en: {
    kinds: {
      stock: "The stock feed",
      price: "The price feed",
      both: "The stock and price feed",
      feed: "The feed",
    },
    titles: {
      failed: (feed, { since }) => `${feed} has not worked since ${since}`,
      stale: (feed, { since }) => `${feed} has not been synced since ${since}`,
      recovered: (feed, { since }) => `${feed} works again; it had not since ${since}`,
      held: (feed, { rows }) =>
        `${feed}: ${formatNumber(rows, "en")} ${rows === 1 ? "row was not sent and waits" : "rows were not sent and wait"} for your decision`,
      owner: (feed, { owner }) =>
        `${feed} has no owner: ${owner} may not approve in this store any more; its syncs go on`,
    },
    clock: (seconds, host) =>
      `The clock of ${host} is ${formatNumber(Math.abs(seconds), "en")} s ${seconds > 0 ? "ahead of" : "behind"} the marketplace's; logins are thought to last too long or too short`,
    run: (run, since) => `Sending ${run} stopped at about ${since}`,
    last: (time) => `Last good sync: ${time}.`,
    owner: (name) => `Owner: ${name}.`,
    never: "No sync has been good yet.",
    todo: (what) => `To do: ${what}`,
    nothingToDo: "There is nothing to do.",
    store: (id) => `Store: ${id}`,
    test: {
      title: "Test message: alerts arrive here",
      rest: "This is where you are told when a sync does not work, rows wait for your decision, a run was not undone at its time or a clock is off.",
    },
  },
};
