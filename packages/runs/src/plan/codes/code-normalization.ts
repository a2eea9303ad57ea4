/** How a store rewrites the product codes that it is sent, as far as its listing has shown. */

/** One change that a store makes to a code. */
export type CodeStep = "trim" | "nfkc" | "visible" | "upper" | "lower" | "upper-tr" | "lower-tr";

/** The changes in their order; an empty list stands for a store that keeps codes as they are. */
export type CodeWay = readonly CodeStep[];

/** A code as it was sent, and as the listing shows it for the product that it created. */
export interface CodePair {
  readonly sent: string;
  readonly shown: string;
}

const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u2060\ufeff]/gu;

const STEPS: Readonly<Record<CodeStep, (code: string) => string>> = {
  trim: (code) => code.trim(),
  nfkc: (code) => code.normalize("NFKC"),
  visible: (code) => code.replaceAll(INVISIBLE, "").replace(/^['‘’ʼ＇`´]/u, ""),
  upper: (code) => code.toUpperCase(),
  lower: (code) => code.toLowerCase(),
  "upper-tr": (code) => code.toLocaleUpperCase("tr"),
  "lower-tr": (code) => code.toLocaleLowerCase("tr"),
};

/** Rewrites a code as the store does. */
export function writeCode(way: CodeWay, code: string): string {
  return way.reduce((text, step) => STEPS[step](text), code);
}

const CASES: readonly CodeWay[] = [[], ["upper"], ["lower"], ["upper-tr"], ["lower-tr"]];

/** The known ways of rewriting, simple ones first. */
const WAYS: readonly CodeWay[] = [
  ...CASES.map((letters) => toWay([], letters)),
  ...CASES.map((letters) => toWay(["nfkc"], letters)),
  ...CASES.map((letters) => toWay(["visible"], letters)),
  ...CASES.map((letters) => toWay(["nfkc", "visible"], letters)),
];

function toWay(form: CodeWay, letters: CodeWay): CodeWay {
  return ["trim", ...form, ...letters];
}

/**
 * Returns the simplest way that explains every pair; `undefined` where none does, or none is
 * needed. Codes with the same key are equal.
 */
export function learnCodeWay(
  pairs: readonly CodePair[],
  codeKey: (code: string) => string,
): CodeWay | undefined {
  if (pairs.every(({ sent, shown }) => codeKey(sent) === codeKey(shown))) return undefined;
  return WAYS.find((way) =>
    pairs.every(({ sent, shown }) => codeKey(writeCode(way, sent)) === codeKey(shown)),
  );
}

/** Returns other spellings of a code, for filters that are exact. */
export function variantsOf(code: string): readonly string[] {
  const plain = STEPS.visible(STEPS.nfkc(code.trim()));
  const variants = new Set([plain, plain.toUpperCase(), plain.toLowerCase()]);
  variants.delete(code);
  return [...variants];
}

/**
 * Returns other codes to search where a code is not found: the store's rewriting of it, and every
 * variant where a missing product may be sent again.
 */
export function toAsked(code: string, way: CodeWay = [], maySend = false): readonly string[] {
  if (maySend) return variantsOf(code);
  const stored = writeCode(way, code);
  return stored === code ? [] : [stored];
}
