/** One start of the program for a run: reconcile, plan what is not planned, send. */

import { priceMinor, type ProductAdd, idSchemas } from "@catalog/contract";
import { codeKey, trimText, CODE_KEYS } from "@catalog/mapping";
import {
  applyRun,
  type ApplyEnd,
  type ApplyRunOptions,
  type CandidateRow,
  type CodeRegistry,
  createProvenFilters,
  type FilterProofs,
  type IssueLocation,
  type Marketplace,
  type ParsedRow,
  planRun,
  type RowRecord,
  reconcileOpen,
  toGuardSettings,
  type UnknownPolicy,
} from "@catalog/runs";
import type { GuardSettings } from "@catalog/runs/testing";

import type { FullJournal } from "./journal-port.ts";
import type { Scenario, Sheet, SheetRow } from "./scenario.ts";
import type { SimProcess } from "./sim-process.ts";

export interface ProgramOptions {
  readonly sheet: Sheet;
  readonly process: SimProcess;
  readonly journal: FullJournal;
  readonly marketplace: Marketplace;
  readonly policy: UnknownPolicy;
  readonly recheckMaxAgeMs: number;
  readonly priceUnit: Scenario["priceUnit"];
  readonly isPriceHeld: boolean;
  readonly hasCosts: boolean;
  readonly concurrency: number;
  readonly stop: AbortSignal;
  /** Time that a person takes between the plan and its sending. */
  readonly thinkMs: number;
  /** Whether the filter by code may be useless, so that it is probed first. */
  readonly isFilterUseless: boolean;
  /** The home's registry of look-alike codes. */
  readonly codes: CodeRegistry;
  /** Called when the listing is read again; what it shows must be known before anything is sent. */
  readonly onRecheck: (what: "whole" | "recent") => void;
}

export const SHEET_NAME = "Ürünler";

export async function runProgram(options: ProgramOptions): Promise<ApplyEnd> {
  const { sheet, journal, process, stop, priceUnit } = options;
  const { runId } = sheet;
  const { clock } = process;
  const marketplace = options.isFilterUseless ? withProvenFilters(options) : options.marketplace;
  const { policy: onUnknown, concurrency, recheckMaxAgeMs: maxAgeMs } = options;
  const planned = await planOrWait({ ...options, marketplace });
  const locationOf = (): IssueLocation => ({
    sheet: SHEET_NAME,
    row: 0,
    column: "",
    cell: "",
    value: "",
  });
  const guards = { settings: toGuards(options.isPriceHeld), locationOf };
  const recheck = {
    before: journal,
    priceUnit,
    maxAgeMs,
    ...(options.isPriceHeld && { guards }),
  };
  const { codes } = options;
  const adds = { codes, ...CODES_ALIKE, ...planned, maxAgeMs, mayAskByCode: () => true };
  const ports = { journal, marketplace, clock, codeKey, looseCodeKey: CODE_KEYS.loose };
  const { end } = await applyRun({
    runId,
    sheet: SHEET_NAME,
    ...ports,
    recheck,
    adds,
    onUnknown,
    concurrency,
    stop,
  });
  return end;
}

const CODES_ALIKE = {
  suspectKey: CODE_KEYS.lookAlike,
  areApart: CODE_KEYS.areApart,
  rewrittenKey: CODE_KEYS.suspect,
} as const;

/** Guards that hold every new price of a row, where the world has them. */
const toGuards = (isPriceHeld: boolean): GuardSettings =>
  toGuardSettings(isPriceHeld ? { priceRisePercent: 20 } : {}, []);

/** When the store was read for the plan, and whether it is read again before rows are sent. */
type PlannedRun = Pick<NonNullable<ApplyRunOptions["adds"]>, "readAt" | "isReread">;

/** Plans the run, or finds it planned, as after a crash. */
async function planOrWait(options: ProgramOptions): Promise<PlannedRun> {
  const { sheet, journal, marketplace, process, stop, priceUnit, thinkMs } = options;
  const { runId } = sheet;
  const { clock } = process;
  const shared = {
    runId,
    journal,
    marketplace,
    codeKey,
    looseCodeKey: CODE_KEYS.loose,
    sheet: SHEET_NAME,
  };
  const undecided = await journal.readRows(runId, { states: ["parsed"], limit: 1 });
  const isNew = undecided.length > 0;
  let readAt: PlannedRun["readAt"];
  if (isNew) {
    await reconcileOpen({ ...shared, clock, signal: stop });
    options.onRecheck("whole");
    const toDraft = ({ row }: RowRecord): CandidateRow => withCost(toRow(sheet, row), options);
    ({ readAt } = await planRun({
      ...shared,
      clock,
      reader: { toCandidates: async (rows) => rows.map(toDraft), toDraft },
      lookAlikes: { registry: options.codes, suspectKey: CODE_KEYS.lookAlike },
      knownPriceUnit: priceUnit === "unknown" ? {} : { set: priceUnit },
      verificationLog: journal,
      guards: toGuards(options.isPriceHeld),
      yieldToLoop: () => Promise.resolve(),
      signal: stop,
    }));
    // The counts that a person sees before confirming the plan.
    await journal.countRows(runId);
    if (thinkMs > 0) await clock.sleep(thinkMs, stop);
  }
  const hasWaited = !isNew || thinkMs > LONG_THOUGHT_MS;
  if (hasWaited) options.onRecheck(isNew ? "recent" : "whole");
  return { readAt, isReread: hasWaited };
}

/** After a shorter time nothing is read again. */
const LONG_THOUGHT_MS = 5_000;

/** What a home has learned about filters is forgotten by the next process. */
function withProvenFilters({
  journal,
  marketplace,
  process: { clock },
}: ProgramOptions): Marketplace {
  const known = new Map<string, Awaited<ReturnType<FilterProofs["readProof"]>>>();
  const proofs: FilterProofs = {
    readProof: async (filter) => known.get(filter),
    saveProof: async (filter, proof) => void known.set(filter, proof),
  };
  return createProvenFilters({ marketplace, proofs, journal, clock });
}

/** The parsed rows of a sheet. */
export function toParsedRows({ rows }: Sheet): readonly ParsedRow[] {
  return rows.map(({ row, code, content, kind, stock, price }) => ({
    row,
    cells: [code, content, kind, stock, price ?? null],
    // Such a row identifies its product by the id alone.
    ...(kind === "by-id" ? { code: null, codeKey: null } : { code, codeKey: codeKey(code) }),
  }));
}

function toRow(sheet: Sheet, rowNumber: number): CandidateRow {
  const found = sheet.rows.find(({ row }) => row === rowNumber);
  if (found === undefined) throw new Error(`the sheet has no row ${rowNumber}`);
  const { row, code, kind } = found;
  const location = { sheet: SHEET_NAME, row, column: "Kod", cell: `A${row}`, value: code };
  return {
    row,
    ...(kind === "by-id" ? { code: null, codeKey: null } : { code, codeKey: codeKey(code) }),
    productId: kind === "by-id" ? idSchemas.product.parse("old-0") : null,
    action: kind === "skip" ? "skip" : "auto",
    changes: { title: toTitle(found), stock_count: found.stock, ...toPrice(found) },
    categoryName: undefined,
    issues: [],
    completeAdd: () =>
      kind === "incomplete" ? { ok: false, issues: [] } : { ok: true, body: toBody(sheet, found) },
    codeLocation: location,
    locationOf: () => location,
  };
}

/** A row whose product costs more than its price. */
function withCost(row: CandidateRow, { hasCosts }: Pick<ProgramOptions, "hasCosts">): CandidateRow {
  const { price } = row.changes;
  if (!hasCosts || price === undefined) return row;
  const cost = { cost: price + 1, currency: "TL" };
  const apply = (): ReturnType<NonNullable<CandidateRow["pricing"]>["apply"]> => {
    return {
      changes: row.changes,
      completeAdd: () => row.completeAdd(),
      issues: [],
      holds: [],
      cost,
    };
  };
  return { ...row, pricing: { inputs: cost, needsCategory: false, apply } };
}

const toPrice = ({ price }: SheetRow): { readonly price?: ProductAdd["price"] } =>
  price === undefined ? {} : { price: priceMinor.parse(price) };

export const toTitle = ({ code, content }: SheetRow): string => `${trimText(code)} ${content}`;

/** The row that a product in the store is from. */
export const toTag = ({ runId }: { readonly runId: string }, row: number): string =>
  `${runId}/${row}`;

const CATEGORY = idSchemas.category.parse("category");
const BRAND = idSchemas.brand.parse("brand");
const TEMPLATE = idSchemas.shippingTemplate.parse("template");

function toBody(sheet: Sheet, row: SheetRow): ProductAdd {
  return {
    product_code: trimText(row.code),
    title: toTitle(row),
    sub_title: "Simulated",
    category_id: CATEGORY,
    brand_id: BRAND,
    brand_model: "M",
    description: toTag(sheet, row.row),
    price: priceMinor.parse(row.price ?? 1_990),
    has_discount: false,
    stock_count: row.stock,
    warranty_type: 1,
    warranty_period: 0,
    shipping_template_id: TEMPLATE,
    images: ["https://images.example/1.jpg"],
  };
}

/** A product that another program adds. */
export function toForeignBody(code: string): ProductAdd {
  const row = { row: 0, code, content: "foreign", kind: "auto", stock: 1, price: 1_990 } as const;
  return toBody({ runId: "foreign", home: 0, rows: [] }, row);
}
