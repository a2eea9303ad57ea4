/**
 * Whether the store took what was sent. That an update may set the stock is assumed, not
 * documented, so an answer that says yes is checked: a part of what was sent is read again.
 */

import { type Toolkit } from "@catalog/connection";
import {
  type PriceUnit,
  readBackSample,
  type ReadBackSampleOptions,
  type RowRecord,
} from "@catalog/runs";

import { toShown } from "./refresh-listing.ts";

export interface ReadBackOptions extends Pick<ReadBackSampleOptions, "signal"> {
  /** Rows that were answered with yes. */
  readonly records: readonly RowRecord[];
  readonly priceUnit: PriceUnit;
  readonly sweep: number;
}

export interface ReadBack {
  /** Products that the store showed. */
  readonly read: number;
  /** Product codes whose values are not those that were sent. */
  readonly different: readonly string[];
}

/** The fields that a feed is there for. */
const COMPARED: ReadonlySet<string> = new Set(["price", "stock_count"]);

/** Reads the products back, those that differ a second time; what they really show is remembered. */
export async function readBack(
  { feeds, marketplace, clock }: Pick<Toolkit, "feeds" | "marketplace" | "clock">,
  { sweep, ...sample }: ReadBackOptions,
): Promise<ReadBack> {
  const { read, different } = await readBackSample({
    ...sample,
    fields: COMPARED,
    marketplace,
    clock,
  });
  if (different.length > 0) {
    feeds.absorb();
    feeds.saveShown(
      sweep,
      different.map(({ shown: { product, status } }) => toShown(product, status, {})),
    );
  }
  return {
    read,
    different: different.map(({ record: { code, productId } }) => code ?? productId ?? ""),
  };
}
