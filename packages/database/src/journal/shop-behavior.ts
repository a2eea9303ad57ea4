/** Learnt behaviour of a store: what its refusals mean, and how soon it shows a new product. */

import type { Journal } from "@catalog/runs";
import { sql } from "kysely";

import { createRunArchive } from "../archive/archive.ts";
import type { Database, Steps } from "../sql/database.ts";
import type { JournalContext } from "./transitions.ts";

type Signatures = Pick<Journal, "readSignature" | "recordSignature">;
type LagSamples = Pick<Journal, "startLagSample" | "recordLagSample" | "readLagSamples">;

/** Maximum number of samples that are read; older ones may be out of date. */
const MAX_SAMPLES = 200;

export function createShopBehavior(context: JournalContext): Signatures & LagSamples {
  return { ...createSignatures(context), ...createLagSamples(context) };
}

function createSignatures({ database, clock, store }: JournalContext): Signatures {
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

function createLagSamples({ database, store }: JournalContext): LagSamples {
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
        .map((sample) => ({
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

/**
 * Delays in milliseconds. Each is an upper bound: the product may have been there at any time since
 * the reading before.
 */
export interface VisibilityLags {
  /** Number of products that were seen as they were sent. */
  readonly products: number;
  /** Half of the products were seen within this time. */
  readonly p50Ms: number;
  /** 99 % of the products were seen within this time. */
  readonly p99Ms: number;
}

/** Returns `undefined` where no product that the run added has been seen. */
export async function readVisibilityLags(
  database: Database,
  runId: string,
): Promise<VisibilityLags | undefined> {
  const seen = await database.execute(readAllSeen(database, runId));
  const lags = seen
    // A negative delay means that the clock was put back, and is left out.
    .flatMap(({ settled_at_ms, looked_at_ms }) =>
      settled_at_ms === null || looked_at_ms < settled_at_ms ? [] : [looked_at_ms - settled_at_ms],
    )
    .toSorted((a, b) => a - b);
  const at = (share: number): number => lags[Math.ceil(lags.length * share) - 1] ?? 0;
  if (lags.length === 0) return undefined;
  return { products: lags.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

interface SeenAdd {
  readonly settled_at_ms: number | null;
  readonly looked_at_ms: number;
}

function* readAllSeen(database: Database, runId: string): Steps<readonly SeenAdd[]> {
  return [...(yield* readSeen(database, runId)), ...(yield* readArchivedSeen(database, runId))];
}

function readSeen(database: Database, runId: string): Steps<readonly SeenAdd[]> {
  return database.all(
    database.build
      .selectFrom("verification")
      .innerJoin("op", (join) =>
        join
          .onRef("op.run_id", "=", "verification.run_id")
          .onRef("op.row_no", "=", "verification.row_no"),
      )
      .select(["op.settled_at_ms", "verification.looked_at_ms"])
      .where("verification.run_id", "=", runId)
      .where("verification.status", "=", "visible")
      .where("op.kind", "=", "add"),
  );
}

/** The request of an add stays when its results of reading back are archived. */
function* readArchivedSeen(database: Database, runId: string): Steps<readonly SeenAdd[]> {
  const { build } = database;
  const run = yield* database.get(build.selectFrom("run").select("store").where("id", "=", runId));
  if (run === undefined) return [];
  const archive = createRunArchive({ database, store: run.store });
  if ((yield* archive.find(runId)) === undefined) return [];
  const adds = build
    .selectFrom("op")
    .select(["row_no", "settled_at_ms"])
    .where("run_id", "=", runId)
    .where("kind", "=", "add");
  const settledAt = new Map(
    (yield* database.all(adds)).map((add) => [add.row_no, add.settled_at_ms]),
  );
  const seen: SeenAdd[] = [];
  let piece = yield* archive.readPiece(runId, 0);
  while (piece !== undefined) {
    for (const { row_no, status, looked_at_ms } of piece.verifications) {
      if (status !== "visible" || !settledAt.has(row_no)) continue;
      seen.push({ settled_at_ms: settledAt.get(row_no) ?? null, looked_at_ms });
    }
    piece = yield* archive.readPiece(runId, piece.lastRow);
  }
  return seen;
}
