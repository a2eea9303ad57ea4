/** State that the parts of the oracle share. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabase } from "@catalog/database/testing";
import { codeKey } from "@catalog/mapping";
import type { RowKey } from "@catalog/runs";
import { sql } from "kysely";

import type { Timeline } from "../timeline.ts";
import type { Home } from "../world/homes.ts";
import type { JournalPortOptions } from "../world/journal-port.ts";
import type { Market, TrueProduct } from "../world/market.ts";
import type { SentWrite, WireWatch } from "../world/marketplace-port.ts";
import { toTag } from "../world/program.ts";
import type { Scenario, SheetRow } from "../world/scenario.ts";
import type { SimProcess } from "../world/sim-process.ts";
import { createDoubleJudge, type DoubleJudge, productsOf } from "./doubles.ts";
import { judgeEnd } from "./endings.ts";
import { createOverwriteJudge, type OverwriteJudge } from "./overwrites.ts";

interface OracleOptions {
  readonly scenario: Scenario;
  readonly market: Market;
  readonly timeline: Timeline;
  readonly homes: readonly Home[];
}

export interface OracleContext extends OracleOptions {
  readonly broken: Set<string>;
  readonly break: (rule: string, what: string) => void;
  readonly doubles: DoubleJudge;
  /** When each process began to read the listing. */
  readonly recheckedAtMs: Map<SimProcess, number>;
  /** When a process of each home last began to read the listing. */
  readonly homeRecheckedAtMs: Map<number, number>;
  /** When an add of a code was last sent from a home. */
  readonly leftAtMs: Map<string, number>;
  /** Text of the marketplace's refusal of each row's last request, where it was refused. */
  readonly claims: Map<string, unknown>;
  /** Rows that a person has released. */
  readonly released: Set<string>;
  readonly overwrites: OverwriteJudge;
}

/*
 * Whether a power failure takes commits. That depends on how the real database is opened, so the
 * real database is tested.
 */

/** From `FULL` on, SQLite has a commit on the disk before it returns. */
const FULL = 2;

/** Whether a commit survives a power failure once the database has returned. */
export async function isStoreDurable(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-durability-"));
  try {
    using database = await openDatabase(join(folder, "catalog.db"));
    const query = sql<{ readonly synchronous: number }>`PRAGMA synchronous`;
    const reading = database.get({ compile: () => query.compile(database.build) });
    const level = database.executeNow(reading);
    return (level?.synchronous ?? 0) >= FULL;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/*
 * Judges the invariants with knowledge of the true state. The numbers of the rules are those of the
 * table in README.md.
 */

export interface Oracle extends WireWatch {
  /** Broken rules so far, each once. */
  readonly broken: ReadonlySet<string>;
  break(rule: string, what: string): void;
  /** Duplicate products that could not be avoided. */
  readonly excusedDoubles: number;
  /** The process begins to read the listing for what it is about to send. */
  rechecked(process: SimProcess, what: "whole" | "recent", home: number): void;
  readonly recorded: JournalPortOptions["onOutcome"];
  readonly held: JournalPortOptions["onHeld"];
  /** A person releases a held row. */
  released(key: RowKey): void;
  /** The process stores the decisions of its plan. */
  decided(process: SimProcess, ...plan: Parameters<JournalPortOptions["onDecide"]>): void;
  /** Judges the final state, in which no event remains. */
  judge(): Promise<void>;
}

export function createOracle(options: OracleOptions): Oracle {
  const broken = new Set<string>();
  const recheckedAtMs = new Map<SimProcess, number>();
  const breakRule: Oracle["break"] = (rule, what) => broken.add(`${rule}: ${what}`);
  const overwrites = createOverwriteJudge({ ...options, break: breakRule });
  const nowMs = (): number => options.timeline.nowMs;
  const doubles = createDoubleJudge({ ...options, nowMs, break: breakRule });
  const context: OracleContext = {
    ...options,
    broken,
    doubles,
    overwrites,
    break: breakRule,
    recheckedAtMs,
    homeRecheckedAtMs: new Map(),
    leftAtMs: new Map(),
    claims: new Map(),
    released: new Set(),
  };
  return {
    broken,
    break: context.break,
    get excusedDoubles() {
      return doubles.excused;
    },
    rechecked(process, what, home) {
      context.recheckedAtMs.set(process, options.timeline.nowMs);
      context.homeRecheckedAtMs.set(home, options.timeline.nowMs);
      doubles.rechecked(process, what);
    },
    released: ({ runId, row }) => void context.released.add(toTag({ runId }, row)),
    ...createWireWatch(context),
    decided(process, ...plan) {
      doubles.planned(plan[0], process);
      overwrites.decided(plannedSince(options, recheckedAtMs, process), ...plan);
    },
    held(move, { cause, evidence }) {
      if (cause === "changed") overwrites.held(move, evidence);
    },
    recorded(move, { to, cause, evidence }) {
      const key = `${move.runId}/${move.row}`;
      if (move.from === "sending") context.claims.set(key, evidence?.["claim"]);
      if (to !== "held" || cause !== "not-found") return;
      // Without a lock another process may have sent the row again since this process began its
      // lookups. They then refer to the earlier request, and holding the row is safe.
      if (!options.scenario.isLocked) return;
      // After a refusal no request is under way, so fewer lookups suffice.
      const isRefused = context.claims.get(key) !== undefined;
      judgeHeld(context, move, isRefused ? 2 : MIN_LOOKUPS);
    },
    judge: () => judgeEnd(context),
  };
}

/** Without a lock a plan may be decided from what another process has read. */
function plannedSince(
  { scenario }: OracleOptions,
  lookedAtMs: ReadonlyMap<SimProcess, number>,
  process: SimProcess,
): number {
  const isAlone = scenario.isLocked || scenario.operators.length === 1;
  const all = isAlone ? [lookedAtMs.get(process) ?? 0] : [...lookedAtMs.values()];
  return Math.min(...all);
}

function createWireWatch(context: OracleContext): WireWatch {
  const underWay = new Map<string, SimProcess>();
  return {
    left(write) {
      if (write.kind === "update") {
        judgePrice(context, write);
        judgeHeldPrice(context, write);
      }
      judgeCost(context, write);
      // Homes do not know of each other.
      const key = `${toHome(write)} ${toKey(write)}`;
      const rival = underWay.get(key);
      // Without a lock two processes may send an update, which carries absolute values.
      const isForbidden = write.kind === "add" || context.scenario.isLocked;
      if (isForbidden && rival?.isDead === false) context.break("I9", `two requests for ${key}`);
      underWay.set(key, write.by);
      if (write.kind === "add") judgeAdd(context, write);
      else context.overwrites.left(write);
      return () => underWay.delete(key);
    },
    arrived(write) {
      if (write.kind === "update") {
        context.overwrites.arrived(write);
        return;
      }
      // The state is read now and judged when the promise resolves.
      void judgeArrival(context, write);
    },
  };
}

async function judgeArrival(
  context: OracleContext,
  write: Extract<SentWrite, { readonly kind: "add" }>,
): Promise<void> {
  const key = codeKey(write.body.product_code);
  const home = context.homes.find((each) => each.line() === write.line);
  // What a lost state of a home has stored cannot be read.
  const known = await Promise.all(
    (home?.disks ?? []).map(({ journal }) => journal.readKnownCodes([key])),
  );
  if (home !== undefined && known.flat().length === 0) {
    context.break("I6", `${key} was sent and not written down`);
  }
  context.doubles.added(write);
}

/** A price that a guard holds waits for a person, whatever else of its row is sent. */
function judgeHeldPrice(
  { scenario, market, released, ...context }: OracleContext,
  { body, runId }: Extract<SentWrite, { readonly kind: "update" }>,
): void {
  if (!scenario.isPriceHeld || body.price === undefined) return;
  const rows = scenario.sheets.find((each) => each.runId === runId)?.rows ?? [];
  const key = codeKey(market.products.get(body.product_id)?.code ?? "");
  const mine = rows.filter(({ code, kind }) => kind === "by-id" || codeKey(code) === key);
  if (mine.some(({ row }) => released.has(toTag({ runId }, row)))) return;
  context.break("I22", `${runId} sends a price of ${body.product_id} that a guard holds`);
}

/** A price below cost waits for a person, of a new product too. */
function judgeCost(
  { scenario, market, released, ...context }: OracleContext,
  write: SentWrite,
): void {
  const { body, runId } = write;
  if (!scenario.hasCosts || body.price === undefined) return;
  const rows = scenario.sheets.find((each) => each.runId === runId)?.rows ?? [];
  // Without a new price a row has no cost.
  const priced = rows.filter(({ price }) => price === body.price);
  const isMine = (row: SheetRow): boolean => {
    if (write.kind === "add") return write.body.description === toTag({ runId }, row.row);
    const product = market.products.get(write.body.product_id);
    return row.kind !== "by-id" && codeKey(row.code) === codeKey(product?.code ?? "");
  };
  const mine = priced.filter(isMine);
  if (mine.length === 0 || mine.some(({ row }) => released.has(toTag({ runId }, row)))) return;
  context.break("I23", `${runId} sells row ${mine[0]?.row} for less than it costs`);
}

/** A price is compared only where the unit of the listed prices is known. */
function judgePrice(
  { scenario, market, ...context }: OracleContext,
  { body, line }: Extract<SentWrite, { readonly kind: "update" }>,
): void {
  if (scenario.priceUnit !== "unknown" || body.price === undefined) return;
  // A price that was sent and is listed tells the unit.
  const hasSent = [...market.products.values()].some(
    (product) => product.by === "us" && toHome({ line: product.line ?? "" }) === toHome({ line }),
  );
  if (!hasSent) context.break("I20", `${body.product_id} gets a price in a unit that nobody knows`);
}

const toHome = ({ line }: Pick<SentWrite, "line">): string => line.split(",")[0] ?? "";

function toKey(write: SentWrite): string {
  return write.kind === "add" ? codeKey(write.body.product_code) : write.body.product_id;
}

const oursOf = (market: Market, key: string): readonly TrueProduct[] =>
  productsOf(market, key).filter(({ by }) => by === "us");

function judgeAdd(
  context: OracleContext,
  write: Extract<SentWrite, { readonly kind: "add" }>,
): void {
  context.leftAtMs.set(`${toHome(write)} ${toKey(write)}`, context.timeline.nowMs);
  context.doubles.left(write);
}

/** Reads of a code since its add was last sent. */
function readsOf({ market, leftAtMs }: OracleContext, key: string, home: number): Market["reads"] {
  const sinceMs = leftAtMs.get(`home ${home} ${key}`) ?? -Infinity;
  return market.reads.filter(({ atMs, byIds, code }) => {
    const isCovering = !byIds && (code === undefined || codeKey(code) === key);
    return isCovering && atMs >= sinceMs;
  });
}

/** The code and the home of a row. */
function rowOf(
  { scenario: { sheets } }: OracleContext,
  { runId, row }: RowKey,
): { readonly key: string; readonly home: number } {
  const sheet = sheets.find((each) => each.runId === runId);
  const code = sheet?.rows.find((each) => each.row === row)?.code ?? "";
  return { key: codeKey(code), home: sheet?.home ?? 0 };
}

/**
 * A row may be held as unknown only after enough lookups, and not while the store shows its
 * product.
 */
function judgeHeld(context: OracleContext, { runId, row }: RowKey, minLookups: number): void {
  const { market } = context;
  const { key, home } = rowOf(context, { runId, row });
  const reads = readsOf(context, key, home);
  for (const status of ["approved", "passive", "veto"] as const) {
    const rechecks = reads.filter((read) => read.status === status).length;
    if (rechecks < minLookups)
      context.break("I5", `${key} was held after ${rechecks} looks at ${status}`);
  }
  const lastSweepAtMs =
    reads.filter((read) => read.status === "approved").at(-2)?.atMs ?? -Infinity;
  for (const { visibleAtMs } of oursOf(market, key)) {
    if (visibleAtMs < lastSweepAtMs) context.break("I5", `${key} was held and the store showed it`);
  }
}

const MIN_LOOKUPS = 3;
