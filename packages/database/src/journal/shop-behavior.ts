/** Learnt behaviour of a store: what its refusals mean, and how soon it shows a new product. */

import type { LagSample, ShopBehavior } from "@catalog/runs";
import { sql } from "kysely";

import type { JournalContext } from "./context.ts";

/** Maximum number of samples that are read; older ones may be out of date. */
const MAX_SAMPLES = 200;

export function createShopBehavior(context: JournalContext): ShopBehavior {
  return { ...createSignatures(context), ...createLagSamples(context) };
}

function createSignatures({
  database,
  clock,
  store,
}: JournalContext): Pick<ShopBehavior, "readSignature" | "recordSignature"> {
  const { build } = database;
  return {
    async readSignature(key) {
      const known = build
        .selectFrom("signature")
        .select(["applied", "not_applied as notApplied", "last_seen_ms as lastSeenMs"])
        .where("store", "=", store)
        .where("key", "=", key);
      const found = await database.execute(database.get(known));
      return found ?? { applied: 0, notApplied: 0, lastSeenMs: null };
    },
    async recordSignature(key, found) {
      const isApplied = found === "applied";
      const first = {
        store,
        key,
        applied: isApplied ? 1 : 0,
        not_applied: isApplied ? 0 : 1,
        last_seen_ms: isApplied ? null : clock.now(),
      };
      const counted = build
        .insertInto("signature")
        .values(first)
        .onConflict((conflict) =>
          conflict.columns(["store", "key"]).doUpdateSet({
            applied: sql`signature.applied + excluded.applied`,
            not_applied: sql`signature.not_applied + excluded.not_applied`,
            last_seen_ms: sql`coalesce(excluded.last_seen_ms, signature.last_seen_ms)`,
          }),
        );
      await database.transaction(() => database.run(counted));
    },
  };
}

function createLagSamples({
  database,
  store,
}: JournalContext): Pick<ShopBehavior, "startLagSample" | "recordLagSample" | "readLagSamples"> {
  const { build } = database;
  return {
    async startLagSample(productId, addedMs) {
      const sample = build
        .insertInto("lag_sample")
        .values({ store, product_id: productId, added_ms: addedMs, is_shown: 0 })
        .onConflict((conflict) => conflict.doNothing());
      await database.transaction(() => database.run(sample));
    },
    async recordLagSample(productId, { shown, serverMs }) {
      const reading = build
        .updateTable("lag_sample")
        // The longest time that a product was missing stays, even when the clock is put back.
        .set({
          looked_ms:
            serverMs === null
              ? sql`looked_ms`
              : sql`CASE WHEN looked_ms > ${serverMs} THEN looked_ms ELSE ${serverMs} END`,
        })
        .where("store", "=", store)
        .where("product_id", "=", productId)
        .where("is_shown", "=", 0);
      const read = shown ? reading.set({ is_shown: 1, shown_ms: serverMs }) : reading;
      await database.transaction(() => database.run(read));
    },
    async readLagSamples() {
      const latest = build
        .selectFrom("lag_sample")
        .selectAll()
        .where("store", "=", store)
        .orderBy("seq", "desc")
        .limit(MAX_SAMPLES);
      const samples = await database.execute(database.all(latest));
      return samples
        .map((sample): LagSample => ({
          productId: sample.product_id,
          addedMs: sample.added_ms,
          shownMs: sample.shown_ms,
          readMs: sample.looked_ms,
          isShown: sample.is_shown === 1,
        }))
        .toReversed();
    },
  };
}
