/** Judges every row and every product at the end of a world. */

import type { ProductId } from "@catalog/contract";
import { codeKey } from "@catalog/mapping";
import {
  hasSent,
  sentBody,
  type Journal,
  type RowRecord,
  sendsStock,
  toCounts,
  STATE_TABLE,
} from "@catalog/runs";

import type { Move } from "../world/disk.ts";
import type { FullJournal } from "../world/journal-port.ts";
import type { Market, TrueProduct } from "../world/market.ts";
import { toTag } from "../world/program.ts";
import { EDITED_FIELDS, type Scenario, type Sheet } from "../world/scenario.ts";
import { productsOf } from "./doubles.ts";
import type { OracleContext } from "./oracle.ts";
import { SENT_AS } from "./overwrites.ts";

/** Judges the final state, in which no event remains. */
export async function judgeEnd(context: OracleContext): Promise<void> {
  const accounted = new Set<string>();
  for (const home of context.homes) {
    // A second disk of a home is an error, which the duplicates show.
    const [disk] = home.disks;
    if (disk === undefined) continue;
    const { journal } = disk;
    judgeMoves(context, await disk.readMoves());
    for (const sheet of context.scenario.sheets.filter((each) => each.home === home.number)) {
      for (const tag of await judgeSheet(context, sheet, journal)) accounted.add(tag);
    }
  }
  judgeUnsaid(context, accounted);
}

/** Products that only a lost state of a home could account for. */
function judgeUnsaid(context: OracleContext, accounted: ReadonlySet<string>): void {
  const lines = new Set(context.homes.map((home) => home.line()));
  for (const { by, tag = "", line = "" } of context.market.products.values()) {
    if (by === "us" && lines.has(line) && !accounted.has(tag)) {
      context.break("I8", `${tag} is in the store, no row says so`);
    }
  }
}

/** Adds the rows that account for a product. */
async function judgeSheet(
  context: OracleContext,
  sheet: Sheet,
  journal: FullJournal,
): Promise<readonly string[]> {
  const records = await journal.readRows(sheet.runId, { limit: 100 });
  await judgeCounts(context, records, { sheet, journal });
  const denied = await readDenied(context, records, { sheet, journal });
  for (const record of records) judgeRow(context, { sheet, denied }, record);
  // A second process of the run may record what the first one sent, and a restored copy what the
  // lost state has sent.
  const isAlone = context.scenario.isLocked || operatorsOf(context.scenario, sheet) === 1;
  const isWhole = context.scenario.restoring === undefined || sheet.home !== 0;
  if (isAlone && isWhole) await context.overwrites.judgeUndo(sheet.runId, records, journal);
  judgeDoubleRows(context, sheet, records);
  judgeDoubleUpdates(context, sheet, records);
  return [...records.filter(isAccounting).map(({ row }) => toTag(sheet, row)), ...denied];
}

/** Rows that were refused although they were carried out; the ledger must keep their codes. */
async function readDenied(
  { market, break: breakRule }: OracleContext,
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

function judgeMoves(context: OracleContext, moves: readonly Move[]): void {
  // A lookup that changes no state is an event as well.
  for (const { from, to, row } of moves.filter((move) => move.from !== move.to)) {
    if (!STATE_TABLE.isLegal(from, to))
      context.break("I10", `row ${row} went from ${from} to ${to}`);
  }
}

async function judgeCounts(
  context: OracleContext,
  records: readonly RowRecord[],
  { sheet, journal }: { readonly sheet: Sheet; readonly journal: Journal },
): Promise<void> {
  const { rows: total, ...classes } = toCounts(await journal.countRows(sheet.runId));
  const sum = Object.values(classes).reduce((all, count) => all + count, 0);
  if (total !== sheet.rows.length || sum !== total) {
    context.break("I1", `${sum} of ${sheet.rows.length} rows are counted`);
  }
  if (classes.pending + classes.unknown > 0) context.break("I14", "rows are left open");
  const held = records.filter(({ state }) => state === "held").length;
  if (held !== classes.held) {
    context.break("I1", `${classes.held} rows of ${sheet.runId} are held, and ${held} are there`);
  }
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

/** Products that a row has made, as far as its home can know of them. */
function madeBy(
  { homes, market }: OracleContext,
  { home }: Sheet,
  tag: string,
): readonly TrueProduct[] {
  const line = homes.find(({ number }) => number === home)?.line();
  return [...market.products.values()].filter(
    (product) => product.tag === tag && product.line === line,
  );
}

interface Judging {
  readonly sheet: Sheet;
  readonly denied: ReadonlySet<string>;
}

function judgeRow(context: OracleContext, { sheet, denied }: Judging, record: RowRecord): void {
  const tag = toTag(sheet, record.row);
  const made = madeBy(context, sheet, tag);
  if (UNSENT_ENDS.has(record.state) && made.length > 0 && !denied.has(tag)) {
    context.break("I4", `${tag} is ${record.state} and made a product`);
  }
  if (hasSent(record)) judgeDone(context, record, tag);
  if (sendsStock(record))
    context.break("I22", `the stock of ${tag} waits, and only its price is held`);
  if (record.state === "held") judgeHeldRow(context, { sheet, made }, record);
}

interface HeldRow {
  readonly sheet: Sheet;
  /** Products that the row has made. */
  readonly made: readonly TrueProduct[];
}

function judgeHeldRow(context: OracleContext, { sheet, made }: HeldRow, record: RowRecord): void {
  const isUnknown = record.issues.some(
    ({ code }) => code === "E_OUTCOME_UNKNOWN" || code === "E_FOUND_SIMILAR",
  );
  const lastRecheckAtMs = context.homeRecheckedAtMs.get(sheet.home) ?? -Infinity;
  // A product that was edited elsewhere since is for a person to recognize.
  const isShown = made.some(
    ({ id, visibleAtMs }) => visibleAtMs < lastRecheckAtMs && !isEdited(context.market, id),
  );
  // Two products with one code are for a person to tell apart.
  const isAlone = productsOf(context.market, record.codeKey ?? "").length === 1;
  const tag = toTag(sheet, record.row);
  if (isUnknown && isShown && isAlone)
    context.break("I5", `${tag} stays held and the store shows it`);
}

const isEdited = (market: Market, id: ProductId): boolean =>
  (["title", "price"] as const).some((field) => market.historyOf(id, field).length > 1);

function judgeDone({ market, ...context }: OracleContext, record: RowRecord, tag: string): void {
  const { productId } = record;
  const product = productId === null ? undefined : market.products.get(productId);
  if (product === undefined) {
    context.break("I3", `${tag} is done and there is no ${record.productId}`);
    return;
  }
  if (record.action === "add" && codeKey(product.code) !== record.codeKey) {
    context.break("I3", `${tag} is done and ${product.id} has another code`);
  }
  if (record.action !== "update") return;
  // Another writer may have set the same value, which then counts as ours.
  const body = sentBody(record);
  const isMissing = EDITED_FIELDS.some((field) => {
    const sent = body[SENT_AS[field]];
    const stood = market.historyOf(product.id, field).map(({ value }) => value);
    return sent !== undefined && !stood.includes(sent);
  });
  if (isMissing) context.break("I3", `${tag} is done and its update was never carried out`);
}

/** Of rows with the same code and different content, none may be sent. */
function judgeDoubleRows(
  context: OracleContext,
  sheet: Sheet,
  records: readonly RowRecord[],
): void {
  const byCode = Map.groupBy(records, (record) => record.codeKey);
  for (const [key, same] of byCode) {
    if (key === null) continue;
    const contents = new Set(same.map(({ cells }) => JSON.stringify(cells)));
    const isSent = same.some(({ attempts }) => attempts > 0);
    if (contents.size > 1 && isSent)
      context.break("I4", `${sheet.runId} sent one of several ${key}`);
  }
}

/** At most one row of a sheet may change a product. */
function judgeDoubleUpdates(
  context: OracleContext,
  sheet: Sheet,
  records: readonly RowRecord[],
): void {
  const sent = records.filter(({ action, attempts }) => action === "update" && attempts > 0);
  for (const [id, same] of Map.groupBy(sent, ({ productId }) => productId)) {
    if (same.length > 1)
      context.break("I4", `${sheet.runId} updated ${id} from ${same.length} rows`);
  }
}
