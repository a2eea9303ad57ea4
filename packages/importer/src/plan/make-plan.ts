/** Makes the plan of a run whose sheet is open: stores, maps and decides its rows. */

import {
  createNameSource,
  estimateSeconds,
  recallPriceUnit,
  rememberPlannedUnit,
  type StoreMeters,
  type Toolkit,
} from "@catalog/connection";
import { type Localized } from "@catalog/i18n";
import {
  codeKey,
  type ColumnMapping,
  createPriceSamples,
  createRowMapper,
  type NumberNotations,
  type PriceSamples,
  type RowMapper,
  type SourceRow,
  suspectCodeKey,
} from "@catalog/mapping";
import { type ReadingNow } from "@catalog/report";
import {
  type AlikeOptions,
  countPlanned,
  countPlannedCalls,
  type OpenNameCount,
  type PlanFacts,
  type PlanReading,
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
import { createReadingCheck } from "../file/describe-file.ts";
import { lastHeaderRow } from "../file/product-rows.ts";
import { openPictures } from "../images/open-images.ts";
import { type Pictures } from "../images/row-images.ts";
import { loadRules } from "../names/active-rules.ts";
import { askOpenNames } from "../names/ask-open-names.ts";
import { type PlanFileOptions } from "./plan-file-options.ts";
import { toReadingNotes } from "./plan-notes.ts";
import { planRows, type RowReader } from "./plan-rows.ts";
import { type PlanSource } from "./plan-source.ts";
import { warnOfPriceUnit } from "./price-unit-texts.ts";
import { noteRefused, readRefused } from "./refused-fields.ts";
import { createRefusalCheck } from "./repeated-refusals.ts";
import { createRowReader } from "./row-reader.ts";
import { type StoredRows, storeRows } from "./store-rows.ts";

/** A run without rows, and the sheet to read them from. */
export interface OpenedRun extends Omit<PlanSource, "file" | "reading"> {
  readonly runId: string;
  readonly mapping: ColumnMapping;
  readonly recalled: RecalledColumns;
  /** Cells of the row of machine keys below the headers, where there is one. */
  readonly keyRow: ReadingSettings["keyRow"];
}

/** Plans the run. Sends no product; images may be uploaded. */
export async function makePlan(
  toolkit: Toolkit,
  options: PlanFileOptions,
  opened: OpenedRun,
): Promise<void> {
  const { runId, sheet, mapping } = opened;
  const checkReading = createReadingCheck(sheet, mapping);
  const isWhole = (row: SourceRow): boolean => checkReading(row).length === 0;
  const { onProgress } = options;
  const stored = await storeRows(toolkit, opened, { isWhole, onProgress });
  await opened.assertUnchanged?.();
  await using pictures = await openPicturesOf(toolkit, options, opened);
  const names = await resolveNames(toolkit, options, { ...opened, stored, isWhole, pictures });
  const prices = createPriceSamples(mapping, stored.notations);
  const refused = await readRefused(toolkit, options.settings?.tryRefused);
  const reader = createRowReader({
    mapper: names.mapper,
    sheet: sheet.sheet,
    mapping,
    pictures,
    prices,
    suspects: options.allowsSuspectCodes === true ? undefined : stored.suspects,
    checkReading,
    checkRefusal: createRefusalCheck(sheet, mapping, toReadingNow(options, pictures)),
  });
  const facts = await decide(toolkit, options, { runId, reader, refused, total: stored.total });
  const reading = describeReading(opened, options, { stored, names, prices, refused });
  const found = [
    ...toWarnings(toolkit.meters, opened, { stored, names }),
    ...(await pictures.finish()),
  ];
  const warnings = [...found, ...(await warnOfUnit(toolkit, runId, facts))];
  const cells = { ...toReading(opened, stored.notations), pictures: pictures.settings };
  const { guardLimits } = toolkit;
  const settings = { ...toSettings(options), guardLimits };
  const kept = { ...facts, reading, capabilities: await toolkit.readBack.readCapabilities() };
  const progress = { retryOf: options.retryOf, reading: cells };
  await toolkit.runLog.update(runId, { ...toPlanned(kept, warnings), settings, progress });
}

const toPlanned = (
  facts: PlanFacts,
  warnings: readonly RunWarning[],
): Pick<RunRecord, "state" | "facts" | "warnings"> => ({ state: "planned", facts, warnings });

interface NamedRun extends OpenedRun {
  readonly stored: StoredRows;
  readonly isWhole: (row: SourceRow) => boolean;
  readonly pictures: Pick<Pictures, "takesFiles">;
}

interface ResolvedRun {
  /** Mapper that has every list that the names of the rows need. */
  readonly mapper: RowMapper;
  readonly openNames: readonly OpenNameCount[];
  /** Rules and notations that were used; complete once all rows were read. */
  readonly used: () => Pick<
    Parameters<typeof toReadingNotes>[0],
    "usedRules" | "properties" | "fetchedLists"
  >;
}

/**
 * Asks a person about names that match nothing; afterwards every row can be mapped synchronously.
 */
async function resolveNames(
  { journal, client, memory: { names: cache, rules: book }, baseUrl }: Toolkit,
  { signal, properties, askName: ask }: PlanFileOptions,
  { runId, sheet, mapping, stored, isWhole, pictures }: NamedRun,
): Promise<ResolvedRun> {
  const rules = await loadRules(book);
  const names = createNameSource({ client, cache, baseUrl, signal });
  const { notations, cases } = stored;
  const takesPictureFiles = pictures.takesFiles;
  const how = { mapping, notations, names, rules, properties, takesPictureFiles };
  const mapper = createRowMapper({ sheet: sheet.sheet, ...how });
  const survey = { runId, journal, mapping, mapper, cases, isWhole, signal };
  const openNames = await askOpenNames({ ...survey, rules, ask });
  return {
    mapper,
    openNames,
    used: () => ({
      usedRules: [...rules.used],
      properties: [...mapper.usedProperties],
      fetchedLists: names.fetchedLists,
    }),
  };
}

interface ReadRun {
  readonly runId: string;
  readonly reader: RowReader;
  /** Fields that updates leave out. */
  readonly refused: ReadonlySet<string>;
  readonly total: number;
}

async function decide(
  toolkit: Toolkit,
  options: PlanFileOptions,
  { total, ...run }: ReadRun,
): Promise<PlanFacts> {
  const { journal, marketplace, readBack } = toolkit;
  const { noVerify, canary, allowed } = options.settings ?? {};
  const readAtMs = toolkit.clock.now();
  const { unsendable, ...facts } = await planRows({
    ...run,
    journal,
    marketplace,
    codeKey,
    alike: toAlike(toolkit, options),
    mode: options.mode,
    knownPriceUnit: await recallPriceUnit(toolkit, options.priceUnit),
    askPriceUnit: options.askPriceUnit,
    guards: toGuardSettings(toolkit.guardLimits, allowed),
    readBack,
    signal: options.signal,
    onProgress: (done) => options.onProgress?.({ step: "plan", done, total }),
  });
  const rows = countPlanned(await journal.countRows(run.runId));
  const addSeconds = estimateSeconds(toolkit, rows.add);
  const requests = countPlannedCalls(rows, { addSeconds, isVerified: noVerify !== true, canary });
  const planned = { ...rows, requests, seconds: estimateSeconds(toolkit, requests) };
  await rememberPlannedUnit(toolkit, facts);
  return { ...facts, planned, unsendable, readAt: toReadMoment(toolkit, readAtMs) };
}

interface UnderstoodRun {
  readonly stored: StoredRows;
  readonly names: ResolvedRun;
  readonly prices: PriceSamples;
  readonly refused: ReadonlySet<string>;
}

/** Notes for a person on how the file was read. */
function describeReading(
  { mapping, recalled }: OpenedRun,
  { settings, profile }: PlanFileOptions,
  { stored, names, prices, refused }: UnderstoodRun,
): PlanReading {
  const { notations } = stored;
  const read = { mapping, notations, prices: prices.samples, ...names.used() };
  const sending = [...noteRefused(mapping, refused), ...noteCanary(settings)];
  return {
    notes: [...recalled.notes, ...stored.notes, ...toReadingNotes(read), ...sending],
    openNames: names.openNames,
    columns: toColumnReading(mapping, recalled, profile),
  };
}

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
  { leftOut }: Pick<StoreMeters, "leftOut">,
  opened: OpenedRun,
  { stored, names }: Pick<UnderstoodRun, "stored" | "names">,
): readonly RunWarning[] => [
  ...noticesOf(opened),
  ...lastingWarnings(opened.mapping, names.mapper).map(({ code, message }) => ({ code, message })),
  ...(stored.remarks === undefined ? [] : [stored.remarks]),
  ...leftOut.warnings(),
];

const noticesOf = ({ sheet, mapping }: OpenedRun): readonly RunWarning[] =>
  (sheet.notices?.(lastHeaderRow(sheet, mapping)) ?? []).map(({ code, message }) => ({
    code,
    message,
  }));

/** Settings of this reading; rows of a retry are read as before. */
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

/** Starts checking the images of stored rows, where the options ask for that. */
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

/** Settings with which the same cells are read in the same way again. */
function toReading({ recalled, keyRow }: OpenedRun, notations: NumberNotations): ReadingSettings {
  return {
    decimal: recalled.decimal,
    columns: [...recalled.columns],
    constants: [...recalled.constants],
    keyRow,
    notations: [...notations.columns],
  };
}

const toAlike = (
  { codes: book }: Toolkit,
  { allowsSuspectCodes: isAllowed }: PlanFileOptions,
): AlikeOptions => ({ book, suspectKey: suspectCodeKey, isAllowed });

/** Drops the warning about an unknown header that is a property of some category. */
function lastingWarnings(
  { columns, warnings }: ColumnMapping,
  { propertyColumns }: RowMapper,
): ColumnMapping["warnings"] {
  const used = new Set(
    columns.filter(({ index }) => propertyColumns.has(index)).map(({ header }) => header),
  );
  return warnings.filter(({ code, column }) => code !== "W_COLUMN_UNKNOWN" || !used.has(column));
}
