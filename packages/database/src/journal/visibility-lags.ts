/** Delay between the answer to an add and the reading that first saw its product. */

import { createRunArchive } from "../archive/run-archive.ts";
import type { Database } from "../sql/database.ts";
import type { Steps } from "../sql/steps.ts";

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
