/**
 * Beginnings of requests where the database is a file: a row is written down and synced just before
 * its first byte, or claimed with others before, and a marker beside the file tells later whether
 * its request may have left.
 */

import type { Claim, Ledger } from "@catalog/runs";

import { isFileAway } from "../errors.ts";
import type { LeasedDatabase } from "../locks/leased-database.ts";
import type { FileDatabase } from "../sql/database.ts";
import { inSavepoints } from "../sql/savepoints.ts";
import type { Steps } from "../sql/steps.ts";
import type { StartSend } from "./begin-sending.ts";
import { type JournalContext, selectRun } from "./context.ts";
import type { InFlightMarkers } from "./in-flight-markers.ts";

/** The context of a journal in a file, and its markers. */
export interface FileBeginningsOptions extends JournalContext {
  readonly database: FileDatabase & LeasedDatabase;
  readonly markers: InFlightMarkers;
}

/** `begin` starts one row within the caller's transaction. */
export function createFileBeginnings(
  options: FileBeginningsOptions,
  begin: StartSend,
): Pick<Ledger, "claim" | "beginSending" | "ready"> {
  const { database, markers } = options;
  const noteSent = createSentNote(options);
  const isSending = prepareIsSending(options);
  const assertSending = function* assertSending(claim: Claim): Steps<void> {
    if (yield* isSending(claim)) return;
    throw new Error(`row ${claim.row} of ${claim.runId} was recovered by another process`);
  };
  return {
    ready: () => database.ready(),
    async claim(rows) {
      const claimed = await database.transaction(() => {
        // Checked here, so that space freed for outcomes is never used for a new request.
        database.assertDiskSpace();
        return inSavepoints(database, rows, begin);
      });
      return rows.map(({ runId, row }, index) => {
        const result = claimed[index];
        // `beginSending` tells why a row could not be claimed.
        if (result?.status !== "fulfilled" || result.value === "taken") return undefined;
        return { runId, row, attempt: result.value };
      });
    },
    beginSending({ attempt: claimed, ...key }, evidence) {
      const beginAlone = (): number | "taken" =>
        database.transactNow(() => {
          database.assertDiskSpace();
          return begin({ ...key, evidence });
        });
      const attempt = claimed ?? unlessAway(beginAlone) ?? "away";
      if (attempt === "taken" || attempt === "away") return attempt;
      const isMarked = unlessAway(() => {
        markers.write(key);
        // Another process that recovered the row before the marker was written may send it, so we
        // must not.
        database.transactNow(() => assertSending({ ...key, attempt }));
        return true;
      });
      if (isMarked === undefined) return "unconfirmed";
      noteSent();
      return "begun";
    },
  };
}

/** Returns `undefined` where the file is locked or the disk is full; nothing was written then. */
function unlessAway<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (isFileAway(error)) return undefined;
    throw error;
  }
}

/**
 * A copy made between two notes is not detected, which is accepted: it would have to be made within
 * this time, in milliseconds.
 */
const NOTE_EVERY_MS = 1_000;

function createSentNote({ database, clock }: JournalContext): () => void {
  let notedMs = -Infinity;
  return () => {
    const ageMs = clock.now() - notedMs;
    // A clock that was put back must not delay the note.
    if (ageMs >= 0 && ageMs < NOTE_EVERY_MS) return;
    notedMs = clock.now();
    database.noteSent();
  };
}

/** Says whether this attempt of the row is the one being sent. */
function prepareIsSending(context: JournalContext): (claim: Claim) => Steps<boolean> {
  const { database } = context;
  const find = database.prepareGet<Claim, object>((arg) =>
    database.build
      .selectFrom("run_row")
      .select("row_no")
      .where("run_id", "=", selectRun(context, arg("runId")))
      .where("row_no", "=", arg("row"))
      .where("state", "=", "sending")
      .where("attempts", "=", arg("attempt")),
  );
  return function* isSending(claim) {
    return (yield* find(claim)) !== undefined;
  };
}
