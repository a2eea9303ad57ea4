/** Starts to send a row: it takes its product code, or its product, and becomes `sending`. */

import {
  isAction,
  type Ledger,
  ONCE_ACTIONS,
  openBody,
  type ProductAction,
  type RowKey,
  STATE_TABLE,
  type WriteAction,
} from "@catalog/runs";

import { DatabaseError, isFileAway } from "../errors.ts";
import type { LeasedDatabase, Leases } from "../locks/leases.ts";
import { TAKING_CALL_STATES } from "../repositories/raw-calls.ts";
import { type FileDatabase, inSavepoints, type Steps, together } from "../sql/database.ts";
import { fromJsonList, toJson, toLiteral } from "../sql/queries.ts";
import type { ProductId, RunRowTable } from "../sql/schema.ts";
import { PRODUCT_KINDS } from "./actions.ts";
import type { InFlightMarkers, SenderMarkers } from "./markers.ts";
import { toBody } from "./read-rows.ts";
import { type JournalContext, selectRun, type Transitions } from "./transitions.ts";

/** A row that this process has moved to `sending`. */
type Claim = NonNullable<Awaited<ReturnType<Ledger["claim"]>>[number]>;

/** Returns the number of the attempt, or `taken`; runs within the caller's transaction. */
type StartSend = (row: Parameters<Ledger["claim"]>[0][number]) => Steps<number | "taken">;

export function createStart(context: JournalContext, moves: Transitions): StartSend {
  const { clock, store } = context;
  const readRow = prepareRead(context);
  const isTaken = prepareRivals(context);
  const writeOp = prepareOp(context);
  return function* startSend({ evidence, ...key }) {
    const record = yield* readRow(key);
    if (record === undefined)
      throw new Error(`this store has no row ${key.row} of a run ${key.runId}`);
    const { action, code_key: codeKey, product_id: productId } = record;
    const { payload, call } = toBody(action, record.payload_json);
    const body = openBody({ payload, changes: fromJsonList(record.changes_json) });
    const sent = call ?? body;
    if (action === null || sent === null) throw new Error(`row ${key.row} has nothing to send`);
    if (action !== "update" && codeKey === null) throw new Error(`row ${key.row} has no code`);
    const rival = { ...key, codeKey, productId, kind: action };
    if (yield* isAction(action) ? isTaken.action(rival) : isTaken[action](rival)) return "taken";

    yield* together([
      moves.move({ ...key, from: "ready" }, { to: "sending", cause: "begin", evidence }),
      writeOp([
        {
          run_id: key.runId,
          row_no: key.row,
          store,
          kind: action,
          state: "sending",
          code_key: codeKey,
          product_id: productId,
          price: body?.price ?? null,
          payload_json: toJson(sent),
          begun_at_ms: clock.now(),
          settled_at_ms: null,
        },
      ]),
    ]);
    return record.attempts + 1;
  };
}

type PlannedRow = Pick<RunRowTable, "action" | "code_key" | "product_id" | "payload_json"> & {
  readonly changes_json: string;
  readonly attempts: number;
};

function prepareRead(context: JournalContext): (key: RowKey) => Steps<PlannedRow | undefined> {
  return context.database.prepareGet<RowKey, PlannedRow>((arg) =>
    context.database.build
      .selectFrom("run_row")
      .select(["action", "code_key", "product_id", "payload_json", "changes_json", "attempts"])
      .where("run_id", "=", selectRun(context, arg("runId")))
      .where("row_no", "=", arg("row")),
  );
}

interface Attempted extends RowKey {
  readonly kind: WriteAction;
  readonly codeKey: string | null;
  readonly productId: ProductId | null;
}

/** A held action may be carried out yet, so that nothing else is done to its subject. */
const OPEN_ACTION = ["sending", "ambiguous", "held"] as const;

/**
 * Queries for what the unique indexes would refuse, within the transaction that then writes. The
 * indexes still hold where a query misses a rival.
 */
function prepareRivals({
  database,
  store,
}: JournalContext): Readonly<
  Record<ProductAction | "action", (claim: Attempted) => Steps<boolean>>
> {
  const others = database.build
    .selectFrom("op")
    .select("row_no")
    .where("store", "=", store)
    .limit(1);
  const add = database.prepareGet<Attempted, object>((arg) =>
    others
      .where((where) =>
        where.or([where("run_id", "<>", arg("runId")), where("row_no", "<>", arg("row"))]),
      )
      .where("code_key", "=", arg("codeKey"))
      .where("kind", "=", toLiteral("add"))
      .where("state", "in", STATE_TABLE.takingCode.map(toLiteral)),
  );
  const call = database.prepareGet<Attempted, object>((arg) =>
    database.build
      .selectFrom("raw_call")
      .select("id")
      .where("store", "=", store)
      .where("state", "in", TAKING_CALL_STATES.map(toLiteral))
      .where("kind", "=", arg("kind"))
      .where("code_key", "=", arg("codeKey"))
      .limit(1),
  );
  const update = database.prepareGet<Attempted, object>((arg) =>
    others
      .where((where) =>
        where.or([where("run_id", "<>", arg("runId")), where("row_no", "<>", arg("row"))]),
      )
      .where("product_id", "=", arg("productId"))
      .where("kind", "=", toLiteral("update"))
      .where("state", "in", [toLiteral("sending"), toLiteral("ambiguous")]),
  );
  const inFlight = database.prepareGet<Attempted, object>((arg) =>
    others
      .where((where) =>
        where.or([where("run_id", "<>", arg("runId")), where("row_no", "<>", arg("row"))]),
      )
      .where("code_key", "=", arg("codeKey"))
      .where("kind", "not in", PRODUCT_KINDS)
      .where("state", "in", OPEN_ACTION.map(toLiteral)),
  );
  const taken = database.prepareGet<Attempted, object>((arg) =>
    others
      .where((where) =>
        where.or([where("run_id", "<>", arg("runId")), where("row_no", "<>", arg("row"))]),
      )
      .where("code_key", "=", arg("codeKey"))
      .where("kind", "=", arg("kind"))
      .where("kind", "in", ONCE_ACTIONS.map(toLiteral))
      .where("state", "in", STATE_TABLE.takingCode.map(toLiteral)),
  );
  return {
    *action(claim) {
      const rivals = yield* together([inFlight(claim), taken(claim), call(claim)]);
      return rivals.some((rival) => rival !== undefined);
    },
    *add(claim) {
      return ((yield* add(claim)) ?? (yield* call(claim))) !== undefined;
    },
    *update(claim) {
      return (yield* update(claim)) !== undefined;
    },
  };
}

/** The new request replaces that of an earlier attempt. */
const prepareOp = ({ database }: JournalContext) =>
  database.prepareInsert(
    "op",
    [
      "run_id",
      "row_no",
      "store",
      "kind",
      "state",
      "code_key",
      "product_id",
      "price",
      "payload_json",
      "begun_at_ms",
      "settled_at_ms",
    ],
    { replaceBy: ["run_id", "row_no"] },
  );

/** The context of a journal in a file, and its markers. */
interface FileBeginningsOptions extends JournalContext {
  readonly database: FileDatabase & LeasedDatabase;
  readonly markers: InFlightMarkers;
}

/**
 * Begins requests where the database is a file: a row is written down and synced just before its first
 * byte, or claimed with others before, and a marker beside the file tells later whether its request
 * may have left. `begin` starts one row within the caller's transaction.
 */
export function createFileBeginnings(
  options: FileBeginningsOptions,
  begin: StartSend,
): Pick<Ledger, "claim" | "beginSending"> {
  const { database, markers } = options;
  const noteSent = createSentNote(options);
  const isSending = prepareIsSending(options);
  const assertSending = function* assertSending(claim: Claim): Steps<void> {
    if (yield* isSending(claim)) return;
    throw new Error(`row ${claim.row} of ${claim.runId} was recovered by another process`);
  };
  return {
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

type Beginnings = Pick<Ledger, "claim" | "beginSending" | "claimsFirst" | "mayLeave">;

interface LeasedBeginningsOptions {
  /** Starts one row within the caller's transaction. */
  readonly begin: StartSend;
  readonly senders: Pick<SenderMarkers, "open" | "write">;
}

/**
 * Begins requests where several machines work: each row is claimed in a transaction of its own, which
 * compares the epoch of the lease as every write does, and leaves only while no other owner can have
 * the lease. A row that is found `sending` at a take-over is unknown, unless the markers of a dead
 * process of the same home prove that it never left.
 */
export function createLeasedBeginnings(
  context: JournalContext,
  { begin, senders }: LeasedBeginningsOptions,
): Beginnings {
  const { database } = context;
  const lease = (): HeldLease => heldLease(context);
  /** The attempts that this process has claimed, by row. */
  const claims = new Map<string, number>();
  /** Why rows could not be claimed, until `beginSending` says it. */
  const refusals = new Map<string, "taken" | { readonly error: unknown }>();
  const claimAll = function* claimAll(rows: Parameters<Ledger["claim"]>[0]) {
    const begun = yield* inSavepoints(database, rows, begin);
    yield* database.assertCurrent();
    return begun;
  };
  return {
    claimsFirst: true,
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
