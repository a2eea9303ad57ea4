/**
 * Look-alike codes: codes that are not equal but share a key. The store's own rewriting of a code
 * is the same product; for all others a person decides whether they are.
 */

import type { CodeRegistry, TakenCode } from "../../ports/code-registry.ts";
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
