/** Makes the plan of a run whose sheet is open: stores, maps and decides its rows. */

import {
  type Connection,
  createNameLists,
  estimateSeconds,
  fieldLabels,
  priceUnitOf,
} from "@catalog/connection";
import { formatDuration, type Localized } from "@catalog/i18n";
import {
  codeKey,
  type ColumnMapping,
  createNameIndexes,
  createRowMapper,
  platforms,
  type NumberNotations,
  type RowMapper,
  type SourceRow,
} from "@catalog/mapping";
import { makesPrice, type PriceRule } from "@catalog/pricing";
import { createRefusalCheck } from "@catalog/report";
import {
  type CandidateReader,
  countPlan,
  planRun,
  readAllRows,
  readStore,
  rowAddress,
  type RunSettings,
  toGuardSettings,
  type RunRecord,
  type RunWarning,
} from "@catalog/runs";

import { createRecheckTexts } from "../apply/pre-send-checks.ts";
import { announceCanary } from "../apply/send-canary.ts";
import {
  type RememberedColumns,
  toColumnReading,
  toDefaultNotes,
  toUsedColumns,
} from "../columns/column-profiles.ts";
import { createRowFileCheck } from "../file/describe-file.ts";
import { toMappingRow } from "../file/product-rows.ts";
import { openImages, type RowImages } from "../images/open-images.ts";
import { askOpenNames, type SuggestNames } from "../names/open-names.ts";
import { createNameSuggester } from "../names/suggestions.ts";
import { loadActiveRules } from "../names/value-rules.ts";
import { readPriceRules } from "../pricing/price-rules.ts";
import { createRowPricer } from "../pricing/row-pricing.ts";
import {
  ALIKE_CODES,
  readPlanBasis,
  readRefusedFields,
  toRefusedFieldNotes,
} from "./plan-basis.ts";
import {
  createDescriptions,
  createStandingDiscounts,
  toPlanNotes,
  toPlanWarnings,
  toVariantNotes,
  warnOfPriceUnit,
} from "./plan-notes.ts";
import type { PlanFileOptions, PlanSource } from "./plan-options.ts";
import { createRowReader, toIdReader } from "./read-rows.ts";
import { type StoredRows, storeRows } from "./store-rows.ts";
import { createTextNotes } from "./text-notes.ts";

/** A run without rows, and the sheet to read them from. */
export interface OpenedRun extends Omit<PlanSource, "file" | "reading"> {
  readonly runId: string;
  readonly mapping: ColumnMapping;
  readonly recalled: RememberedColumns;
  /** Cells of the row of machine keys below the headers, where there is one. */
  readonly keyRow: NonNullable<RunRecord["progress"]["reading"]>["keyRow"];
}

/** Plans the run. Sends no product; images may be uploaded. */
export async function makePlan(
  connection: Connection,
  options: PlanFileOptions,
  opened: OpenedRun,
): Promise<void> {
  const { runId, sheet, mapping } = opened;
  const checkReading = createRowFileCheck(sheet, mapping);
  const isWhole = (row: SourceRow): boolean => checkReading(row).length === 0;
  const { onProgress } = options;
  const stored = await storeRows(connection, opened, { isWhole, onProgress });
  await opened.assertUnchanged?.();
  await using images = await openImagesOf(connection, options, opened);
  const basis = await readPlanBasis(connection);
  const prices = await readPriceRules(connection);
  onProgress?.({ step: "names", done: 0, total: undefined });
  const named = await openNames(connection, options, { ...opened, stored, isWhole, images });
  const isTight = (await connection.meters.pacing.callsLastHour()) > MAX_EARLIER_CALLS;
  await using store = startReadingStore(connection, options, { runId, named, isTight });
  const names = await store.names;
  store.show();
  const nameRow = (row: number): string => rowAddress(sheet, row);
  const texts = createTextNotes({ nameRow });
  const discounts = createStandingDiscounts(nameRow);
  const refused = await readRefusedFields(connection, options.settings?.tryRefused);
  const pricer = createRowPricer({
    prices,
    mapping,
    notations: stored.notations,
    mapper: names.mapper,
    suppliers: opened.suppliers,
    nowMs: connection.clock.now(),
    keepsCells: opened.readBasis !== undefined,
  });
  const reader = createRowReader({
    mapper: names.mapper,
    pricer,
    sheet: sheet.sheet,
    mapping,
    images,
    texts,
    suspects: options.allowsSuspectCodes === true ? undefined : stored.suspects,
    checkReading,
    checkRefusal: createRefusalCheck(sheet, mapping, toReadingNow(options, images)),
    readBasis: opened.readBasis,
  });
  const { total } = stored;
  const run = { runId, reader, store, refused, total, nameRow, onDecided: discounts.note };
  const { facts, ...counted } = await decide(connection, options, run);
  await prices.bases.save();
  const reading = describeReading(opened, options, {
    stored,
    names,
    refused,
    rules: prices.rules,
    isBeforeRules: prices.rules.some(makesPrice) && pricer.unmatched() === undefined,
    notes: [...texts.notes(), ...pricer.notes(), ...(await noteAddPace(connection, counted))],
  });
  const warnings = [
    ...(opened.warnings ?? []),
    ...discounts.warnings(),
    ...toPlanWarnings(connection.meters, opened, { ...stored, names }),
    ...(await images.finish()),
    ...warnOfPriceUnit({ rows: counted.unknownUnit, facts }),
    ...warnOfRules(pricer.unmatched()),
  ];
  const { variantTitle, descriptions } = options;
  const pictures = images.settings;
  const cells = { ...toReading(opened, stored.notations), variantTitle, descriptions, pictures };
  const settings = { ...toSettings(options), guardLimits: connection.guardLimits };
  const capabilities = await connection.verificationLog.readCapabilities();
  const progress = {
    retryOf: options.retryOf,
    draft: opened.draft,
    basisOf: opened.basisOf,
    reading: cells,
    basis,
    prices: prices.stamp,
  };
  const known = { ...facts, reading, capabilities };
  await connection.runs.update(runId, {
    state: "planned",
    facts: known,
    warnings,
    settings,
    progress,
  });
}

interface NamedRun extends OpenedRun {
  readonly stored: StoredRows;
  readonly isWhole: (row: SourceRow) => boolean;
  readonly images: Pick<RowImages, "takesFiles">;
}

interface OpenedNames {
  /** Mapper that lacks the lists which the names of the rows need. */
  readonly mapper: RowMapper;
  /**
   * Suggests what names mean that match nothing, once the store's products are read, and asks a
   * person; afterwards every row can be mapped synchronously.
   */
  readonly resolve: (waitForStore: () => Promise<void>) => Promise<ResolvedRun>;
}

interface ResolvedRun {
  /** Mapper that has every list that the names of the rows need. */
  readonly mapper: RowMapper;
  readonly openNames: Awaited<ReturnType<typeof askOpenNames>>;
  /** Notes on the suggestions. */
  readonly notes: readonly Localized[];
  /** Rules and notations that were used; complete once all rows were read. */
  readonly used: () => Pick<
    Parameters<typeof toPlanNotes>[0],
    "usedRules" | "properties" | "fetchedLists"
  >;
}

async function openNames(
  connection: Connection,
  options: PlanFileOptions,
  { runId, sheet, mapping, stored, isWhole, images }: NamedRun,
): Promise<OpenedNames> {
  const { journal, client, clock, memory, baseUrl } = connection;
  const { names: cache, rules: registry } = memory;
  const { signal, properties, variantTitle, askName: ask, searches = 0, onProgress } = options;
  const platform = mapping.platform?.name;
  const rules = await loadActiveRules(registry, platform);
  const names = createNameLists({ client, cache, baseUrl, signal });
  const { notations, cases } = stored;
  const takesImageFiles = images.takesFiles;
  const nowMs = clock.now();
  const texts = { variantTitle, readDescription: await createDescriptions(mapping, options) };
  const how = { mapping, notations, names, rules, properties, takesImageFiles, nowMs, ...texts };
  const nameRow = (row: number): string => rowAddress(sheet, row);
  const mapper = createRowMapper({ sheet: sheet.sheet, nameRow, ...how });
  const readRows = () => readParsedRows(journal, runId);
  const scan = { readRows, mapping, mapper, cases, isWhole, signal };
  const used: ResolvedRun["used"] = () => ({
    usedRules: [...rules.used],
    properties: [...mapper.usedProperties],
    fetchedLists: names.fetchedLists,
  });
  const lists = createNameIndexes(names);
  const suggester = createNameSuggester({ connection, lists, platform, signal });
  return {
    mapper,
    async resolve(waitForStore) {
      const suggest: SuggestNames = async (open) => {
        if (open.length === 0) return [];
        await waitForStore();
        await suggester.search(open, {
          max: searches,
          onProgress: (progress) => onProgress?.({ step: "search", ...progress }),
        });
        return await suggester.suggest(open);
      };
      const open = await askOpenNames({ ...scan, rules, suggest, ask });
      return { mapper, openNames: open, notes: suggester.notes(), used };
    },
  };
}

async function* readParsedRows(
  journal: Connection["journal"],
  runId: string,
): AsyncGenerator<readonly SourceRow[]> {
  for await (const rows of readAllRows(journal, runId, { states: ["parsed"] })) {
    yield rows.map(toMappingRow);
  }
}

/** A reading of the store that has begun. Disposing of it ends the reading. */
interface StoreReading extends AsyncDisposable {
  readonly products: ReturnType<typeof readStore>;
  /** The names of the rows; open ones are suggested and asked about once the products are read. */
  readonly names: Promise<ResolvedRun>;
  /** Reports its progress from now on, as what was reported before is over. */
  show(): void;
}

/**
 * After more calls in the last hour than a login makes, the store is read after the lists of names.
 * An earlier plan may have met the hourly limit half-way: it has kept the lists that it had whole,
 * but no products, so that reading both at once could use up the limit again and again.
 */
const MAX_EARLIER_CALLS = 8;

interface StoreReadingParts {
  readonly runId: string;
  readonly named: OpenedNames;
  /** Whether the lists of names are fetched first. */
  readonly isTight: boolean;
}

/** Starts to read the products of the store, which takes as long as the lists of names. */
function startReadingStore(
  connection: Connection,
  options: PlanFileOptions,
  { runId, named, isTight }: StoreReadingParts,
): StoreReading {
  const { journal, marketplace, clock } = connection;
  const closing = new AbortController();
  let isShown = false;
  let reportLatest: (() => void) | undefined;
  const show = (): void => {
    if (!isShown) reportLatest?.();
    isShown = true;
  };
  const scanned = Promise.withResolvers<void>();
  const names = named.resolve(async () => {
    scanned.resolve();
    show();
    await products;
    options.onProgress?.({ step: "names", done: 0, total: undefined });
  });
  const read = async (): ReturnType<typeof readStore> => {
    if (isTight) await Promise.race([scanned.promise, names]);
    return await readStore({
      runId,
      journal,
      marketplace,
      clock,
      codeKey,
      reader: toIdReader(named.mapper),
      lookAlikes: toLookAlikeOptions(connection, options),
      signal: AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]),
      onListing(progress) {
        reportLatest = (): void => options.onProgress?.(progress);
        if (isShown) reportLatest?.();
      },
    });
  };
  const products = read();
  // Who waits for them gets the error.
  products.catch(() => undefined);
  names.catch(() => undefined);
  return {
    products,
    names,
    show,
    async [Symbol.asyncDispose]() {
      closing.abort(new Error("the plan is over"));
      await Promise.allSettled([products, names]);
    },
  };
}

interface ReadRun {
  readonly runId: string;
  readonly reader: CandidateReader;
  readonly store: StoreReading;
  /** Fields that updates leave out. */
  readonly refused: ReadonlySet<string>;
  readonly total: number;
  /** Names a row for people. */
  readonly nameRow: (row: number) => string;
  readonly onDecided: Parameters<typeof planRun>[0]["onDecided"];
}

const NOT_PLANNED = { facts: null, progress: {} } as const;

async function decide(
  connection: Connection,
  options: PlanFileOptions,
  { total, store, ...run }: ReadRun,
) {
  const { journal, marketplace, clock, verificationLog } = connection;
  const { noVerify, canary, allowed } = options.settings ?? {};
  const facts = await planRun({
    nameField: fieldLabels,
    textsFor: (unit) => createRecheckTexts(connection, { ...NOT_PLANNED, id: run.runId }, unit),
    ...run,
    store: store.products,
    journal,
    marketplace,
    clock,
    codeKey,
    lookAlikes: toLookAlikeOptions(connection, options),
    mode: options.mode,
    knownPriceUnit: await priceUnitOf(connection).known(options.priceUnit),
    askPriceUnit: options.askPriceUnit,
    guards: toGuardSettings(connection.guardLimits, allowed),
    verificationLog,
    signal: options.signal,
    onProgress: (done) => options.onProgress?.({ step: "plan", done, total }),
  });
  const counted = await countPlan({
    runId: run.runId,
    journal,
    estimate: (calls, pace) => estimateSeconds(connection, calls, pace),
    callsPerHour: await connection.meters.pacing.callsPerHour(),
    isVerified: noVerify !== true,
    canary,
  });
  await priceUnitOf(connection).savePlanned(facts);
  return { ...counted, facts: { ...facts, planned: counted.planned } };
}

/** Says how long the adds take where they go one at a time. */
async function noteAddPace(
  connection: Connection,
  { alone }: { readonly alone: number },
): Promise<readonly Localized[]> {
  if (alone < 2) return [];
  const seconds = await estimateSeconds(connection, alone, { alone });
  return [
    {
      tr: `Mağaza daha önce eklenen ürünleri henüz göstermedi; yanıtı kaybolan bir ekleme aranıp bulunamaz. Bu yüzden yeni ürünler birer birer gönderilir: ${alone} ürün yaklaşık ${formatDuration(seconds, "tr")} sürer.`,
      en: `The store has not shown the products that were added before, so an add whose answer is lost could not be looked up. New products are therefore sent one at a time: ${alone} of them take about ${formatDuration(seconds, "en")}.`,
    },
  ];
}

interface UnderstoodRun {
  readonly stored: StoredRows;
  readonly names: ResolvedRun;
  /** Notes on the texts and the decisions of the rows. */
  readonly notes: readonly Localized[];
  readonly refused: ReadonlySet<string>;
  readonly rules: readonly PriceRule[];
  /** Whether price rules change the prices of the file before they are sent. */
  readonly isBeforeRules: boolean;
}

/** Notes for a person on how the file was read. */
function describeReading(
  { mapping, recalled }: OpenedRun,
  { settings, profile, isVariantTitleGiven: isTitleGiven }: PlanFileOptions,
  { stored, names, refused, notes, rules, isBeforeRules }: UnderstoodRun,
) {
  const { notations, joined } = stored;
  const variants = toVariantNotes({ joined, mapping, mapper: names.mapper, isTitleGiven });
  const read = { mapping, notations, prices: names.mapper.prices.samples, ...names.used() };
  const defaulted = toDefaultNotes(names.mapper, mapping.defaults);
  const sending = [...toRefusedFieldNotes(mapping, refused), ...noteCanary(settings)];
  return {
    notes: [
      ...recalled.notes,
      ...variants,
      ...stored.notes,
      ...toPlanNotes({ ...read, isBeforeRules }),
      ...defaulted,
      ...names.notes,
      ...notes,
      ...sending,
    ],
    openNames: names.openNames,
    columns: {
      ...toColumnReading(mapping, recalled, profile),
      used: toUsedColumns(mapping, names.mapper, rules),
    },
  };
}

const toSettings = ({ settings, allowsSuspectCodes }: PlanFileOptions): RunSettings => ({
  ...settings,
  allowsSuspectCodes,
});

const noteCanary = ({ canary }: RunSettings = {}): readonly Localized[] =>
  canary === undefined ? [] : [announceCanary(canary)];

/** Settings of this reading; rows of a retry are read as before. */
const toReadingNow = (
  { mode, decimal, columns, constants, profile, settings, ...options }: PlanFileOptions,
  images: RowImages,
) => ({
  mode,
  decimal,
  hasColumns: profile !== undefined || (columns?.size ?? 0) > 0,
  hasConstants: profile !== undefined || (constants?.size ?? 0) > 0,
  checksImages: images.settings.mode === "strict",
  allowed: settings?.allowed,
  allowsSuspectCodes: options.allowsSuspectCodes === true,
  isRetry: options.retryOf !== undefined,
});

/** Starts checking the images of stored rows, where the options ask for that. */
async function openImagesOf(
  connection: Connection,
  options: PlanFileOptions,
  { runId, mapping, sentImages, sheet: { sheets } }: OpenedRun,
): Promise<RowImages> {
  const { images, path, lang, signal } = options;
  const reportDir = options.reportDir.replaceAll("{run}", runId);
  const asked = { images, path, lang, signal, reportDir, runId, mapping, sentImages, sheets };
  return await openImages(connection, asked);
}

/** Settings with which the same cells are read in the same way again. */
function warnOfRules(unmatched: Localized | undefined): readonly RunWarning[] {
  if (unmatched === undefined) return [];
  const { tr, en } = unmatched;
  return [
    {
      code: "W_NO_PRICE_RULE",
      message: {
        tr: `Fiyat kuralları bu dosyanın hiçbir satırına uymuyor, dosyadaki fiyatlar olduğu gibi gönderilir (${tr}). Uyması gerekiyorsa kuralın Tedarikçi hücresine bu adlardan birini yazın.`,
        en: `No price rule fits any row of this file, so its prices are sent as they are (${en}). If one should fit, write one of these names as its supplier.`,
      },
    },
  ];
}

function toReading(
  { recalled, keyRow, mapping, suppliers }: OpenedRun,
  notations: NumberNotations,
): NonNullable<RunRecord["progress"]["reading"]> {
  return {
    platform: mapping.platform?.name ?? platforms.none,
    decimal: recalled.decimal,
    columns: [...recalled.columns],
    constants: [...recalled.constants],
    defaults: [...mapping.defaults],
    suppliers,
    keyRow,
    notations: [...notations.columns],
  };
}

const toLookAlikeOptions = (
  { codes: registry }: Connection,
  { allowsSuspectCodes: isAllowed }: PlanFileOptions,
) => ({ ...ALIKE_CODES, registry, isAllowed });
