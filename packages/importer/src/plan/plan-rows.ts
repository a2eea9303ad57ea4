/** Stores the rows of a file as they stand, then plans every one of them. */

import { estimateSeconds } from "@catalog/connection";
import { createNameSource } from "@catalog/connection";
import { type Toolkit } from "@catalog/connection";
import { recallPriceUnit, rememberPlannedUnit } from "@catalog/connection";
import { type Localized } from "@catalog/i18n";
import {
  codeKey,
  type CodeSuspects,
  type ColumnMapping,
  createCodeColumn,
  createCodeSuspects,
  createNamesKey,
  createNotationObserver,
  createPriceSamples,
  createRowMapper,
  type NumberNotations,
  type RowMapper,
  type SourceRow,
  suspectCodeKey,
} from "@catalog/mapping";
import { type ReadingNow } from "@catalog/report";
import {
  type AlikeOptions,
  createTextRows,
  type Journal,
  type ParsedRow,
  type PlanFacts,
  planRun,
  type ReadingSettings,
  type RunRecord,
  type RunSettings,
  type RunWarning,
  toGuardSettings,
} from "@catalog/runs";

import { announceCanary } from "../apply/canary-texts.ts";
import { toReadMoment } from "../apply/recheck-adds.ts";
import { countUnitHeld } from "../apply/recheck-price-guards.ts";
import { type RecalledColumns, toColumnReading } from "../columns/column-profiles.ts";
import { recallNotations } from "../columns/remembered-notations.ts";
import { createRemarkRows } from "../file/commented-out-rows.ts";
import { createReadingCheck } from "../file/describe-file.ts";
import { lastHeaderRow, productRows } from "../file/product-rows.ts";
import { toMappable } from "../file/to-mapping-row.ts";
import { openPictures, type Pictures } from "../images/open-images.ts";
import { loadRules } from "../names/active-rules.ts";
import { settleNames } from "../names/ask-open-names.ts";
import { createNameCases, type NameCases } from "../names/find-open-names.ts";
import { type PlanFileOptions, type PlanSource } from "./plan-file.ts";
import { toReadingNotes } from "./plan-notes.ts";
import { warnOfPriceUnit } from "./price-unit-texts.ts";
import { noteRefused, readRefused } from "./refused-fields.ts";
import { createRefusalCheck } from "./repeated-refusals.ts";
import { createRowJudge, type RowChecks } from "./row-checks.ts";
import { toCandidate } from "./to-candidate.ts";

/** Rows written to the journal at a time. */
const BATCH_ROWS = 500;

/** A run that has no rows yet, and the sheet to read them from. */
export interface OpenedRun extends Omit<PlanSource, "file" | "reading"> {
  readonly runId: string;
  readonly mapping: ColumnMapping;
  readonly recalled: RecalledColumns;
  /** The row of machine keys below the headers, where there is one. */
  readonly keyRow: ReadingSettings["keyRow"];
}

export async function planRows(
  toolkit: Toolkit,
  options: PlanFileOptions,
  opened: OpenedRun,
): Promise<void> {
  const { journal, client, names: cache, baseUrl, guardLimits } = toolkit;
  const { runId, sheet, mapping, recalled } = opened;
  const { signal, properties } = options;
  const checkReading = createReadingCheck(sheet, mapping);
  const isWhole = (row: SourceRow): boolean => checkReading(row).length === 0;
  const nameCases = createNameCases(createNamesKey(mapping), isWhole);
  const stored = await storeRows(toolkit, options, { ...opened, nameCases });
  await opened.assertUnchanged?.();
  await using pictures = await openPicturesOf(toolkit, options, opened);
  const rules = await loadRules(toolkit.rules);
  const names = createNameSource({ client, cache, baseUrl, signal });
  const { notations } = stored;
  const takesPictureFiles = pictures.takesFiles;
  const how = { mapping, notations, names, rules, properties, takesPictureFiles };
  const mapper = createRowMapper({ sheet: sheet.sheet, ...how });
  const survey = { runId, journal, mapping, mapper, cases: nameCases.list(), isWhole, signal };
  const openNames = await settleNames({ ...survey, rules, ask: options.askName });
  const prices = createPriceSamples(mapping, notations);
  const refused = await readRefused(toolkit, options.settings?.tryRefused);
  const checkRefusal = createRefusalCheck(sheet, mapping, toReadingNow(options, pictures));
  const tools = { mapper, prices, pictures, refused, checkReading, checkRefusal };
  const facts = await planStored(toolkit, options, { ...opened, ...stored, ...tools });
  const notes = toReadingNotes({
    mapping,
    notations,
    prices: prices.samples,
    usedRules: [...rules.used],
    properties: [...mapper.usedProperties],
    fetchedLists: names.fetchedLists,
  });
  const sending = [...noteRefused(mapping, refused), ...noteCanary(options.settings)];
  const reading = {
    notes: [...recalled.notes, ...stored.notes, ...notes, ...sending],
    openNames,
    columns: toColumnReading(mapping, recalled, options.profile),
  };
  const known = { ...stored, ...toolkit };
  const found = [...toWarnings(opened, mapper, known), ...(await pictures.finish())];
  const warnings = [...found, ...(await warnOfUnit(toolkit, runId, facts))];
  const cells = { ...toReading(opened, notations), pictures: pictures.settings };
  const settings = { ...toSettings(options), guardLimits };
  const kept = { ...facts, reading, capabilities: await toolkit.readBack.readCapabilities() };
  const progress = { retryOf: options.retryOf, reading: cells };
  await toolkit.runLog.update(runId, { ...toPlanned(kept, warnings), settings, progress });
}

const toPlanned = (
  facts: PlanFacts,
  warnings: readonly RunWarning[],
): Pick<RunRecord, "state" | "facts" | "warnings"> => ({ state: "planned", facts, warnings });

const toSettings = ({ settings, allowsSuspectCodes }: PlanFileOptions): RunSettings => ({
  ...settings,
  allowsSuspectCodes,
});

const warnOfUnit = async (
  toolkit: Toolkit,
  runId: string,
  facts: PlanFacts,
): Promise<readonly RunWarning[]> =>
  warnOfPriceUnit({ rows: await countUnitHeld(toolkit, runId), facts });

const noteCanary = ({ canary }: RunSettings = {}): readonly Localized[] =>
  canary === undefined ? [] : [announceCanary(canary)];

const toWarnings = (
  opened: OpenedRun,
  mapper: RowMapper,
  { remarks, leftOut }: Pick<StoredRows, "remarks"> & Pick<Toolkit, "leftOut">,
): readonly RunWarning[] => [
  ...noticesOf(opened),
  ...lastingWarnings(opened.mapping, mapper).map(({ code, message }) => ({ code, message })),
  ...(remarks === undefined ? [] : [remarks]),
  ...leftOut.warnings(),
];

const noticesOf = ({ sheet, mapping }: OpenedRun): readonly RunWarning[] =>
  (sheet.notices?.(lastHeaderRow(sheet, mapping)) ?? []).map(({ code, message }) => ({
    code,
    message,
  }));

/** What is said of the reading now; rows that are tried again are read as they were. */
const toReadingNow = (
  { mode, decimal, columns, constants, profile, settings, ...options }: PlanFileOptions,
  pictures: Pictures,
): ReadingNow => ({
  mode,
  decimal,
  hasColumns: profile !== undefined || (columns?.size ?? 0) > 0,
  hasConstants: profile !== undefined || (constants?.size ?? 0) > 0,
  looksAtPictures: pictures.settings.mode === "strict",
  allowed: settings?.allowed,
  allowsSuspectCodes: options.allowsSuspectCodes === true,
  isRetry: options.retryOf !== undefined,
});

/** Begins with the pictures of stored rows, where the options ask for that. */
async function openPicturesOf(
  toolkit: Toolkit,
  options: PlanFileOptions,
  { runId, mapping, sentImages }: OpenedRun,
): Promise<Pictures> {
  const { pictures, path, lang, signal } = options;
  const reportDir = options.reportDir.replaceAll("{run}", runId);
  const asked = { pictures, path, lang, signal, reportDir, runId, mapping, sentImages };
  return await openPictures(toolkit, asked);
}

/** All that it takes to read the same cells in the same way again. */
function toReading({ recalled, keyRow }: OpenedRun, notations: NumberNotations): ReadingSettings {
  return {
    decimal: recalled.decimal,
    columns: [...recalled.columns],
    constants: [...recalled.constants],
    keyRow,
    notations: [...notations.columns],
  };
}

interface StoredRun extends Omit<OpenedRun, "notations">, StoredRows, RowChecks {
  readonly mapper: RowMapper;
  readonly prices: ReturnType<typeof createPriceSamples>;
  readonly pictures: Pictures;
  /** Fields that updates do without. */
  readonly refused: ReadonlySet<string>;
}

async function planStored(
  toolkit: Toolkit,
  options: PlanFileOptions,
  { runId, sheet, mapping, mapper, prices, pictures, ...stored }: StoredRun,
): ReturnType<typeof planRun> {
  const { journal, marketplace, readBack } = toolkit;
  const { noVerify, canary } = options.settings ?? {};
  const codes = createCodeColumn(sheet.sheet, mapping);
  const judge = createRowJudge(stored);
  const suspects = options.allowsSuspectCodes === true ? undefined : stored.suspects;
  const parts = { mapper, codes, suspects };
  const readAtMs = toolkit.clock.now();
  const store = { runId, journal, marketplace, codeKey, alike: toAlike(toolkit, options) };
  const facts = await planRun({
    ...store,
    mode: options.mode,
    toCandidate: async (row) => {
      const mappable = toMappable(row);
      const mapped = mapper.map(mappable);
      const settled = await pictures.settle(mapped);
      const candidate = toCandidate(parts, settled.mapped, settled.pictureIssues);
      const judged = judge(mappable, candidate);
      if (judged.isSound) prices.note(mappable, mapped);
      return judged.candidate;
    },
    toDraft: async (row) => {
      const mappable = toMappable(row);
      const draft = toCandidate(parts, mapper.map(mappable));
      const { candidate, isSound } = judge(mappable, draft);
      return isSound ? candidate : { ...candidate, changes: {} };
    },
    knownPriceUnit: await recallPriceUnit(toolkit, options.priceUnit),
    askPriceUnit: options.askPriceUnit,
    guards: toGuardSettings(toolkit.guardLimits, options.settings?.allowed),
    refused: stored.refused,
    keepBefore: (values) => readBack.saveBefore(runId, values),
    isVerified: noVerify !== true,
    canary,
    estimateSeconds: (requests) => estimateSeconds(toolkit, requests),
    signal: options.signal,
    onProgress: (done) => options.onProgress?.({ step: "plan", done, total: stored.total }),
  });
  await rememberPlannedUnit(toolkit, facts);
  return { ...facts, readAt: toReadMoment(toolkit, readAtMs) };
}

const toAlike = (
  { codes: book }: Toolkit,
  { allowsSuspectCodes: isAllowed }: PlanFileOptions,
): AlikeOptions => ({ book, suspectKey: suspectCodeKey, isAllowed });

/** An unknown header that turned out to be a property of some category is used after all. */
function lastingWarnings(
  { columns, warnings }: ColumnMapping,
  { propertyColumns }: RowMapper,
): ColumnMapping["warnings"] {
  const used = new Set(
    columns.filter(({ index }) => propertyColumns.has(index)).map(({ header }) => header),
  );
  return warnings.filter(({ code, column }) => code !== "W_COLUMN_UNKNOWN" || !used.has(column));
}

/** Writes every row down as it stands in the sheet, and learns how its numbers are written. */
async function storeRows(
  { journal, notes, baseUrl }: Toolkit,
  { onProgress }: PlanFileOptions,
  { runId, sheet, mapping, recalled: { decimal }, notations: known, nameCases }: StoreRowsInput,
): Promise<StoredRows> {
  const observer = createNotationObserver(mapping, decimal === undefined ? {} : { decimal });
  const codes = createCodeColumn(sheet.sheet, mapping);
  const suspects = createCodeSuspects(createTextRows());
  let batch: ParsedRow[] = [];
  let total = 0;
  const remarks = createRemarkRows(mapping);
  const store = async (): Promise<void> => {
    await journal.appendRows(runId, batch);
    total += batch.length;
    batch = [];
    onProgress?.({ step: "read", done: total, total: undefined });
  };
  for await (const row of productRows(sheet, mapping, (left) => remarks.note(left))) {
    observer.observe(row);
    const { code = null, codeKey: key = null } = codes.read(row) ?? {};
    if (code !== null) suspects.note(code, row.row);
    nameCases.note(row);
    batch.push({ ...row, code, codeKey: key });
    if (batch.length === BATCH_ROWS) await store();
  }
  await store();
  await recallCodes(journal, runId, suspects);
  const recalled =
    known === undefined
      ? await recallNotations({ notes, baseUrl }, mapping, observer.decide())
      : { notations: known, notes: [] };
  return { total, remarks: remarks.toWarning(), suspects, ...recalled };
}

async function recallCodes(
  journal: Pick<Journal, "readRows">,
  runId: string,
  suspects: CodeSuspects,
): Promise<void> {
  for (const row of suspects.forgotten) {
    const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
    if (record?.row !== row) throw new Error(`row ${row} was stored and is gone`);
    if (record.code !== null) suspects.recall(record.code);
  }
}

interface StoreRowsInput extends OpenedRun {
  readonly nameCases: Pick<NameCases, "note">;
}

interface StoredRows {
  readonly total: number;
  /** Rows that were left out because they are remarks. */
  readonly remarks: RunWarning | undefined;
  readonly notations: NumberNotations;
  /** What of the notations differs from what was accepted before. */
  readonly notes: readonly Localized[];
  /** Has noted the codes of all rows. */
  readonly suspects: CodeSuspects;
}
