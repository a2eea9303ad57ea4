/** The questions that a person is asked before a plan is made or sent, each with its answers. */

import type { Choice, Terminal } from "@catalog/console";
import { formatNumber, type Lang } from "@catalog/i18n";
import {
  type AskColumn,
  type AskEncoding,
  type AskName,
  type AskSheet,
  describePriceUnitQuestion,
  RESEND_WAIT_MINUTES,
  type UnprovenAdds,
} from "@catalog/importer";
import { findNearestChoice } from "@catalog/report";
import type { AskPriceUnit, OpenNameCount } from "@catalog/runs";

import type { CommandContext } from "./context.ts";
import { tellWarning } from "./run-view.ts";
import { textsFor } from "./texts.ts";

const STOP = "stop";
const MAP = "map:";

const COLUMN_LABELS = {
  tr: { which: "Hangisi olsun?", stop: "Vazgeç; dosya kullanılmasın" },
  en: { which: "What is it?", stop: "Stop; do not use the file" },
} as const;

/** Creates the question; cancelling it refuses the file. */
export function askColumnOn(terminal: Terminal, lang: Lang): AskColumn | undefined {
  if (terminal.choose === undefined) return undefined;
  return async ({ issue, choices }) => {
    const { which, stop } = COLUMN_LABELS[lang];
    const offered: readonly Choice[] = [
      ...choices.map(({ map, label }) => ({ value: `${MAP}${map}`, label: label[lang] })),
      { value: STOP, label: stop },
    ];
    const answer = await terminal.choose?.(`${issue.message[lang]} ${which}`, offered);
    if (answer === undefined || !answer.startsWith(MAP)) return { kind: "stop" };
    return { kind: "map", to: answer.slice(MAP.length) };
  };
}

const NONE = "none";
const READ_AS = "read-as:";

/** Creates the question; cancelling it gives no answer. */
export function askEncodingOn(terminal: Terminal, lang: Lang): AskEncoding | undefined {
  if (terminal.choose === undefined) return undefined;
  return async ({ file, readings }) => {
    const choices: readonly Choice[] = [
      ...readings.map(({ encoding, words }) => ({
        value: `${READ_AS}${encoding}`,
        label: `${words.join(" · ")} (${encoding})`,
      })),
      { value: NONE, label: ENCODING_TEXTS[lang].none },
    ];
    const answer = await terminal.choose?.(ENCODING_TEXTS[lang].question(file), choices);
    return answer?.startsWith(READ_AS) === true ? answer.slice(READ_AS.length) : undefined;
  };
}

const ENCODING_TEXTS = {
  tr: {
    question: (file: string) =>
      `“${file}” dosyasındaki harfler birden çok biçimde okunabiliyor. Hangisi doğru?`,
    none: "Hiçbiri; dosya okunmasın",
  },
  en: {
    question: (file: string) =>
      `The letters in “${file}” can be read in more than one way. Which one is right?`,
    none: "None of them; do not read the file",
  },
} as const;

const LEAVE = "leave";
const MEANS = "means:";

/** Creates the question; cancelling it leaves this name and all later ones open. */
export function askNameOn(terminal: Terminal, lang: Lang): AskName | undefined {
  if (terminal.choose === undefined) return undefined;
  return async (name) => {
    const answer = await terminal.choose?.(toQuestion(name, lang), toNameChoices(name, lang));
    if (answer === LEAVE) return { kind: "leave" };
    if (answer === undefined || !answer.startsWith(MEANS)) return { kind: "stop" };
    return { kind: "means", target: answer.slice(MEANS.length) };
  };
}

const QUESTIONS = {
  tr: (column: string, value: string, rows: string) =>
    `${column}: “${value}” mağazadaki adlardan biriyle eşleşmedi (${rows}). Hangisi olsun?`,
  en: (column: string, value: string, rows: string) =>
    `${column}: “${value}” matches no single name of the store (${rows}). Which one is it?`,
};

function toQuestion({ column, value, rows }: OpenNameCount, lang: Lang): string {
  return QUESTIONS[lang](column, value, textsFor(lang).rows(rows));
}

const NAME_LABELS = {
  tr: { leave: "Hiçbiri; bu satırlar hatalı kalsın", stop: "Sormayı bırak" },
  en: { leave: "None of them; leave these rows as errors", stop: "Stop asking" },
} as const;

/** The first choice is the one that Enter takes, so that a name stands there only if it is near. */
function toNameChoices(name: OpenNameCount, lang: Lang): readonly Choice[] {
  const nearest = findNearestChoice(name);
  const ordered = nearest === undefined ? name.choices : [...new Set([nearest, ...name.choices])];
  const means = ordered.map((choice) => ({ value: `${MEANS}${choice}`, label: choice }));
  const leave = { value: LEAVE, label: NAME_LABELS[lang].leave };
  const stop = { value: STOP, label: NAME_LABELS[lang].stop };
  return nearest === undefined ? [leave, ...means, stop] : [...means, leave, stop];
}

/** Creates the question; cancelling it leaves the unit unknown, and the rows held. */
export function askPriceUnitOn(
  terminal: Pick<Terminal, "choose">,
  lang: Lang,
): AskPriceUnit | undefined {
  if (terminal.choose === undefined) return undefined;
  return async (question) => {
    const { text, choices } = describePriceUnitQuestion(question);
    const offered = choices.map(({ unit, label }) => ({ value: unit, label: label[lang] }));
    const answer = await terminal.choose?.(text[lang], offered);
    return answer === "minor" || answer === "major" ? answer : undefined;
  };
}

const READ = "read:";
/** Stands for all sheets with the same headers. */
const ALL = "all";

type Sheets = Parameters<AskSheet>[0]["sheets"];

/** Creates the question; cancelling it gives no answer. */
export function askSheetOn(terminal: Terminal, lang: Lang): AskSheet | undefined {
  if (terminal.choose === undefined) return undefined;
  const texts = SHEET_TEXTS[lang];
  const choose = async (
    question: string,
    choices: readonly Choice[],
  ): Promise<string | undefined> => await terminal.choose?.(question, choices);
  const toChoices = (sheets: Sheets): readonly Choice[] =>
    sheets.map(({ name, rows }) => ({
      value: `${READ}${name}`,
      label: rows === undefined ? name : `${name} (${texts.rows(rows)})`,
    }));
  const askMore = async (sheets: Sheets, first: string): ReturnType<AskSheet> => {
    const chosen = [first];
    while (chosen.length < sheets.length) {
      const left = sheets.filter(({ name }) => !chosen.includes(name));
      const enough = { value: NONE, label: texts.enough(chosen) };
      const more = await choose(texts.more, [enough, ...toChoices(left)]);
      if (more === undefined) return undefined;
      if (more === NONE) break;
      chosen.push(more.slice(READ.length));
    }
    return chosen.length === 1 ? first : chosen;
  };
  return async ({ file, sheets }) => {
    const answer = await choose(texts.question(file), [
      ...toChoices(sheets),
      { value: READ + ALL, label: texts.all },
      { value: NONE, label: texts.none },
    ]);
    if (answer?.startsWith(READ) !== true) return undefined;
    const first = answer.slice(READ.length);
    // Of two sheets, one or all of them are every choice.
    if (answer === READ + ALL || sheets.length < 3) return first;
    return await askMore(sheets, first);
  };
}

const SHEET_TEXTS = {
  tr: {
    question: (file: string) =>
      `“${file}” dosyasının birden çok sayfasında veri var. Hangisi okunsun?`,
    rows: (rows: number) => `${formatNumber(rows, "tr")} dolu satır`,
    all: "Aynı başlıklı sayfaların hepsi, tek dosya gibi",
    none: "Hiçbiri; dosya okunmasın",
    more: "Onunla birlikte başka bir sayfa da okunsun mu?",
    enough: (names: readonly string[]) => `Hayır; okunacaklar: ${names.join(", ")}`,
  },
  en: {
    question: (file: string) => `Several sheets of “${file}” have data. Which one is to be read?`,
    rows: (rows: number) => `${formatNumber(rows, "en")} filled ${rows === 1 ? "row" : "rows"}`,
    all: "All sheets with the same headers, as one file",
    none: "None of them; do not read the file",
    more: "Is another sheet to be read together with it?",
    enough: (names: readonly string[]) => `No; these are read: ${names.join(", ")}`,
  },
} as const;

interface UnprovenTexts {
  readonly why: Readonly<Record<UnprovenAdds["cause"], string>>;
  readonly risk: (rows: number) => string;
  readonly ask: (rows: number) => string;
}

const UNPROVEN_TEXTS: Readonly<Record<Lang, UnprovenTexts>> = {
  tr: {
    why: {
      restored:
        "Veritabanı eski bir kopya (geri yüklenen bir yedek gibi), ya da başka bir kopyasıyla sırayla kullanılıyor: öteki kopyanın neleri gönderdiği burada yazmıyor.",
      silent: `Bu çalıştırma ${RESEND_WAIT_MINUTES} dakikadan uzun süredir hiçbir şey göndermedi; veritabanının yerine bu arada eski bir kopya konmuş olabilir.`,
    },
    risk: (rows) =>
      `Bu mağazanın eklenen ürünleri gösterdiği henüz görülmedi; mağazada görünmemeleri bir şey kanıtlamaz. Eklenecek ${rows} ürün önceden eklenmişse ikinci kez eklenir, silinemez de. Önce mağaza panelinde arayın.`,
    ask: (rows) => `${rows} ürün yine de eklensin mi? Hayır derseniz bekletilir.`,
  },
  en: {
    why: {
      restored:
        "The database is an older copy (such as a restored backup), or is used in turns with another copy of it: what the other one has sent is not written down here.",
      silent: `This run has sent nothing for more than ${RESEND_WAIT_MINUTES} minutes; an older copy of the database may have been put in its place.`,
    },
    risk: (rows) =>
      `This store has not been seen to show the products that are added to it, so not finding them proves nothing. If the products to add (${rows}) were added before, they will be there twice, and cannot be deleted. Look for them in the store's panel first.`,
    ask: (rows) => `Add them all the same (${rows})? If not, they are held.`,
  },
};

/** `undefined` where no question can be or `mayAsk`; `--yes` does not answer it, but skips it. */
export async function askUnprovenAdds(
  { terminal, lang, json }: CommandContext,
  { cause, rows }: UnprovenAdds,
  mayAsk: boolean,
): Promise<boolean | undefined> {
  const texts = UNPROVEN_TEXTS[lang];
  for (const text of [texts.why[cause], texts.risk(rows)]) tellWarning({ terminal }, text);
  return json || !mayAsk || !terminal.canAsk
    ? undefined
    : await terminal.ask(texts.ask(rows), textsFor(lang));
}
