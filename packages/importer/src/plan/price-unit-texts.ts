/** Texts about an unknown unit of prices: the question and the warning. */

import { formatMinor, formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type {
  PlanFacts,
  PriceUnitExample,
  PriceUnitQuestion,
  PriceUnitSuggestion,
  RunWarning,
} from "@catalog/runs";

type Unit = PriceUnitSuggestion["unit"];

/** Texts of the question. */
interface PriceUnitQuestionText {
  /** Several lines: the subject, and up to three products. */
  readonly text: Localized;
  readonly choices: readonly { readonly unit: Unit | "unknown"; readonly label: Localized }[];
}

/** Words the question in amounts of money, so that a person can answer it quickly. */
export function describePriceUnitQuestion(question: PriceUnitQuestion): PriceUnitQuestionText {
  const [first] = question.examples;
  const text = (lang: Lang): string =>
    [
      TEXTS[lang].question,
      ...question.examples.map((example) => `  ${TEXTS[lang].product(example)}`),
      ...describeSuggestion(question.suggestion, lang),
    ].join("\n");
  const label = (unit: Unit): Localized => ({
    tr: TEXTS.tr.choice(unit, first && readAs(first, unit, "tr")),
    en: TEXTS.en.choice(unit, first && readAs(first, unit, "en")),
  });
  return {
    text: { tr: text("tr"), en: text("en") },
    choices: [
      // The first option is the default on Enter.
      { unit: "unknown", label: { tr: TEXTS.tr.unsure, en: TEXTS.en.unsure } },
      { unit: "major", label: label("major") },
      { unit: "minor", label: label("minor") },
    ],
  };
}

export const PRICE_UNIT_WARNING = "W_PRICE_UNIT_UNKNOWN";

/** One warning where rows of a plan wait for the unit. */
export function warnOfPriceUnit({
  rows,
  facts,
}: {
  readonly rows: number;
  readonly facts: Pick<PlanFacts, "priceUnitQuestion">;
}): readonly RunWarning[] {
  if (rows === 0) return [];
  const { examples = [], suggestion } = facts.priceUnitQuestion ?? {};
  const describe = (lang: Lang): string =>
    [
      TEXTS[lang].held(rows),
      ...examples.slice(0, 1).map(TEXTS[lang].product),
      ...describeSuggestion(suggestion, lang),
      TEXTS[lang].next,
    ].join(" ");
  return [{ code: PRICE_UNIT_WARNING, message: { tr: describe("tr"), en: describe("en") } }];
}

/**
 * The unit that a sheet suggests, with the flag that confirms it; `undefined` where it suggests
 * none.
 */
export const describeSuggestion = (
  suggestion: PriceUnitSuggestion | undefined,
  lang: Lang,
): readonly string[] => (suggestion === undefined ? [] : [TEXTS[lang].suggestion(suggestion)]);

/** A listed price as the store shows it, and as money in either unit. */
interface PriceUnitReadings {
  readonly code: string;
  readonly shown: string;
  readonly minor: string;
  readonly major: string;
}

/** The readings of the first product of a question; `undefined` where it has none. */
export function readPriceUnitExample(
  { examples: [first] }: Pick<PriceUnitQuestion, "examples">,
  lang: Lang,
): PriceUnitReadings | undefined {
  if (first === undefined) return undefined;
  const { code, shown } = first;
  const read = (unit: Unit): string => readAs(first, unit, lang);
  return { code, shown: String(shown), minor: read("minor"), major: read("major") };
}

/** The listed price as money if it were in this unit. */
function readAs({ shown, currency }: PriceUnitExample, unit: Unit, lang: Lang): string {
  const amount = formatMinor(unit === "minor" ? shown : shown * 100, lang);
  return currency === undefined ? amount : `${amount} ${currency}`;
}

interface Texts {
  readonly question: string;
  readonly product: (example: PriceUnitExample) => string;
  readonly choice: (unit: Unit, amount: string | undefined) => string;
  readonly unsure: string;
  readonly suggestion: (suggestion: PriceUnitSuggestion) => string;
  readonly held: (rows: number) => string;
  readonly next: string;
}

const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: {
    question: "Mağaza listesindeki fiyatlar lira mı, kuruş mu? Ürünlerin gerçek fiyatına bakın:",
    product: (example) =>
      `Mağaza ${example.code} için ${example.shown} gösteriyor: bu ${readAs(example, "major", "tr")} mi, ${readAs(example, "minor", "tr")} mi?`,
    choice: (unit, amount) =>
      `${unit === "major" ? "Lira" : "Kuruş"}${amount === undefined ? "" : `: ilk ürün ${amount}`}`,
    unsure: "Bilmiyorum; fiyatı değişecek satırlar beklesin",
    suggestion: ({ unit, pairs }) =>
      `Mağazadaki fiyatlar ${unit === "major" ? "lira" : "kuruş"} sayılırsa dosyadaki ${pairs} fiyat mağazadakiyle aynı çıkıyor. Bu bir ipucudur, kanıt değildir (fiyatlar dosyada da 100 kat kaymış olabilir); doğruysa --price-unit ${unit} ile onaylayın.`,
    held: (rows) =>
      `${rows} satır fiyatı değişeceği için bekletildi: mağaza listesindeki fiyatların lira mı kuruş mu olduğu henüz bilinmiyor, eski ve yeni fiyat karşılaştırılamadı.`,
    next: "Bir ürünün gerçek fiyatına bakıp dosyayı bir kez --price-unit major (lira) ya da --price-unit minor (kuruş) ile çalıştırın; sonrakiler hatırlar. Eklenen ürünlerin fiyatı mağazadan geri okununca birim öğrenilir ve bu satırlar catalog resume ile ilerler.",
  },
  en: {
    question:
      "Are the prices of the store's listing in major units (such as lira) or minor units (kuruş)? Compare with the real prices:",
    product: (example) =>
      `The store shows ${example.shown} for ${example.code}: is that ${readAs(example, "major", "en")} or ${readAs(example, "minor", "en")}?`,
    choice: (unit, amount) =>
      `${unit === "major" ? "Major units" : "Minor units"}${amount === undefined ? "" : `: the first product costs ${amount}`}`,
    unsure: "I don't know; let the rows wait whose price would change",
    suggestion: ({ unit, pairs }) =>
      `If the store's prices are in ${unit} units, ${pairs} prices of the file equal the store's. That is a hint and no proof (the prices of the file may be 100 times off as well); if it is right, confirm it with --price-unit ${unit}.`,
    held: (rows) =>
      `${rows === 1 ? "1 row is" : `${formatNumber(rows, "en")} rows are`} held because the price would change: it is not known yet whether the store's listing has prices in major or minor units, so the old and the new price could not be compared.`,
    next: "Look up the real price of one product and run the file once with --price-unit major or --price-unit minor; later runs remember it. As soon as an added product has been read back, the unit is known; then continue with catalog resume.",
  },
};
