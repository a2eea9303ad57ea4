/** How a store rewrites the product codes that it is sent, as far as its listing has shown. */

/** One change that a store makes to a code. */
type NormalizationStep = "trim" | "nfkc" | "visible" | "upper" | "lower" | "upper-tr" | "lower-tr";

/** The changes in their order; an empty list stands for a store that keeps codes as they are. */
export type CodeNormalization = readonly NormalizationStep[];

/** A code as it was sent, and as the listing shows it for the product that it created. */
export interface CodePair {
  readonly sent: string;
  readonly shown: string;
}

const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u2060\ufeff]/gu;

const STEPS: Readonly<Record<NormalizationStep, (code: string) => string>> = {
  trim: (code) => code.trim(),
  nfkc: (code) => code.normalize("NFKC"),
  visible: (code) => code.replaceAll(INVISIBLE, "").replace(/^['‘’ʼ＇`´]/u, ""),
  upper: (code) => code.toUpperCase(),
  lower: (code) => code.toLowerCase(),
  "upper-tr": (code) => code.toLocaleUpperCase("tr"),
  "lower-tr": (code) => code.toLocaleLowerCase("tr"),
};

/** Rewrites a code as the store does. */
export function normalizeCode(normalization: CodeNormalization, code: string): string {
  return normalization.reduce((text, step) => STEPS[step](text), code);
}

const CASES: readonly CodeNormalization[] = [[], ["upper"], ["lower"], ["upper-tr"], ["lower-tr"]];

/** The known ways of rewriting, simple ones first. */
const NORMALIZATIONS: readonly CodeNormalization[] = [
  ...CASES.map((letters) => toNormalization([], letters)),
  ...CASES.map((letters) => toNormalization(["nfkc"], letters)),
  ...CASES.map((letters) => toNormalization(["visible"], letters)),
  ...CASES.map((letters) => toNormalization(["nfkc", "visible"], letters)),
];

function toNormalization(form: CodeNormalization, letters: CodeNormalization): CodeNormalization {
  return ["trim", ...form, ...letters];
}

/**
 * Returns the simplest way that explains every pair; `undefined` where none does, or none is
 * needed. Codes with the same key are equal.
 */
export function learnCodeNormalization(
  pairs: readonly CodePair[],
  codeKey: (code: string) => string,
): CodeNormalization | undefined {
  if (pairs.every(({ sent, shown }) => codeKey(sent) === codeKey(shown))) return undefined;
  return NORMALIZATIONS.find((normalization) =>
    pairs.every(
      ({ sent, shown }) => codeKey(normalizeCode(normalization, sent)) === codeKey(shown),
    ),
  );
}

/** Returns other spellings of a code, for filters that are exact. */
export function codeVariants(code: string): readonly string[] {
  const plain = STEPS.visible(STEPS.nfkc(code.trim()));
  const variants = new Set([plain, plain.toUpperCase(), plain.toLowerCase()]);
  variants.delete(code);
  return [...variants];
}

/** Zeros with which a number is searched, beyond those that it has. */
const MAX_ZEROS = 4;

/** Digits with letters that look like digits, up to the next sign or other letter. */
const MISREAD = /[\dOoIl]+/gu;
const SEPARATORS = /[\p{Pd}\s_./]+/gu;

/**
 * Returns other spellings of a code that a person may have typed for the same product, for filters
 * that are exact: those of {@link codeVariants}, a number with other leading zeros, other
 * separators, and digits for O, I and l. Not all of them: those that are common.
 */
export function lookAlikeVariants(code: string): readonly string[] {
  const typed = code.trim();
  const variants = new Set(codeVariants(code));
  for (const zeros of toZeroVariants(typed)) variants.add(zeros);
  if (typed.search(SEPARATORS) !== -1) {
    for (const separator of ["-", "_", " ", ""]) {
      variants.add(typed.replaceAll(SEPARATORS, separator));
    }
  }
  variants.add(
    typed.replaceAll(MISREAD, (signs) =>
      /\d/u.test(signs) ? signs.replaceAll(/o/giu, "0").replaceAll(/[Il]/gu, "1") : signs,
    ),
  );
  variants.delete(code);
  variants.delete("");
  return [...variants];
}

function toZeroVariants(code: string): readonly string[] {
  if (!/^\d+$/u.test(code)) return [];
  const plain = code.replace(/^0+(?=\d)/u, "");
  const zeros = Math.max(MAX_ZEROS, code.length - plain.length);
  return Array.from({ length: zeros + 1 }, (_, count) => "0".repeat(count) + plain);
}

/**
 * Returns other codes to search where a code is not found: the store's rewriting of it, and every
 * variant where a missing product may be sent again.
 */
export function toSearchedCodes(
  code: string,
  normalization: CodeNormalization = [],
  maySend = false,
): readonly string[] {
  if (maySend) return codeVariants(code);
  const stored = normalizeCode(normalization, code);
  return stored === code ? [] : [stored];
}
