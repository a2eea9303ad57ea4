/**
 * Hands out the rows of a pass, updates with a claim: updates become `sending` in batches, so that
 * one commit and one disk sync serve a whole batch. A claim that did not become a request goes back
 * to `ready`, cause `unsent`.
 */

import pLimit from "p-limit";

import type { Ledger } from "../ports/ledger.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { toServerMs } from "../reconcile/visibility/visibility.ts";
import type { AttemptedRow, Claim } from "../row/row-outcome.ts";
import type { RecheckQueue } from "./recheck/recheck-queue.ts";
import type { RecheckedRow } from "./recheck/update-rechecks.ts";
import type { SendGate } from "./send-gate.ts";

/** A row for a worker. Without a claim it is recorded alone, just before its first byte. */
export interface RowToSend {
  readonly rechecked: RecheckedRow;
  readonly claim: Claim | undefined;
}

export interface RowClaims {
  /** Returns the next row in the order of the sheet; `undefined` after the last one. */
  next(): Promise<RowToSend | undefined>;
  /**
   * Begins to claim the next batch where every row of the last one is taken, so that its disk sync
   * does not delay the requests that follow the next answers.
   */
  claimAhead(): void;
  /** Releases the claims of rows that no worker has taken; these rows can be claimed again. */
  release(): Promise<void>;
  /** Releases them at the end, once nothing is claimed any more. */
  close(): Promise<void>;
}

export interface ClaimRowsOptions {
  readonly runId: string;
  readonly journal: Pick<Ledger, "claim" | "recordOutcome">;
  readonly marketplace: Pick<Marketplace, "serverTimeMs">;
  readonly rows: Pick<RecheckQueue, "next">;
  readonly gate: Pick<SendGate, "isOpen">;
  /** Rows in a batch, at least 1. */
  readonly batchRows: number;
}

/** Creates the claims of a pass. It claims nothing while the gate is closed. */
export function claimRows(options: ClaimRowsOptions): RowClaims {
  const { journal, gate } = options;
  const oneAtATime = pLimit(1);
  /** Rows of the batch that no worker has taken, in the order of the sheet. */
  let batch: readonly RecheckedRow[] = [];
  /** Claims of rows of the batch, by row. */
  const claims = new Map<number, Claim>();

  const release = async (): Promise<void> => {
    const unsent = [...claims.values()];
    claims.clear();
    await Promise.all(unsent.map((claim) => releaseClaim(journal, claim)));
  };
  const claimBatch = async (): Promise<void> => {
    for (const claim of await claimUpdates(options, batch)) claims.set(claim.row, claim);
    // A pause may have begun during the commit.
    if (!gate.isOpen) await release();
  };
  const prepare = async (): Promise<void> => {
    if (batch.length === 0) batch = await takeBatch(options);
    if (claims.size === 0 && gate.isOpen) await claimBatch();
  };
  /** The batch that is claimed ahead; its failure is that of the next row. */
  let ahead: Promise<void> | undefined;
  const next = async (): Promise<RowToSend | undefined> => {
    const prepared = ahead;
    ahead = undefined;
    if (prepared !== undefined) await prepared;
    if (batch.length === 0 || (claims.size === 0 && gate.isOpen)) await prepare();
    const [rechecked, ...rest] = batch;
    if (rechecked === undefined) return undefined;
    batch = rest;
    const { row } = rechecked.record;
    const claim = claims.get(row);
    claims.delete(row);
    return { rechecked, claim };
  };

  return {
    next: () => oneAtATime(next),
    claimAhead() {
      if (batch.length > 0 || ahead !== undefined || !gate.isOpen) return;
      // A worker that waits for its row claims the batch itself.
      if (oneAtATime.activeCount + oneAtATime.pendingCount > 0) return;
      ahead = oneAtATime(prepare);
      // The caller of `next` gets the rejection; without a caller it must not count as unhandled.
      ahead.catch(() => undefined);
    },
    release,
    async close() {
      await Promise.allSettled([ahead]);
      await release();
    },
  };
}

/** Releases a claim whose request has certainly not left, or was refused for its token. */
export async function releaseClaim(
  journal: Pick<Ledger, "recordOutcome">,
  key: AttemptedRow,
  cause: "unsent" | "status-401" = "unsent",
): Promise<void> {
  await journal.recordOutcome({ ...key, from: "sending" }, { to: "ready", cause });
}

async function takeBatch({ rows, batchRows }: ClaimRowsOptions): Promise<readonly RecheckedRow[]> {
  const batch: RecheckedRow[] = [];
  while (batch.length < batchRows) {
    const row = await rows.next();
    if (row === undefined) break;
    batch.push(row);
  }
  return batch;
}

/**
 * Claims only updates: a power cut loses the proof that a claim was not sent; an update is then
 * compared with the store and sent again, but an add would be held for a person.
 */
async function claimUpdates(
  { runId, journal, marketplace }: ClaimRowsOptions,
  batch: readonly RecheckedRow[],
): Promise<readonly Claim[]> {
  const updates = batch.filter(({ record }) => record.action === "update");
  if (updates.length === 0) return [];
  const evidence = { serverMs: toServerMs(marketplace) };
  const claims = await journal.claim(
    updates.map(({ record: { row } }) => ({ runId, row, evidence })),
  );
  return claims.filter((claim) => claim !== undefined);
}
