/**
 * Reads whether the store shows new products, as far as the decision to send an add again needs it.
 */

import type { Ledger } from "../../ports/ledger.ts";
import type { Marketplace } from "../../ports/marketplace.ts";
import type { ShopBehavior } from "../../ports/shop-behavior.ts";
import { findByCode } from "../find-lost-adds.ts";
import { judgeVisibility, type Visibility } from "./visibility.ts";

export interface ReadVisibilityOptions {
  readonly journal: Ledger & ShopBehavior;
  readonly marketplace: Marketplace;
  /** Product codes with the same key are the same product. */
  readonly codeKey: (code: string) => string;
  readonly signal?: AbortSignal | undefined;
}

/** Returns `visible` only while the store also shows the product that was added last. */
export async function readVisibility(options: ReadVisibilityOptions): Promise<Visibility> {
  const { journal, marketplace, codeKey, signal } = options;
  const visibility = judgeVisibility(await journal.readLagSamples());
  if (visibility.verdict !== "visible") return visibility;
  const latest = await journal.readLatestAdded();
  if (latest === undefined) return visibility;
  const shown = (await findByCode(marketplace, latest.code, signal)).some(
    ({ id, product_code }) =>
      id === latest.productId && codeKey(product_code ?? "") === codeKey(latest.code),
  );
  return shown ? visibility : { ...visibility, verdict: "unknown" };
}
