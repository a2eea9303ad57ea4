/**
 * What must never break, judged by one who sees the truth. The numbers of the rules are those of
 * the table in README.md.
 */

import { type ProductId } from "@catalog/contract";
import { codeKey } from "@catalog/mapping";
import { type Journal, isLegalMove, type RowKey, type RowRecord, toCounts } from "@catalog/runs";

import { createDoubleJudge, type DoubleJudge, productsOf } from "./doubles.ts";
import { type Home } from "./homes.ts";
import { type FullJournal, type JournalPortOptions } from "./journal-port.ts";
import { type Market, type TrueProduct } from "./market.ts";
import { type SentWrite, type WireWatch } from "./marketplace-port.ts";
import { createOverwriteJudge, type OverwriteJudge, SENT_AS } from "./overwrites.ts";
import { toTag } from "./program.ts";
import { EDITED_FIELDS, type Scenario, type Sheet } from "./scenario.ts";
import { type SimProcess } from "./sim-process.ts";
import { type Timeline } from "./timeline.ts";

export interface Oracle extends WireWatch {
  /** Broken rules so far, each once. */
  readonly broken: ReadonlySet<string>;
  break(rule: string, what: string): void;
  /** Products that were added twice, where nobody could know. */
  readonly excusedDoubles: number;
  /** The process begins to read the store for what it is about to send. */
  looked(process: SimProcess, what: "whole" | "recent"): void;
  readonly settled: JournalPortOptions["onSettle"];
  readonly held: JournalPortOptions["onHeld"];
  /** The process writes down what its plan has decided. */
  decided(process: SimProcess, ...plan: Parameters<JournalPortOptions["onDecide"]>): void;
  /** Judges the end of a world in which nothing more will happen. */
  judge(): Promise<void>;
}

export interface JournalWithEvents extends FullJournal {
  readonly events: readonly {
    readonly row: number;
    readonly from: RowRecord["state"];
    readonly to: RowRecord["state"];
  }[];
}

export interface OracleOptions {
  readonly scenario: Scenario;
  readonly market: Market;
  readonly timeline: Timeline;
  readonly homes: readonly Home[];
}

interface Room extends OracleOptions {
  readonly broken: Set<string>;
  readonly break: Oracle["break"];
  readonly doubles: DoubleJudge;
  /** When each process began to look. */
  readonly lookedAtMs: Map<SimProcess, number>;
  /** When an add of a code left last. */
  readonly leftAtMs: Map<string, number>;
  /** What the marketplace's refusal of a row's last request said, where there was one. */
  readonly claims: Map<string, unknown>;
  readonly overwrites: OverwriteJudge;
}

export function createOracle(options: OracleOptions): Oracle {
  const broken = new Set<string>();
  const lookedAtMs = new Map<SimProcess, number>();
  const breakRule: Oracle["break"] = (rule, what) => broken.add(`${rule}: ${what}`);
  const overwrites = createOverwriteJudge({ ...options, break: breakRule });
  const nowMs = (): number => options.timeline.nowMs;
  const doubles = createDoubleJudge({ ...options, nowMs, break: breakRule });
  const room: Room = {
    ...options,
    broken,
    doubles,
    overwrites,
    break: breakRule,
    lookedAtMs,
    leftAtMs: new Map(),
    claims: new Map(),
  };
  return {
    broken,
    break: room.break,
    get excusedDoubles() {
      return doubles.excused;
    },
    looked(process, what) {
      room.lookedAtMs.set(process, options.timeline.nowMs);
      doubles.looked(process, what);
    },
    ...createWireWatch(room),
    decided: (process, ...plan) =>
      overwrites.decided(plannedSince(options, lookedAtMs, process), ...plan),
    held(move, { cause, evidence }) {
      if (cause === "changed") overwrites.held(move, evidence);
    },
    settled(move, { to, cause, evidence }) {
      const key = `${move.runId}/${move.row}`;
      if (move.from === "sending") room.claims.set(key, evidence?.["claim"]);
      if (to !== "held" || cause !== "not-found") return;
      // Without a lock another process may have sent the row again since this one began to look.
      // Its looks are those at the earlier request then; to hold the row on them is safe.
      if (!options.scenario.isLocked) return;
      // After a refusal nothing is on its way any more, so that less looking will do.
      const isRefused = room.claims.get(key) !== undefined;
      judgeHeld(room, move, isRefused ? 2 : LEAST_LOOKS);
    },
    judge: () => judgeEnd(room),
  };
}

/** Without a lock a plan may rest on what another process has read for its own. */
function plannedSince(
  { scenario }: OracleOptions,
  lookedAtMs: ReadonlyMap<SimProcess, number>,
  process: SimProcess,
): number {
  const isAlone = scenario.isLocked || scenario.operators.length === 1;
  const all = isAlone ? [lookedAtMs.get(process) ?? 0] : [...lookedAtMs.values()];
  return Math.min(...all);
}

function createWireWatch(room: Room): WireWatch {
  const underWay = new Map<string, SimProcess>();
  return {
    left(write) {
      // Homes know nothing of each other.
      const key = `${toHome(write)} ${toKey(write)}`;
      const rival = underWay.get(key);
      // Without a lock an update may be sent by two; it carries absolute values.
      const isForbidden = write.kind === "add" || room.scenario.isLocked;
      if (isForbidden && rival?.isDead === false) room.break("I9", `two requests for ${key}`);
      underWay.set(key, write.by);
      if (write.kind === "add") judgeAdd(room, write);
      else room.overwrites.left(write);
      return () => underWay.delete(key);
    },
    arrived(write) {
      if (write.kind === "update") {
        room.overwrites.arrived(write);
        return;
      }
      // Read in this very moment, judged as soon as the promise is through.
      void judgeArrival(room, write);
    },
  };
}

async function judgeArrival(
  room: Room,
  write: Extract<SentWrite, { readonly kind: "add" }>,
): Promise<void> {
  const key = codeKey(write.body.product_code);
  const home = room.homes.find(({ line }) => line() === write.line);
  // What a lost state of a home has written down, nobody can read any more.
  const known = await Promise.all(
    (home?.disks ?? []).map(({ journal }) => journal.readKnownCodes([key])),
  );
  if (home !== undefined && known.flat().length === 0) {
    room.break("I6", `${key} was sent and not written down`);
  }
  room.doubles.added(write);
}

const toHome = ({ line }: SentWrite): string => line.split(",")[0] ?? "";

function toKey(write: SentWrite): string {
  return write.kind === "add" ? codeKey(write.body.product_code) : write.body.product_id;
}

const oursOf = (market: Market, key: string): readonly TrueProduct[] =>
  productsOf(market, key).filter(({ by }) => by === "us");

function judgeAdd(room: Room, write: Extract<SentWrite, { readonly kind: "add" }>): void {
  room.leftAtMs.set(codeKey(write.body.product_code), room.timeline.nowMs);
  room.doubles.left(write);
}

/** What was read of a code since an add of it left last. */
function readsOf({ market, leftAtMs }: Room, key: string): Market["reads"] {
  const sinceMs = leftAtMs.get(key) ?? -Infinity;
  return market.reads.filter(({ atMs, byIds, code }) => {
    const isCovering = !byIds && (code === undefined || codeKey(code) === key);
    return isCovering && atMs >= sinceMs;
  });
}

/** A row is given up only after looking often enough, and not while the store shows its product. */
function judgeHeld(room: Room, { runId, row }: RowKey, leastLooks: number): void {
  const { market, scenario } = room;
  const sheet = scenario.sheets.find((each) => each.runId === runId);
  const key = codeKey(sheet?.rows.find((each) => each.row === row)?.code ?? "");
  const reads = readsOf(room, key);
  for (const status of ["approved", "passive", "veto"] as const) {
    const looks = reads.filter((read) => read.status === status).length;
    if (looks < leastLooks) room.break("I5", `${key} was held after ${looks} looks at ${status}`);
  }
  const lastSweepAtMs =
    reads.filter((read) => read.status === "approved").at(-2)?.atMs ?? -Infinity;
  for (const { visibleAtMs } of oursOf(market, key)) {
    if (visibleAtMs < lastSweepAtMs) room.break("I5", `${key} was held and the store showed it`);
  }
}

const LEAST_LOOKS = 3;

async function judgeEnd(room: Room): Promise<void> {
  const accounted = new Set<string>();
  for (const home of room.homes) {
    // A second disk of a home is one too many, and shows in what was added twice.
    const journal = home.disks[0]?.journal;
    if (journal === undefined) continue;
    judgeMoves(room, journal);
    for (const sheet of room.scenario.sheets.filter((each) => each.home === home.number)) {
      for (const tag of await judgeSheet(room, sheet, journal)) accounted.add(tag);
    }
  }
  const lines = new Set(room.homes.map(({ line }) => line()));
  for (const { by, tag = "", line = "" } of room.market.products.values()) {
    if (by === "us" && lines.has(line) && !accounted.has(tag)) {
      room.break("I8", `${tag} is in the store, no row says so`);
    }
  }
}

/** Says for which rows there may be a product. */
async function judgeSheet(
  room: Room,
  sheet: Sheet,
  journal: JournalWithEvents,
): Promise<readonly string[]> {
  await judgeCounts(room, sheet, journal);
  const records = await journal.readRows(sheet.runId, { limit: 100 });
  const denied = await readDenied(room, records, { sheet, journal });
  for (const record of records) judgeRow(room, sheet, record, denied);
  // A second process of the run keeps what it finds, which may be the work of the first one. A copy
  // that was put back keeps what the lost one has written.
  const isAlone = room.scenario.isLocked || operatorsOf(room.scenario, sheet) === 1;
  const isWhole = room.scenario.restoring === undefined || sheet.home !== 0;
  if (isAlone && isWhole) await room.overwrites.judgeUndo(sheet.runId, records, journal);
  judgeDoubleRows(room, sheet, records);
  judgeDoubleUpdates(room, sheet, records);
  return [...records.filter(isAccounting).map(({ row }) => toTag(sheet, row)), ...denied];
}

/** Rows that were refused though they were carried out: the ledger must keep their codes. */
async function readDenied(
  { market, break: breakRule }: Room,
  records: readonly RowRecord[],
  { sheet, journal }: { readonly sheet: Sheet; readonly journal: Journal },
): Promise<ReadonlySet<string>> {
  const made = [...market.products.values()].filter(({ isDenied }) => isDenied);
  const denied = new Set<string>();
  for (const { row, state, codeKey: key } of records) {
    const tag = toTag(sheet, row);
    const product = made.find((each) => each.tag === tag);
    if (product === undefined || state !== "rejected") continue;
    denied.add(tag);
    const known = await journal.readKnownCodes([key ?? ""]);
    if (known.length === 0) breakRule("I19", `${tag} was refused, and its code was given back`);
  }
  return denied;
}

const operatorsOf = ({ operators }: Scenario, { runId }: Sheet): number =>
  operators.filter((operator) => operator.runId === runId).length;

function judgeMoves(room: Room, { events }: JournalWithEvents): void {
  // A look that changes nothing is an event as well.
  for (const { from, to, row } of events.filter((event) => event.from !== event.to)) {
    if (!isLegalMove(from, to)) room.break("I10", `row ${row} went from ${from} to ${to}`);
  }
}

async function judgeCounts(room: Room, sheet: Sheet, journal: Journal): Promise<void> {
  const { rows: total, ...classes } = toCounts(await journal.countRows(sheet.runId));
  const sum = Object.values(classes).reduce((all, count) => all + count, 0);
  if (total !== sheet.rows.length || sum !== total) {
    room.break("I1", `${sum} of ${sheet.rows.length} rows are counted`);
  }
  if (classes.pending + classes.unknown > 0) room.break("I14", "rows are left open");
}

const isAccounting = ({ state }: RowRecord): boolean => state === "done" || state === "held";

const UNSENT_ENDS: ReadonlySet<RowRecord["state"]> = new Set([
  "rejected",
  "invalid",
  "duplicate",
  "cancelled",
  "skipped",
  "unchanged",
]);

function judgeRow(room: Room, sheet: Sheet, record: RowRecord, denied: ReadonlySet<string>): void {
  const tag = toTag(sheet, record.row);
  const line = room.homes.find(({ number }) => number === sheet.home)?.line();
  const made = [...room.market.products.values()].filter(
    (product) => product.tag === tag && product.line === line,
  );
  if (UNSENT_ENDS.has(record.state) && made.length > 0 && !denied.has(tag)) {
    room.break("I4", `${tag} is ${record.state} and made a product`);
  }
  if (record.state === "done") judgeDone(room, record, tag);
  if (record.state !== "held") return;
  const isUnknown = record.issues.some(
    ({ code }) => code === "E_OUTCOME_UNKNOWN" || code === "E_FOUND_SIMILAR",
  );
  const lastLookAtMs = Math.max(...room.lookedAtMs.values());
  // A product that somebody has edited since is for a person to recognise.
  const isShown = made.some(
    ({ id, visibleAtMs }) => visibleAtMs < lastLookAtMs && !isEdited(room.market, id),
  );
  // Two products of one code are for a person to tell apart.
  const isAlone = productsOf(room.market, record.codeKey ?? "").length === 1;
  if (isUnknown && isShown && isAlone) room.break("I5", `${tag} stays held and the store shows it`);
}

const isEdited = (market: Market, id: ProductId): boolean =>
  (["title", "price"] as const).some((field) => market.historyOf(id, field).length > 1);

function judgeDone({ market, ...room }: Room, record: RowRecord, tag: string): void {
  const { productId } = record;
  const product = productId === null ? undefined : market.products.get(productId);
  if (product === undefined) {
    room.break("I3", `${tag} is done and there is no ${record.productId}`);
    return;
  }
  if (record.action === "add" && codeKey(product.code) !== record.codeKey) {
    room.break("I3", `${tag} is done and ${product.id} has another code`);
  }
  if (record.action !== "update") return;
  // Somebody else may have written the same, which is read back like our own.
  const isMissing = EDITED_FIELDS.some((field) => {
    const sent = record.payload?.[SENT_AS[field]];
    const stood = market.historyOf(product.id, field).map(({ value }) => value);
    return sent !== undefined && !stood.includes(sent);
  });
  if (isMissing) room.break("I3", `${tag} is done and its update was never carried out`);
}

/** Of rows with one code and different content, none may be sent. */
function judgeDoubleRows(room: Room, sheet: Sheet, records: readonly RowRecord[]): void {
  const byCode = Map.groupBy(records, (record) => record.codeKey);
  for (const [key, same] of byCode) {
    if (key === null) continue;
    const contents = new Set(same.map(({ cells }) => JSON.stringify(cells)));
    const isSent = same.some(({ attempts }) => attempts > 0);
    if (contents.size > 1 && isSent) room.break("I4", `${sheet.runId} sent one of several ${key}`);
  }
}

/** A product is changed by one row of a sheet at most. */
function judgeDoubleUpdates(room: Room, sheet: Sheet, records: readonly RowRecord[]): void {
  const sent = records.filter(({ action, attempts }) => action === "update" && attempts > 0);
  for (const [id, same] of Map.groupBy(sent, ({ productId }) => productId)) {
    if (same.length > 1) room.break("I4", `${sheet.runId} updated ${id} from ${same.length} rows`);
  }
}
