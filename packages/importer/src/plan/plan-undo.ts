/** Plans a new run that undoes the changes of an earlier one, and finds the run that has undone one. */

import { type Connection, estimateSeconds, fieldLabel, recordCalls } from "@catalog/connection";
import { formatDateTime, formatNumber, type Lang } from "@catalog/i18n";
import { codeKey } from "@catalog/mapping";
import { createReadIdNames, formatFieldValue, type IdNames, payloadBefore } from "@catalog/report";
import {
  countPlanned,
  countPlannedCalls,
  type Counts,
  countSentStock,
  createRun,
  type FieldChange,
  hasSent,
  idsOf,
  type Journal,
  type LeftFields,
  type ListedProductRow,
  type ParsedRow,
  plannedPriceUnit,
  planUndoRow,
  type PriceUnit,
  readAllRows,
  readProducts,
  readSentUnit,
  reconcileOpen,
  refusedInUpdates,
  type RowDecision,
  type RowRecord,
  type RunFile,
  type RunRecord,
  toCounts,
  type UndoDecision,
  type UndoOutcome,
} from "@catalog/runs";

import { readCodeKeys } from "./plan-basis.ts";
import type { PlanFileOptions } from "./plan-options.ts";

/** The earlier run, and the settings of the new one. */
interface PlanUndoOptions extends Pick<
  PlanFileOptions,
  "command" | "lang" | "reportDir" | "settings" | "signal" | "onRun" | "onProgress"
> {
  readonly run: RunRecord;
  /** Sets the stock of products that the run added to 0. @default false */
  readonly zeroStock?: boolean;
}

/** Number of the earlier run's rows by outcome. */
export type PlannedUndo = Readonly<Record<UndoOutcome, number>>;

/** Products read back in one call. */
const BATCH_ROWS = 50;

const HEADER = {
  tr: ["Ürün Kodu", "Geri Alınan"],
  en: ["Product Code", "Restored"],
} as const;

/** States of rows that are done, or that may have sent their stock while their price waits. */
const SENDING_STATES = ["done", "held", "ready", "rejected", "cancelled"] as const;

/** Whether the run has sent something that an undo would look at. */
export async function hasSentRows(
  { journal }: Pick<Connection, "journal">,
  { id }: Pick<RunRecord, "id">,
): Promise<boolean> {
  for await (const rows of readAllRows(journal, id, { states: SENDING_STATES })) {
    if (rows.some(hasSent)) return true;
  }
  return false;
}

/** Plans the rows of `run` that have sent something, in its order and under its row numbers. */
export async function planUndo(
  connection: Connection,
  options: PlanUndoOptions,
): Promise<{ readonly run: RunRecord; readonly undo: PlannedUndo }> {
  const { client, journal, marketplace, clock, runs } = connection;
  const { run: old, signal } = options;
  const before = connection.meters.calls.counts();
  await client.login(signal === undefined ? {} : { signal });
  const open = { journal, marketplace, clock, sheet: old.file.sheet };
  await reconcileOpen({ ...open, ...(await readCodeKeys(connection)), signal });
  const runId = await createUndoRun(connection, options);
  await options.onRun?.(runId);

  const planned = await planRows(connection, options, runId);
  const settings = options.settings ?? {};
  const progress = { undoOf: old.id };
  const rows = countPlanned(await journal.countRows(runId));
  const addSeconds = await estimateSeconds(connection, rows.add);
  const isVerified = settings.noVerify !== true;
  const callsPerHour = await connection.meters.pacing.callsPerHour();
  const requests = countPlannedCalls(rows, { addSeconds, callsPerHour, isVerified });
  const seconds = await estimateSeconds(connection, requests);
  const counts = { ...rows, requests, seconds };
  const capabilities = await connection.verificationLog.readCapabilities();
  const { priceUnit } = planned;
  const facts = { readBy: "lookups", priceUnit, planned: counts, capabilities } as const;
  const warnings = await warnOfUndo(connection, old, planned);
  await runs.update(runId, { state: "planned", facts, settings, progress, warnings });
  await recordCalls(connection, runId, before);
  const run = await runs.read(runId);
  if (run === undefined) throw new Error(`run ${runId} was planned and is gone`);
  return { run, undo: planned.undo };
}

async function createUndoRun(
  { runs, clock }: Connection,
  { run, command, lang, reportDir }: PlanUndoOptions,
): Promise<string> {
  const file: RunFile = {
    path: "",
    name: `undo ${run.id}`,
    sha256: "",
    kind: "csv",
    sheet: run.file.sheet,
    ...(run.file.sheets && { sheets: run.file.sheets }),
    headerRow: run.file.headerRow,
    header: HEADER[lang],
  };
  return await createRun({ runs, clock }, (id) => {
    const dir = reportDir.replaceAll("{run}", id);
    return { id, command, file, mode: "update", lang, reportDir: dir, warnings: [] };
  });
}

const NO_UNDO: PlannedUndo = {
  restore: 0,
  partly: 0,
  empty: 0,
  already: 0,
  "already-empty": 0,
  added: 0,
  kept: 0,
  "not-undoable": 0,
};

interface UndoContext {
  readonly undo: PlannedUndo;
  /** The fields that rows restored in part leave as they are, each once. */
  readonly left: LeftFields;
  readonly priceUnit: PriceUnit;
}

async function planRows(
  connection: Connection,
  options: PlanUndoOptions,
  runId: string,
): Promise<UndoContext> {
  const { journal, verificationLog } = connection;
  const { run: old, signal } = options;
  const count = createUndoCount();
  const refused = refusedInUpdates(await verificationLog.readCapabilities());
  let priceUnit: PriceUnit = plannedPriceUnit(old.facts);
  let isFirst = true;
  for await (const rows of readAllRows(journal, old.id, { states: SENDING_STATES }, BATCH_ROWS)) {
    signal?.throwIfAborted();
    const records = rows.filter(hasSent);
    if (records.length === 0) continue;
    const now = await readNow(connection, records, signal);
    // Prices that we sent are listed now and may tell the unit that the run's plan did not know.
    if (isFirst) priceUnit = toKnown(await readSentUnit(connection.journal)) ?? priceUnit;
    const step = { runId, records, now, priceUnit, refused };
    for (const decision of await storeBatch(connection, options, step)) count.observe(decision);
    isFirst = false;
  }
  return { ...count.read(), priceUnit };
}

type UndoCounted = Pick<UndoContext, "undo" | "left">;

/** Creates the counts of the rows, and the fields that they leave. */
function createUndoCount(): {
  observe(decision: UndoDecision): void;
  read(): UndoCounted;
} {
  const undo = { ...NO_UNDO };
  const [hidden, kept] = [new Set<string>(), new Set<string>()];
  return {
    observe({ outcome, left = NOTHING_LEFT }) {
      undo[outcome] += 1;
      for (const field of left.hidden) hidden.add(field);
      for (const field of left.kept) kept.add(field);
    },
    read: () => ({ undo, left: { hidden: [...hidden], kept: [...kept] } }),
  };
}

const NOTHING_LEFT: LeftFields = { hidden: [], kept: [] };

const toKnown = (unit: PriceUnit): PriceUnit | undefined => (unit === "unknown" ? undefined : unit);

type Products = ReadonlyMap<string, ListedProductRow["product"]>;

async function readNow(
  { journal, marketplace }: Connection,
  records: readonly RowRecord[],
  signal: AbortSignal | undefined,
): Promise<Products> {
  const found = [...(await readProducts(idsOf(records), { marketplace, signal })).values()];
  await journal.saveSeen(
    found.map(({ status, product }) => ({
      codeKey: codeKey(product.product_code ?? ""),
      status,
      product,
    })),
  );
  return new Map(found.map(({ product }) => [product.id, product]));
}

interface UndoBatch {
  readonly runId: string;
  readonly records: readonly RowRecord[];
  readonly now: Products;
  readonly priceUnit: PriceUnit;
  readonly refused: ReadonlySet<string>;
}

async function storeBatch(
  connection: Connection,
  options: PlanUndoOptions,
  { runId, records, ...known }: UndoBatch,
): Promise<readonly UndoDecision[]> {
  const { journal, verificationLog } = connection;
  const readNames = createReadIdNames(connection, options.run);
  const before = await verificationLog.readBefore(
    options.run.id,
    records.map(({ row }) => row),
  );
  const rows: (UndoDecision &
    Pick<UndoValues, "now" | "names"> & { readonly record: RowRecord })[] = [];
  for (const record of records) {
    const shown = { before: before.get(record.row), now: known.now.get(record.productId ?? "") };
    const names = await readNames({ ...record, changes: toIdChanges(shown) });
    const planned = planOne(options, record, { ...known, ...shown, names });
    rows.push({ record, now: shown.now, names, ...planned });
  }
  await journal.appendRows(
    runId,
    rows.map(({ record, decision, names }) =>
      toParsed(record, decision, { lang: options.lang, names }),
    ),
  );
  const kept = rows.flatMap(({ record: { row }, now, outcome }) =>
    SENT_OUTCOMES.has(outcome) && now !== undefined ? [{ row, product: now }] : [],
  );
  await verificationLog.saveBefore(runId, kept);
  await journal.saveDecisions(
    runId,
    rows.map(({ decision }) => decision),
  );
  return rows;
}

/** The results that change a product. */
const SENT_OUTCOMES: ReadonlySet<UndoOutcome> = new Set(["restore", "partly", "empty"]);

type UndoValues = Pick<
  Parameters<typeof planUndoRow>[0],
  "before" | "now" | "priceUnit" | "refused"
> & { readonly names: IdNames };

/** The ids that the listings have, as the old and new values of their fields. */
const toIdChanges = ({ before, now }: Pick<UndoValues, "before" | "now">): readonly FieldChange[] =>
  (["brand_id", "shipping_template_id"] as const).map((field) => ({
    field,
    old: now?.[field],
    new: before?.[field],
  }));

function planOne(
  { run, lang, zeroStock = false }: PlanUndoOptions,
  record: RowRecord,
  { names, ...known }: UndoValues,
): UndoDecision {
  const { row, code, payload } = record;
  return planUndoRow({
    ...known,
    record,
    zeroStock,
    location: { sheet: run.file.sheet, row, column: "", cell: "", value: code ?? "" },
    formatValue: (field, value) => formatFieldValue(field, value, { payload, lang, names }),
    nameField: (field) => fieldLabel(field, lang),
  });
}

/** Cells of the result files' row: the code, and the old and the new value of each field. */
function toParsed(
  { row, code, codeKey: key }: RowRecord,
  { changes, payload }: RowDecision,
  { lang, names }: { readonly lang: Lang; readonly names: IdNames },
): ParsedRow {
  const before = payloadBefore({ payload, changes });
  const show = (field: string, value: unknown, sent = payload): string =>
    formatFieldValue(field, value, { payload: sent, lang, names }) || "?";
  const restored = changes.map(
    ({ field, old, new: next }) =>
      `${fieldLabel(field, lang)}: ${show(field, old, before)} → ${show(field, next)}`,
  );
  return { row, cells: [code, restored.join("\n") || null], code, codeKey: key };
}

/** What an undo does with the rows. */
interface UndoPlan {
  readonly undo: PlannedUndo;
  /** Fields that rows restored in part leave as they are. */
  readonly left: LeftFields;
}

/** States what the undo does, and which rows of the run `old` it leaves out. */
export async function warnOfUndo(
  connection: Pick<Connection, "journal">,
  old: RunRecord,
  plan: UndoPlan,
): Promise<RunRecord["warnings"]> {
  const counts = toCounts(await connection.journal.countRows(old.id));
  return [
    toSummary(old, plan),
    ...warnOfPruned(old, counts, plan.undo),
    ...warnOfHeld(old, counts),
  ];
}

/** Held rows were not sent, so there is nothing to undo; they can still be released. */
function warnOfHeld({ id }: RunRecord, { held }: Counts): RunRecord["warnings"] {
  if (held === 0) return [];
  const message = {
    tr: `${id} çalıştırmasında ${formatNumber(held, "tr")} satır hâlâ karar bekliyor. Geri almak bu satırları kapatmaz; catalog release ile yine gönderilebilirler. Gönderilmeyeceklerse kapatın: catalog release ${id} --cancel`,
    en: `${formatNumber(held, "en")} ${held === 1 ? "row" : "rows"} of ${id} still ${held === 1 ? "waits" : "wait"} for a decision. Undoing the run does not close such rows; catalog release would still send them. If they are not to be sent, close them: catalog release ${id} --cancel`,
  };
  return [{ code: "W_UNDO_HELD", message }];
}

/** Warns of rows whose records were deleted, as later runs had sent all of their fields again. */
function warnOfPruned(
  { id, prunedAtMs }: RunRecord,
  { added, updated }: Counts,
  undo: PlannedUndo,
): RunRecord["warnings"] {
  if (prunedAtMs === undefined) return [];
  const left = added + updated - Object.values(undo).reduce((sum, rows) => sum + rows, 0);
  if (left <= 0) return [];
  const day = (lang: Lang): string => formatDateTime(prunedAtMs, lang, { dateStyle: "medium" });
  const message = {
    tr: `${id} çalıştırmasının ${left} satırı geri alınamaz: sonraki çalıştırmalar aynı alanları yeniden göndermiş, satırların kaydı da ${day("tr")} tarihinde silinmiş.`,
    en: `${left} rows of ${id} cannot be undone: later runs have sent the same fields again, and the records of these rows were deleted on ${day("en")}.`,
  };
  return [{ code: "W_UNDO_PRUNED", message }];
}

function toSummary({ file, progress }: RunRecord, { undo, left }: UndoPlan): Warning {
  const counted = OUTCOMES.filter((outcome) => undo[outcome] > 0);
  const list = (lang: Lang): string =>
    counted
      .map((outcome) =>
        SUMMARY[lang][outcome](formatNumber(undo[outcome], lang), describeLeft(left, lang)),
      )
      .join(", ");
  const isUndo = progress.undoOf !== undefined;
  return {
    code: "W_UNDO",
    message: {
      tr: `${isUndo ? "Bir geri alma" : `“${file.name}”`} geri alınıyor: ${list("tr")}.`,
      en: `Undoing ${isUndo ? "an undo" : `“${file.name}”`}: ${list("en")}.`,
    },
  };
}

type Warning = RunRecord["warnings"][number];

/** In the order in which they are told. */
const OUTCOMES = [
  "restore",
  "partly",
  "empty",
  "kept",
  "added",
  "not-undoable",
  "already",
  "already-empty",
] as const satisfies readonly (keyof PlannedUndo)[];

/** The fields that stay, in words. */
function describeLeft({ hidden, kept }: LeftFields, lang: Lang): string {
  const name = (fields: readonly string[]): string =>
    fields.map((field) => fieldLabel(field, lang)).join(", ");
  const parts = [
    hidden.length === 0 ? "" : LEFT[lang].hidden(name(hidden)),
    kept.length === 0 ? "" : LEFT[lang].kept(name(kept)),
  ];
  return parts.filter((part) => part !== "").join("; ");
}

const LEFT: Readonly<Record<Lang, Readonly<Record<keyof LeftFields, (fields: string) => string>>>> =
  {
    tr: {
      hidden: (fields) => `${fields} geri alınamaz`,
      kept: (fields) => `${fields} o zamandan beri değişmiş, olduğu gibi kalacak`,
    },
    en: {
      hidden: (fields) => `${fields} cannot be undone`,
      kept: (fields) => `${fields} changed since, left alone`,
    },
  };

const SUMMARY: Readonly<
  Record<Lang, Readonly<Record<keyof PlannedUndo, (count: string, left: string) => string>>>
> = {
  tr: {
    restore: (count) => `${count} ürün eski hâline dönecek`,
    partly: (count, left) => `${count} ürün kısmen eski hâline dönecek (${left})`,
    empty: (count) => `eklenen ${count} ürünün stoğu 0 yapılacak (ürün silinemez)`,
    kept: (count) => `${count} ürüne dokunulmayacak (o zamandan beri değişmiş)`,
    added: (count) => `eklenen ${count} ürün mağazada kalacak (ürün silinemez)`,
    "not-undoable": (count) => `${count} ürün geri alınamaz`,
    already: (count) => `${count} ürün zaten eski hâlinde`,
    "already-empty": (count) => `eklenen ${count} ürünün stoğu zaten 0`,
  },
  en: {
    restore: (count) => `${count} to restore`,
    partly: (count, left) => `${count} to restore in part (${left})`,
    empty: (count) => `${count} added, whose stock becomes 0 (products cannot be deleted)`,
    kept: (count) => `${count} left alone (changed since)`,
    added: (count) => `${count} added, which stay in the store (products cannot be deleted)`,
    "not-undoable": (count) => `${count} that cannot be undone`,
    already: (count) => `${count} already as before`,
    "already-empty": (count) => `${count} added, whose stock is 0 already`,
  },
};

/** The undo of a run, and how much of the run it has taken back. */
export interface RunUndo {
  readonly run: RunRecord;
  /** Rows that are as they were before the run. A row that was restored in part counts as well. */
  readonly restored: number;
  /** Rows that the run has sent, before the undo or after it. */
  readonly sent: number;
}

/** A run whose undo is looked for. */
type SentRun = Pick<RunRecord, "id" | "facts">;

/** The latest undo of `run` that was not wholly undone itself. It may leave rows of the run. */
export async function findUndo(
  connection: Pick<Connection, "runs" | "journal">,
  run: SentRun,
): Promise<RunUndo | undefined> {
  const { runs, journal } = connection;
  for (const undo of await runs.listUndos(run.id)) {
    const { updated, unchanged } = toCounts(await journal.countRows(undo.id));
    if (updated === 0) continue;
    const redone = (await findUndo(connection, undo))?.restored ?? 0;
    if (redone >= updated) continue;
    // Rows of which an earlier undo has made what they were are unchanged in this one.
    const restored = updated + unchanged - redone - (await countSentSince(journal, run, undo));
    return { run: undo, restored, sent: await countSent(journal, run) };
  }
  return undefined;
}

/** Whether the undo has left rows that the run has sent, or rows were sent after it. */
export const isPartialUndo = ({ restored, sent }: RunUndo): boolean => restored < sent;

/** Only runs that have split a row send its parts at two times. */
const hasSplitRows = ({ facts }: SentRun): boolean => (facts?.planned.stock ?? 0) > 0;

async function countSent(journal: Journal, run: SentRun): Promise<number> {
  const { added, updated } = toCounts(await journal.countRows(run.id));
  const stock = hasSplitRows(run) ? await countSentStock({ journal, runId: run.id }) : 0;
  return added + updated + stock;
}

/** Counts the rows whose stock the undo has taken back, and whose rest was sent after it. */
async function countSentSince(journal: Journal, run: SentRun, undo: RunRecord): Promise<number> {
  if (!hasSplitRows(run)) return 0;
  let sent = 0;
  for await (const rows of readAllRows(journal, run.id, { states: ["done"] })) {
    for (const { row, updatedAtMs } of rows) {
      if (updatedAtMs <= undo.createdAtMs) continue;
      const [record] = await journal.readRows(undo.id, { after: row - 1, limit: 1 });
      if (record?.row === row && RESTORED.has(record.state)) sent += 1;
    }
  }
  return sent;
}

const RESTORED: ReadonlySet<RowRecord["state"]> = new Set(["done", "unchanged"]);

/** The undo of a row: the run that sent it, and the row of that run. */
export interface RowUndo {
  readonly run: RunRecord;
  readonly record: RowRecord;
}

/** The latest undo that has changed the product of the row, and was not undone itself. */
export async function findRowUndo(
  connection: Pick<Connection, "runs" | "journal">,
  { id }: Pick<RunRecord, "id">,
  row: number,
): Promise<RowUndo | undefined> {
  for (const run of await connection.runs.listUndos(id)) {
    // An undo keeps the row numbers of the run that it undoes.
    const [record] = await connection.journal.readRows(run.id, { after: row - 1, limit: 1 });
    if (record?.row !== row || record.state !== "done") continue;
    if ((await findRowUndo(connection, run, row)) === undefined) return { run, record };
  }
  return undefined;
}
