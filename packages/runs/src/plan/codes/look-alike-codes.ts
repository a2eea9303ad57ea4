/**
 * Codes that are not equal and look the same: the store's own writing of a code that it was sent,
 * which is the same product, and codes of which only a person can say whether they are one.
 */

import { type Lang, type Localized } from "@catalog/i18n";

import { type CodeBook, type TakenCode } from "../../ports/code-registry.ts";
import { toIssue } from "../../row/issue-texts.ts";
import { type RowIssue } from "../../row/issue.ts";
import { type CandidateRow } from "../decide-row.ts";
import { type CodeWay, learnCodeWay, writeCode } from "./code-normalization.ts";

/** How codes that are not equal and look the same are told, and whether they may be. */
export interface AlikeOptions {
  readonly book: CodeBook;
  /** Product codes with only this key in common look the same. */
  readonly suspectKey: (code: string) => string;
  /** Codes that look the same are two products. @default false */
  readonly isAllowed?: boolean | undefined;
}

/** Pairs that are looked at; more tell nothing new. */
const MAX_PAIRS = 500;

/**
 * How the store writes codes: as its last listing tells, and as was learnt before where that listing
 * shows no code that it has changed.
 */
export async function readCodeWay(
  { book, suspectKey }: AlikeOptions,
  codeKey: (code: string) => string,
): Promise<CodeWay> {
  const found = await book.readPairs(MAX_PAIRS);
  // A product that somebody has given another code tells nothing.
  const pairs = found.filter(({ sent, shown }) => suspectKey(sent) === suspectKey(shown));
  const known = (await book.readWay()) ?? [];
  const isChanged = pairs.some(({ sent, shown }) => codeKey(sent) !== codeKey(shown));
  const isKept = pairs.some(({ sent }) => codeKey(writeCode(known, sent)) !== codeKey(sent));
  if (!isChanged && !isKept) return known;
  const learnt = learnCodeWay(pairs, codeKey);
  await book.saveWay(learnt);
  return learnt ?? [];
}

/** The key of a code as the store writes it; `null` where that is the code's own. */
export function toStoredKey(
  way: CodeWay,
  { code, codeKey: key }: Pick<CandidateRow, "code" | "codeKey">,
  codeKey: (code: string) => string,
): string | null {
  if (way.length === 0 || code === null) return null;
  const stored = codeKey(writeCode(way, code));
  return stored === key ? null : stored;
}

/** Taken codes that look like those of the rows, by row. */
export async function readAlike(
  { book, suspectKey, isAllowed = false }: AlikeOptions,
  runId: string,
  rows: readonly Pick<CandidateRow, "row" | "code" | "codeKey">[],
): Promise<ReadonlyMap<number, readonly TakenCode[]>> {
  if (isAllowed || rows.length === 0) return new Map();
  const keys = rows.map(({ row, code, codeKey }) => ({
    row,
    codeKey,
    key: suspectKey(code ?? ""),
  }));
  const wanted = keys.map(({ key }) => key).filter((key) => key !== "");
  const taken = Map.groupBy(await book.readAlike(runId, wanted), (one) => one.suspectKey);
  // The same code on a row that waits is refused when the second of them begins to be sent.
  const others = (codeKey: string | null, key: string): readonly TakenCode[] =>
    taken.get(key)?.filter(({ code }) => code !== codeKey) ?? [];
  return new Map(keys.map(({ row, codeKey, key }) => [row, others(codeKey, key)]));
}

const MAX_NAMED = 3;

/** The issue of a row whose code looks like taken ones. */
export function toAlikeIssue(
  { code, codePlace }: Pick<CandidateRow, "code" | "codePlace">,
  taken: readonly TakenCode[],
): RowIssue {
  const named = taken.slice(0, MAX_NAMED);
  const others = (lang: Lang): string =>
    named.map(({ code: other, where, id }) => WHERE[where](other, id)[lang]).join(", ");
  const detail = { tr: `"${code}" ~ ${others("tr")}`, en: `"${code}" ~ ${others("en")}` };
  return toIssue("E_CODE_SUSPECT", codePlace, detail);
}

const WHERE: Readonly<Record<TakenCode["where"], (code: string, id: string) => Localized>> = {
  store: (code, id) => ({ tr: `mağazada "${code}" (${id})`, en: `"${code}" in the store (${id})` }),
  sent: (code, id) => ({
    tr: `${id} çalıştırmasında gönderilen "${code}"`,
    en: `"${code}" as sent by run ${id}`,
  }),
  waiting: (code, id) => ({
    tr: `${id} çalıştırmasında bekleyen "${code}"`,
    en: `"${code}", which waits in run ${id}`,
  }),
};
