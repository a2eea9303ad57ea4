/** Compares the code of a row with the one that the store shows for its product id. */

import type { ProductId } from "@catalog/contract";
import { codeKey as toCodeKey } from "@catalog/mapping";
import { type CandidateRow, hasLostZeros, type ListingCache, toMismatchIssue } from "@catalog/runs";

import type { Found } from "./draft-issues.ts";

/** The codes of products that rows name by their ids. */
export interface ShownCodes {
  /** The code that the store has shown for a product id. @default none */
  readonly shownCode?: ((id: ProductId) => string | undefined) | undefined;
}

/** Reads the codes of products by their ids, as the store showed them last. */
export async function readShownCodes(
  journal: Pick<ListingCache, "readSeenById">,
  ids: readonly ProductId[],
): Promise<NonNullable<ShownCodes["shownCode"]>> {
  if (ids.length === 0) return () => undefined;
  const shown = await journal.readSeenById(ids);
  const codes = new Map(shown.map(({ product }) => [product.id, product.product_code ?? ""]));
  return (id) => codes.get(id);
}

/** A product id means its product, whose code the plan compares with that of the row. */
export function toMismatch(candidate: CandidateRow, options: ShownCodes): readonly Found[] {
  const { action, codeKey } = candidate;
  const shown = readShownCode(candidate, options);
  if (action === "skip" || codeKey === null || shown === undefined || shown === "") return [];
  if (toCodeKey(shown) === codeKey) return [];
  return [{ issue: toMismatchIssue(candidate, shown), severity: "error" }];
}

/** Returns the code of the row's product where only its leading zeros differ. */
export function findCodeWithZeros(
  candidate: Pick<CandidateRow, "code" | "productId">,
  options: ShownCodes,
): string | undefined {
  const shown = readShownCode(candidate, options);
  return shown !== undefined && hasLostZeros(candidate.code, shown) ? shown : undefined;
}

const readShownCode = (
  { productId }: Pick<CandidateRow, "productId">,
  { shownCode }: ShownCodes,
): string | undefined => (productId === null ? undefined : shownCode?.(productId));
