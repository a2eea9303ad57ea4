/** Product codes that look alike, and how the store rewrites codes: what an add must not be taken for. */

import type { Lang, Localized } from "@catalog/i18n";

import type { RowRepository } from "../ports/journal.ts";
import { type RowIssue, toIssue } from "../row/issues.ts";
import type { CandidateRow, RowDecision } from "../row/row-record.ts";
import { createCompactTextMap } from "./compact-text-map.ts";

/** A code that is in use, by a product of the store or by a row of a run. */
export interface TakenCode {
  readonly code: string;
  readonly suspectKey: string;
  /**
   * `store`: in the last listing; `sent`: in the ledger; `waiting`: on a row of a run under way.
   */
  readonly where: "store" | "sent" | "waiting";
  /** Id of the product, or of the run where the code is waiting. */
  readonly id: string;
  /** Title of the product, where it is known. */
  readonly title?: string | undefined;
}

/** The product codes of one store. */
export interface CodeRegistry {
  /**
   * Reads the codes in use that have one of these keys. Rows of the run itself, and the products
   * that they have added, are left out. For `null`, rows that wait to be sent are left out, of
   * whatever run: they may change while the caller is at work.
   */
  readLookAlikes(
    runId: string | null,
    suspectKeys: readonly string[],
  ): Promise<readonly TakenCode[]>;
  /**
   * Reads codes of our adds as sent and as the last listing shows them, pairs that differ first.
   */
  readPairs(limit: number): Promise<readonly CodePair[]>;
  /** Reads how the store rewrites codes, as it was learnt last. */
  readNormalization(): Promise<CodeNormalization | undefined>;
  saveNormalization(normalization: CodeNormalization | undefined): Promise<void>;
}

/** How look-alike codes are found, and whether they are allowed. */
export interface LookAlikeOptions {
  readonly registry: CodeRegistry;
  /** Product codes that share only this key look alike. */
  readonly suspectKey: (code: string) => string;
  /**
   * Whether two codes with one key are known to be two codes, so that no person is asked.
   * @default never
   */
  readonly areApart?: ((one: string, other: string) => boolean) | undefined;
  /**
   * Key that a code shares with what a store makes of it. @default `suspectKey`
   */
  readonly rewrittenKey?: ((code: string) => string) | undefined;
  /** Look-alike codes are different products. @default false */
  readonly isAllowed?: boolean | undefined;
}

/** Maximum number of pairs; more add no information. */
const MAX_PAIRS = 500;

/**
 * Reads how the store rewrites codes: from its last listing, or from what was learnt before where
 * that listing shows no rewritten code.
 */
export async function readCodeNormalization(
  { registry, suspectKey, rewrittenKey = suspectKey }: LookAlikeOptions,
  codeKey: (code: string) => string,
): Promise<CodeNormalization> {
  const found = await registry.readPairs(MAX_PAIRS);
  // A product whose code was replaced by another one is left out.
  const pairs = found.filter(({ sent, shown }) => rewrittenKey(sent) === rewrittenKey(shown));
  const known = (await registry.readNormalization()) ?? [];
  const isChanged = pairs.some(({ sent, shown }) => codeKey(sent) !== codeKey(shown));
  const isKept = pairs.some(({ sent }) => codeKey(normalizeCode(known, sent)) !== codeKey(sent));
  if (!isChanged && !isKept) return known;
  const learned = learnCodeNormalization(pairs, codeKey);
  await registry.saveNormalization(learned);
  return learned ?? [];
}

/** Returns the key of a code as the store rewrites it; `null` where that is the code's own key. */
export function toStoredKey(
  normalization: CodeNormalization,
  { code, codeKey: key }: Pick<CandidateRow, "code" | "codeKey">,
  codeKey: (code: string) => string,
): string | null {
  if (normalization.length === 0 || code === null) return null;
  const stored = codeKey(normalizeCode(normalization, code));
  return stored === key ? null : stored;
}

/** Returns the codes in use that look like those of the rows, by row; `null` for rows of no run. */
export async function readLookAlikes(
  { registry, suspectKey, areApart = () => false, isAllowed = false }: LookAlikeOptions,
  runId: string | null,
  rows: readonly Pick<CandidateRow, "row" | "code" | "codeKey">[],
): Promise<ReadonlyMap<number, readonly TakenCode[]>> {
  if (isAllowed || rows.length === 0) return new Map();
  const keys = rows.map(({ row, code, codeKey }) => ({
    row,
    codeKey,
    key: suspectKey(code ?? ""),
  }));
  const wanted = keys.map(({ key }) => key).filter((key) => key !== "");
  const taken = Map.groupBy(await registry.readLookAlikes(runId, wanted), (one) => one.suspectKey);
  // An equal code on a waiting row is refused when the second of the two starts to be sent.
  const others = (codeKey: string | null, key: string): readonly TakenCode[] =>
    taken.get(key)?.filter(({ code }) => code !== codeKey && !areApart(code, codeKey ?? "")) ?? [];
  return new Map(keys.map(({ row, codeKey, key }) => [row, others(codeKey, key)]));
}

/** Codes in use that look like that of a row. */
export interface UsedLookAlikes {
  readonly codes: readonly string[];
  /** Says where they are in use, and what speaks for one product. */
  readonly describe: (row: LookAlikeRow) => Localized;
}

/**
 * Finds the codes that the store has shown or that runs have sent and that look like those of rows
 * of no run. A row whose code the store itself rewrites has none, as it is the product then.
 * Makes no call.
 */
export async function readUsedLookAlikes(
  options: LookAlikeOptions,
  rows: readonly Pick<CandidateRow, "row" | "code" | "codeKey">[],
  codeKey: (code: string) => string,
): Promise<ReadonlyMap<number, UsedLookAlikes>> {
  if (rows.length === 0) return new Map();
  const normalization = (await options.registry.readNormalization()) ?? [];
  const found = await readLookAlikes(options, null, rows);
  return new Map(
    rows.flatMap((each) => {
      const taken = found.get(each.row) ?? [];
      const stored = toStoredKey(normalization, each, codeKey);
      if (taken.length === 0 || taken.some(({ code }) => code === stored)) return [];
      const codes = taken.map(({ code }) => code);
      const describe = (row: LookAlikeRow): Localized => describeLookAlikes(row, taken);
      return [[each.row, { codes, describe }] as const];
    }),
  );
}

const MAX_NAMED = 3;

/** A row whose code looks like others. */
interface LookAlikeRow extends Pick<CandidateRow, "code" | "codeLocation"> {
  /** Title of the product that the row would add. */
  readonly title: string | undefined;
}

/** Creates the issue of a row whose code looks like codes in use. */
export function toLookAlikeIssue(row: LookAlikeRow, taken: readonly TakenCode[]): RowIssue {
  return toIssue("E_CODE_SUSPECT", row.codeLocation, describeLookAlikes(row, taken));
}

/** Says where the codes are in use, and what speaks for one product. */
function describeLookAlikes(row: LookAlikeRow, taken: readonly TakenCode[]): Localized {
  const listed = new Set(taken.flatMap(({ where, code }) => (where === "store" ? [code] : [])));
  // What the store shows says enough, whichever run has sent it.
  const telling = taken.filter(({ where, code }) => where === "store" || !listed.has(code));
  const named = telling.slice(0, MAX_NAMED);
  const others = (lang: Lang): string =>
    named.map((other) => WHERE[other.where](other, toNotes(row, other, lang))[lang]).join(", ");
  return describeAlike({
    others: { tr: others("tr"), en: others("en") },
    hasLostZeros: named.some(({ code }) => hasLostZeros(row.code, code)),
  });
}

/** A row of the same file that would add a product, with its code. */
interface AlikeRow {
  readonly code: string;
  /** The row as it is named for people. */
  readonly row: string;
}

/** Creates the issue of a row that has the title of an earlier row and nearly its code. */
function toAlikeRowIssue(row: LookAlikeRow, { code, row: at }: AlikeRow): RowIssue {
  const others = {
    tr: `bu dosyanın ${at}. satırında “${code}” var (${SAME_TITLE.tr})`,
    en: `row ${at} of this file has “${code}” (${SAME_TITLE.en})`,
  };
  const alike = describeAlike({ others, hasLostZeros: hasLostZeros(row.code, code) });
  return toIssue("E_CODE_SUSPECT", row.codeLocation, alike);
}

interface AlikeCodes {
  readonly others: Localized;
  readonly hasLostZeros: boolean;
}

function describeAlike(alike: AlikeCodes): Localized {
  const zeros = alike.hasLostZeros ? LOST_ZEROS : NOTHING;
  return { tr: `${alike.others.tr}${zeros.tr}`, en: `${alike.others.en}${zeros.en}` };
}

const NOTHING: Localized = { tr: "", en: "" };

const LOST_ZEROS: Localized = {
  tr: "; Excel baştaki sıfırları silmiş olabilir",
  en: "; Excel may have removed leading zeros",
};

const SAME_TITLE: Localized = { tr: "başlık da aynı", en: "with the same title" };

/** What stands behind a code, each in brackets: the id of its product or run, and an equal title. */
function toNotes({ title }: LookAlikeRow, { id, title: other }: TakenCode, lang: Lang): string {
  const isSame = title !== undefined && other !== undefined && titleKey(title) === titleKey(other);
  return [id, ...(isSame ? [SAME_TITLE[lang]] : [])].map((note) => ` (${note})`).join("");
}

/** Titles that differ in case, width or blanks share this key. */
const titleKey = (title: string): string =>
  title.normalize("NFKC").replaceAll(/\s+/gu, " ").trim().toLocaleLowerCase("tr");

const DIGITS = /^\d+$/u;

/** Whether two codes are the same number with other leading zeros. */
export function hasLostZeros(one: string | null, other: string): boolean {
  if (one === null || !DIGITS.test(one) || !DIGITS.test(other)) return false;
  return withoutZeros(one) === withoutZeros(other);
}

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/u, "");

const WHERE: Readonly<Record<TakenCode["where"], (taken: TakenCode, notes: string) => Localized>> =
  {
    store: ({ code }, notes) => ({
      tr: `mağazada “${code}” var${notes}`,
      en: `the store has “${code}”${notes}`,
    }),
    sent: ({ code }, notes) => ({
      tr: `“${code}” daha önce gönderildi${notes}`,
      en: `“${code}” was sent before${notes}`,
    }),
    waiting: ({ code }, notes) => ({
      tr: `“${code}” gönderilmeyi bekliyor${notes}`,
      en: `“${code}” waits to be sent${notes}`,
    }),
  };

/** The run, its rows, and how codes are compared. */
interface AlikeRowsOptions {
  readonly runId: string;
  readonly journal: Pick<RowRepository, "readRows">;
  /** @default no row is held */
  readonly lookAlikes?: LookAlikeOptions | undefined;
  /** Names a row for people. @default by its number */
  readonly nameRow?: ((row: number) => string) | undefined;
}

/** Holds adds among the next decisions of a plan, which are given in the order of the sheet. */
export type HoldAlikeRows = (
  candidates: readonly Pick<CandidateRow, "code" | "codeLocation">[],
  decisions: readonly RowDecision[],
) => Promise<readonly RowDecision[]>;

/**
 * Creates the check for one plan. It holds adds that have the title of an earlier one and nearly its
 * code. Codes that look alike under different titles are a family of products, and are not held.
 */
export function createAlikeRows(options: AlikeRowsOptions): HoldAlikeRows {
  const { lookAlikes, nameRow = String } = options;
  if (lookAlikes === undefined || lookAlikes.isAllowed === true) return async (_, same) => same;
  const { suspectKey, areApart = () => false } = lookAlikes;
  const firstRowOf = createCompactTextMap();
  const hold = async (
    decision: RowDecision,
    row: Pick<CandidateRow, "code" | "codeLocation">,
  ): Promise<RowDecision> => {
    const title = decision.payload?.title;
    if (decision.action !== "add" || row.code === null || title === undefined) return decision;
    const key = `${suspectKey(row.code)}\n${titleKey(title)}`;
    const first = firstRowOf.get(key);
    firstRowOf.set(key, decision.row);
    if (first === undefined || decision.state !== "ready") return decision;
    const code = await readCode(options, first);
    if (code === undefined || areApart(code, row.code)) return decision;
    const issue = toAlikeRowIssue({ ...row, title }, { code, row: nameRow(first) });
    return { ...decision, state: "held", issues: [...decision.issues, issue] };
  };
  return async (candidates, decisions) => {
    const held: RowDecision[] = [];
    for (const [index, decision] of decisions.entries()) {
      const row = candidates[index];
      held.push(row === undefined ? decision : await hold(decision, row));
    }
    return held;
  };
}

async function readCode(
  { runId, journal }: AlikeRowsOptions,
  row: number,
): Promise<string | undefined> {
  const [found] = await journal.readRows(runId, { after: row - 1, limit: 1 });
  return found?.row === row ? (found.code ?? undefined) : undefined;
}

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
