/**
 * Beginnings of requests where several machines work: each row is claimed in a transaction of its
 * own, which compares the epoch of the lease as every write does, and leaves only while no other
 * owner can have the lease. What is found `sending` at a take-over is unknown, unless the markers
 * of a dead process of the same home prove that it never left.
 */

import type { Ledger, RowKey } from "@catalog/runs";

import { DatabaseError } from "../errors.ts";
import type { Leases } from "../locks/leases.ts";
import { inSavepoints } from "../sql/savepoints.ts";
import type { StartSend } from "./begin-sending.ts";
import type { JournalContext } from "./context.ts";
import type { SenderMarkers } from "./sender-markers.ts";

type Beginnings = Pick<Ledger, "claim" | "beginSending" | "claimsFirst" | "ready" | "mayLeave">;

interface LeasedBeginningsOptions {
  /** Starts one row within the caller's transaction. */
  readonly begin: StartSend;
  readonly senders: Pick<SenderMarkers, "open" | "write">;
}

export function createLeasedBeginnings(
  context: JournalContext,
  { begin, senders }: LeasedBeginningsOptions,
): Beginnings {
  const { database } = context;
  const lease = (): HeldLease => heldLease(context);
  /** The attempts that this process has claimed, by row. */
  const claims = new Map<string, number>();
  /** Why rows could not be claimed, until `beginSending` tells. */
  const refusals = new Map<string, "taken" | { readonly error: unknown }>();
  const claimAll = function* claimAll(rows: Parameters<Ledger["claim"]>[0]) {
    const begun = yield* inSavepoints(database, rows, begin);
    yield* database.assertCurrent();
    return begun;
  };
  return {
    claimsFirst: true,
    ready: () => lease().ready(),
    mayLeave: () => lease().mayStillSend(),
    async claim(rows) {
      lease();
      const sender = senders.open();
      const named = rows.map((row) => ({ ...row, evidence: { ...row.evidence, sender } }));
      const claimed = await database.transaction(() => claimAll(named));
      database.noteSent();
      return rows.map(({ runId, row }, index) => {
        const result = claimed[index];
        const name = nameOf({ runId, row });
        if (result?.status === "fulfilled" && result.value !== "taken") {
          claims.set(name, result.value);
          return { runId, row, attempt: result.value };
        }
        refusals.set(name, result?.status === "rejected" ? { error: result.reason } : "taken");
        return undefined;
      });
    },
    beginSending({ attempt, ...key }) {
      if (attempt === undefined) return refuse(refusals, key);
      const name = nameOf(key);
      if (claims.get(name) !== attempt) {
        throw new Error(`row ${key.row} of ${key.runId} was recovered by another process`);
      }
      claims.delete(name);
      senders.write(key);
      if (!lease().mayStillSend()) throw new DatabaseError("E_LEASE_LOST", lease().key);
      return "begun";
    },
  };
}

type HeldLease = NonNullable<ReturnType<Leases["held"]>>;

function heldLease({ leases, runKind }: JournalContext): HeldLease {
  const lease = leases?.held(LEASE_OF[runKind]);
  if (lease === undefined) throw new Error("rows are sent without a lease of the store");
  return lease;
}

/** Names of leases, as {@link createLeases} keeps them. */
export const LEASE_OF = { runs: "store", feeds: "feed" } as const;

const nameOf = ({ runId, row }: RowKey): string => `${runId} ${row}`;

function refuse(
  refusals: Map<string, "taken" | { readonly error: unknown }>,
  key: RowKey,
): "taken" {
  const refusal = refusals.get(nameOf(key));
  refusals.delete(nameOf(key));
  if (refusal === "taken") return "taken";
  if (refusal !== undefined) throw refusal.error;
  throw new Error(`row ${key.row} of ${key.runId} was not claimed`);
}
