/** The questions that a person is asked before a plan is made or sent, each with its answers. */

import type { Choice, Terminal } from "@catalog/console";
import { formatNumber, type Lang } from "@catalog/i18n";
import { describePriceUnitQuestion, type PlanQuestions } from "@catalog/importer";
import { findNearestChoice } from "@catalog/report";
import { describeSuggestion, RESEND_WAIT_MINUTES } from "@catalog/runs";

import type { CommandContext } from "./context.ts";
import { tellWarning } from "./run-view.ts";
import { textsFor } from "./texts.ts";

type OpenNameCount = Parameters<NonNullable<PlanQuestions["askName"]>>[0];

/** What a person chooses from; `undefined` where the question is cancelled. */
type Choose = (question: string, choices: readonly Choice[]) => Promise<string | undefined>;

type Ask<Name extends keyof PlanQuestions> = NonNullable<PlanQuestions[Name]>;

/**
 * Creates the questions of planning; none where the terminal cannot ask. `onAsk` is called before
 * each, as it ends the progress line, which a question would split.
 */
export function createQuestions(
  terminal: Pick<Terminal, "choose">,
  lang: Lang,
  onAsk: () => void = () => undefined,
): PlanQuestions {
  if (terminal.choose === undefined) return {};
  const choose: Choose = async (question, choices) => {
    onAsk();
    return await terminal.choose?.(question, choices);
  };
  return {
    askColumn: askColumnOn(choose, lang),
    askEncoding: askEncodingOn(choose, lang),
    askName: askNameOn(choose, lang),
    askPriceUnit: askPriceUnitOn(choose, lang),
    askSheet: askSheetOn(choose, lang),
  };
}

// The answers have marks of their own, which no name, encoding or sheet can be taken for.
const STOP = "stop";
const NONE = "none";
const LEAVE = "leave";
const CHOSEN = "chosen:";

const toChoice = (value: string, label: string): Choice => ({ value: CHOSEN + value, label });

/** What was chosen of the offered things; `undefined` for any other answer. */
const readChosen = (answer: string | undefined): string | undefined =>
  answer?.startsWith(CHOSEN) === true ? answer.slice(CHOSEN.length) : undefined;

const COLUMN_LABELS = {
  tr: { which: "Hangisi olsun?", stop: "Vazgeç; dosya kullanılmasın" },
  en: { which: "What is it?", stop: "Stop; do not use the file" },
} as const;

/** Cancelling it refuses the file. */
const askColumnOn =
  (choose: Choose, lang: Lang): Ask<"askColumn"> =>
  async ({ issue, choices }) => {
    const { which, stop } = COLUMN_LABELS[lang];
    const to = readChosen(
      await choose(`${issue.message[lang]} ${which}`, [
        ...choices.map(({ map, label }) => toChoice(map, label[lang])),
        { value: STOP, label: stop },
      ]),
    );
    return to === undefined ? { kind: "stop" } : { kind: "map", to };
  };

/** Cancelling it gives no answer. */
const askEncodingOn =
  (choose: Choose, lang: Lang): Ask<"askEncoding"> =>
  async ({ file, readings }) =>
    readChosen(
      await choose(ENCODING_TEXTS[lang].question(file), [
        ...readings.map(({ encoding, words }) =>
          toChoice(encoding, `${words.join(" · ")} (${encoding})`),
        ),
        { value: NONE, label: ENCODING_TEXTS[lang].none },
      ]),
    );

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

/** Cancelling it leaves this name and all later ones open. */
const askNameOn =
  (choose: Choose, lang: Lang): Ask<"askName"> =>
  async (name) => {
    const answer = await choose(toQuestion(name, lang), toNameChoices(name, lang));
    const target = readChosen(answer);
    if (target !== undefined) return { kind: "means", target };
    return { kind: answer === LEAVE ? "leave" : "stop" };
  };

const QUESTIONS = {
  tr: {
    open: (column: string, value: string, rows: string) =>
      `${column}: “${value}” mağazadaki adlardan biriyle eşleşmedi (${rows}).`,
    samples: "Örnek:",
    which: "Hangisi olsun?",
  },
  en: {
    open: (column: string, value: string, rows: string) =>
      `${column}: “${value}” matches no single name of the store (${rows}).`,
    samples: "Such as:",
    which: "Which one is it?",
  },
};

/** Long titles say no more than their beginning. */
const MAX_TITLE_CHARS = 60;

function toQuestion({ column, value, rows, titles }: OpenNameCount, lang: Lang): string {
  const { open, samples, which } = QUESTIONS[lang];
  const shown = titles.map((title) =>
    title.length > MAX_TITLE_CHARS
      ? `“${title.slice(0, MAX_TITLE_CHARS).trimEnd()}…”`
      : `“${title}”`,
  );
  const products = shown.length === 0 ? [] : [`${samples} ${shown.join(", ")}.`];
  return [open(column, value, textsFor(lang).rows(rows)), ...products, which].join(" ");
}

const NAME_LABELS = {
  tr: { leave: "Hiçbiri; bu satırlar hatalı kalsın", stop: "Sormayı bırak" },
  en: { leave: "None of them; leave these rows as errors", stop: "Stop asking" },
} as const;

/** The first choice is the one that Enter takes, so that a name stands there only if it is near. */
function toNameChoices(name: OpenNameCount, lang: Lang): readonly Choice[] {
  const nearest = findNearestChoice(name);
  const ordered = nearest === undefined ? name.choices : [...new Set([nearest, ...name.choices])];
  const means = ordered.map((choice) => toChoice(choice, toLabel(name, choice, lang)));
  const leave = { value: LEAVE, label: NAME_LABELS[lang].leave };
  const stop = { value: STOP, label: NAME_LABELS[lang].stop };
  return nearest === undefined ? [leave, ...means, stop] : [...means, leave, stop];
}

/** A choice with what speaks for it, where that is more than the name itself. */
function toLabel({ suggestions }: OpenNameCount, choice: string, lang: Lang): string {
  const suggestion = suggestions.find(({ target }) => target === choice);
  if (suggestion === undefined) return choice;
  if (suggestion.why.kind === "words" && suggestion.coverage === undefined) return choice;
  return `${choice} (${describeSuggestion(suggestion)[lang]})`;
}

/** Cancelling it leaves the unit unknown, and the rows held. */
const askPriceUnitOn =
  (choose: Choose, lang: Lang): Ask<"askPriceUnit"> =>
  async (question) => {
    const { text, choices } = describePriceUnitQuestion(question);
    const offered = choices.map(({ unit, label }) => ({ value: unit, label: label[lang] }));
    const answer = await choose(text[lang], offered);
    return answer === "minor" || answer === "major" ? answer : undefined;
  };

/** Stands for all sheets with the same headers. */
const ALL = "all";

/** Cancelling it gives no answer. */
function askSheetOn(choose: Choose, lang: Lang): Ask<"askSheet"> {
  const texts = SHEET_TEXTS[lang];
  type Sheets = Parameters<Ask<"askSheet">>[0]["sheets"];
  const toChoices = (sheets: Sheets): readonly Choice[] =>
    sheets.map(({ name, rows }) =>
      toChoice(name, rows === undefined ? name : `${name} (${texts.rows(rows)})`),
    );
  return async ({ file, of, sheets }) => {
    if (of === "record") {
      const offered = sheets.map(({ name, rows = 0, sample = [] }) =>
        toChoice(name, `${name} (${formatNumber(rows, lang)}: ${sample.join(", ")})`),
      );
      const none = { value: NONE, label: texts.none };
      return readChosen(await choose(texts.record(file), [...offered, none]));
    }
    const first = readChosen(
      await choose(texts.question(file), [
        ...toChoices(sheets),
        toChoice(ALL, texts.all),
        { value: NONE, label: texts.none },
      ]),
    );
    // Of two sheets, one or all of them are every choice.
    if (first === undefined || first === ALL || sheets.length < 3) return first;
    const chosen = [first];
    while (chosen.length < sheets.length) {
      const left = sheets.filter(({ name }) => !chosen.includes(name));
      const enough = { value: NONE, label: texts.enough(chosen) };
      const more = await choose(texts.more, [enough, ...toChoices(left)]);
      if (more === undefined) return undefined;
      if (more === NONE) break;
      chosen.push(readChosen(more) ?? "");
    }
    return chosen.length === 1 ? first : chosen;
  };
}

const SHEET_TEXTS = {
  tr: {
    question: (file: string) =>
      `“${file}” dosyasının birden çok sayfasında veri var. Hangisi okunsun?`,
    record: (file: string) => `“${file}” içinde hangi kayıt bir ürün (ya da varyant)?`,
    rows: (rows: number) => `${formatNumber(rows, "tr")} dolu satır`,
    all: "Aynı başlıklı sayfaların hepsi, tek dosya gibi",
    none: "Hiçbiri; dosya okunmasın",
    more: "Onunla birlikte başka bir sayfa da okunsun mu?",
    enough: (names: readonly string[]) => `Hayır; okunacaklar: ${names.join(", ")}`,
  },
  en: {
    question: (file: string) => `Several sheets of “${file}” have data. Which one is to be read?`,
    record: (file: string) => `Which record of “${file}” is a product (or a variant)?`,
    rows: (rows: number) => `${formatNumber(rows, "en")} filled ${rows === 1 ? "row" : "rows"}`,
    all: "All sheets with the same headers, as one file",
    none: "None of them; do not read the file",
    more: "Is another sheet to be read together with it?",
    enough: (names: readonly string[]) => `No; these are read: ${names.join(", ")}`,
  },
} as const;

/** Adds that may have been sent before, and why that is not known. */
interface UnprovenAdds {
  readonly cause: "restored" | "silent";
  readonly rows: number;
}

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
