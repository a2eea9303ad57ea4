/** Products that a person has chosen in the list, with the values of today where that is quick. */

import type { Connection } from "@catalog/connection";
import { MAX_PAGE_SIZE } from "@catalog/contract";
import type { ListedProductRow } from "@catalog/runs";

import { readStoreProducts } from "./read-store.ts";
import type { StoreList } from "./store-list.ts";

/** Older values are read again. */
const TODAY_MS = 5 * 60_000;

/** Calls at most; of a larger choice the values are as old as the list says. */
const MAX_CALLS = 8;

type ProductIds = ListedProductRow["product"]["id"][];

/**
 * Reads chosen products again whose values are minutes old, if a few calls are enough. Those that
 * the store has no longer leave the list. What cannot be read stays as it was.
 */
export async function readChosenAgain(
  connection: Connection,
  list: Pick<StoreList, "selected" | "state">,
  selection: Parameters<StoreList["selected"]>[0],
  signal?: AbortSignal,
): Promise<void> {
  const oldest = connection.clock.now() - TODAY_MS;
  const ids: ProductIds = [];
  for await (const products of list.selected(selection)) {
    const stale = products.filter(
      ({ atMs, unshownSinceMs }) => atMs < oldest || unshownSinceMs !== null,
    );
    ids.push(...stale.map(({ product }) => product.id));
    if (ids.length > MAX_CALLS * MAX_PAGE_SIZE) return;
  }
  if (ids.length === 0) return;
  const { priceUnit } = await list.state();
  try {
    await readStoreProducts(connection, ids, { priceUnit, signal });
  } catch {
    // The draft says how old its values are, and its plan compares with the store anyway.
    signal?.throwIfAborted();
  }
}
