/** What feeds know of the store's products, as it is stored. */

import type { StoreMemory } from "@catalog/connection";

export type FeedState = StoreMemory["feedState"];

/** A listed product, with the fields that were sent and answered after it was listed. */
export type FeedProduct = Awaited<ReturnType<FeedState["readById"]>>[number];

/** A product as a listing showed it. */
export type ShownProduct = Parameters<FeedState["saveShown"]>[1][number];

/** Fields as sent, prices in minor units. */
export type SentFields = ShownProduct["sent"];
