/**
 * Look-alike codes: codes that are not equal but share a key. The store's own rewriting of a code
 * is the same product; for all others a person decides whether they are.
 */

import type { Lang, Localized } from "@catalog/i18n";

import type { CodeRegistry, TakenCode } from "../../ports/code-registry.ts";
import { toIssue } from "../../row/issue-texts.ts";
import type { RowIssue } from "../../row/issue.ts";
import type { CandidateRow } from "../decide-row.ts";
import {
  type CodeNormalization,
  learnCodeNormalization,
  normalizeCode,
} from "./code-normalization.ts";

/** How look-alike codes are found, and whether they are allowed. */
export interface LookAlikeOptions {
  readonly registry: CodeRegistry;
  /** Product codes that share only this key look alike. */
  readonly suspectKey: (code: string) => string;
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
  { registry, suspectKey }: LookAlikeOptions,
  codeKey: (code: string) => string,
): Promise<CodeNormalization> {
  const found = await registry.readPairs(MAX_PAIRS);
  // A product whose code was replaced by another one is left out.
  const pairs = found.filter(({ sent, shown }) => suspectKey(sent) === suspectKey(shown));
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

/** Returns the codes in use that look like those of the rows, by row. */
export async function readLookAlikes(
  { registry, suspectKey, isAllowed = false }: LookAlikeOptions,
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
  const taken = Map.groupBy(await registry.readLookAlikes(runId, wanted), (one) => one.suspectKey);
  // An equal code on a waiting row is refused when the second of the two starts to be sent.
  const others = (codeKey: string | null, key: string): readonly TakenCode[] =>
    taken.get(key)?.filter(({ code }) => code !== codeKey) ?? [];
  return new Map(keys.map(({ row, codeKey, key }) => [row, others(codeKey, key)]));
}

const MAX_NAMED = 3;

/** Creates the issue of a row whose code looks like codes in use. */
export function toLookAlikeIssue(
  { codeLocation }: Pick<CandidateRow, "codeLocation">,
  taken: readonly TakenCode[],
): RowIssue {
  const listed = new Set(taken.flatMap(({ where, code }) => (where === "store" ? [code] : [])));
  // What the store shows says enough, whichever run has sent it.
  const telling = taken.filter(({ where, code }) => where === "store" || !listed.has(code));
  const named = telling.slice(0, MAX_NAMED);
  const others = (lang: Lang): string =>
    named.map(({ code: other, where, id }) => WHERE[where](other, id)[lang]).join(", ");
  return toIssue("E_CODE_SUSPECT", codeLocation, { tr: others("tr"), en: others("en") });
}

const WHERE: Readonly<Record<TakenCode["where"], (code: string, id: string) => Localized>> = {
  store: (code, id) => ({
    tr: `mağazada “${code}” var (${id})`,
    en: `the store has “${code}” (${id})`,
  }),
  sent: (code, id) => ({
    tr: `“${code}” daha önce gönderildi (${id})`,
    en: `“${code}” was sent before (${id})`,
  }),
  waiting: (code, id) => ({
    tr: `“${code}” gönderilmeyi bekliyor (${id})`,
    en: `“${code}” waits to be sent (${id})`,
  }),
};
