/**
 * Checks whether the store took what was sent. That an update may set the stock is assumed, not
 * documented, so a sample of successful rows is read back.
 */

import type { Connection } from "@catalog/connection";
import {
  type PriceUnit,
  readBackSample,
  type ReadBackSampleOptions,
  type RowRecord,
} from "@catalog/runs";

import { toShown } from "./refresh-listing.ts";

export interface SpotCheckOptions extends Pick<ReadBackSampleOptions, "signal"> {
  /** Rows that the marketplace answered with success. */
  readonly records: readonly RowRecord[];
  readonly priceUnit: PriceUnit;
  readonly refresh: number;
}

export interface SpotCheck {
  /** Number of products that the store showed. */
  readonly read: number;
  /** Codes of products whose values differ from those that were sent. */
  readonly different: readonly string[];
}

/** Fields that are compared. */
const COMPARED: ReadonlySet<string> = new Set(["price", "stock_count"]);

/** Reads the products back, those that differ a second time, and stores what they show. */
export async function spotCheck(
  {
    memory: { feedState },
    marketplace,
    clock,
  }: Pick<Connection, "memory" | "marketplace" | "clock">,
  { refresh, ...sample }: SpotCheckOptions,
): Promise<SpotCheck> {
  const { read, different } = await readBackSample({
    ...sample,
    fields: COMPARED,
    marketplace,
    clock,
  });
  if (different.length > 0) {
    await feedState.applySentChanges();
    await feedState.saveShown(
      refresh,
      different.map(({ shown: { product, status } }) => toShown(product, status, {})),
    );
  }
  return {
    read,
    different: different.map(({ record: { code, productId } }) => code ?? productId ?? ""),
  };
}
