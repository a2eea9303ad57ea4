/** Plans a new run that undoes the changes of an earlier one. Sends nothing. */

import { recordCalls, estimateSeconds, fieldLabel, type Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { codeKey } from "@catalog/mapping";
import { createReadIdNames, formatFieldValue, type IdNames, payloadBefore } from "@catalog/report";
import {
  createRun,
  type FieldChange,
  hasSent,
  countPlanned,
  countPlannedCalls,
  idsOf,
  type LeftFields,
  type ParsedRow,
  planUndoRow,
  plannedPriceUnit,
  type PriceUnit,
  readAllRows,
  readProducts,
  readSentUnit,
  refusedInUpdates,
  type RowDecision,
  type RowRecord,
  type RunFile,
  type RunRecord,
  type ListedProductRow,
  reconcileOpen,
  type UndoDecision,
  type UndoOutcome,
} from "@catalog/runs";

import { readCodeKeys } from "./code-keys.ts";
import type { PlanFileOptions } from "./plan-file-options.ts";
import { warnOfUndo } from "./undo-warnings.ts";

/** The earlier run, and the settings of the new one. */
export interface PlanUndoOptions extends Pick<
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
