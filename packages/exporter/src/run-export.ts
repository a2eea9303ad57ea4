/**
 * One export from its first call to its file. A stop lets a call under way finish, and ends a wait
 * for a slot at once.
 */

import { createHash } from "node:crypto";

import type { Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";

import { chooseColumns } from "./columns/choose-columns.ts";
import type { OutColumn } from "./columns/out-column.ts";
import type { ExportFormat, ExportKind } from "./kinds.ts";
import type { ExportJob, ExportMark, ListingsEnd, ListingsProgress } from "./read-listings.ts";
import { withSource } from "./sources/open-source.ts";
import {
  describePeriod,
  type ExportPeriod,
  type Source,
  type SourceContext,
  warnOfCuts,
  warnOfMissing,
  warnOfRefused,
} from "./sources/source.ts";
import { readRows, type ReadTable, toStyle, writeTable, type WrittenTable } from "./write-table.ts";

interface SoftStop extends Disposable {
  /** Signal for calls: aborts only once a call would wait long. */
  readonly signal: AbortSignal;
}

function createSoftStop(
  waits: Connection["meters"]["waits"],
  stop: AbortSignal | undefined,
): SoftStop {
  const calls = new AbortController();
  const end = (): void => {
    if (stop?.aborted === true && waits.isWaiting()) calls.abort(stop.reason);
  };
  const listening = waits.listen(() => queueMicrotask(end));
  stop?.addEventListener("abort", end);
  return {
    signal: calls.signal,
    [Symbol.dispose]() {
      listening[Symbol.dispose]();
      stop?.removeEventListener("abort", end);
    },
  };
}

/** What to export, and the format of the file. */
export interface ExportOptions {
  readonly kind: ExportKind;
  /** Absolute path of the file. */
  readonly path: string;
  readonly format: ExportFormat;
  readonly lang: Lang;
  /** Decimal sign in a CSV file; the delimiter is `;` with a comma and `,` with a point. */
  readonly decimal: "comma" | "point";
  /** Filters by the names of the marketplace's own query fields. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** Keys or headers of the wanted columns, in their order. @default all */
  readonly columns?: readonly string[] | undefined;
  /** Exports only what no earlier export of the same filters had. @default false */
  readonly sinceLast?: boolean | undefined;
  /** Discards an unfinished export of the same kind and filters. @default false */
  readonly isFresh?: boolean | undefined;
  /** `full` has every field of the listing. @default "import" */
  readonly template?: "import" | "full" | undefined;
  /** Writes names of people in full. @default false */
  readonly withNames?: boolean | undefined;
  /** Writes e-mail and postal addresses in full. @default false */
  readonly withContact?: boolean | undefined;
  /** What a row of orders is. @default "item" */
  readonly per?: "item" | "package" | undefined;
  /** Reads comments in one listing, without their products. @default false */
  readonly storeWide?: boolean | undefined;
  /**
   * Unit of the amounts in the answers. @default what a person has stated before, and for the prices
   * of products also what was learned from those that we sent
   */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Ends the reading after the page under way. */
  readonly stop?: AbortSignal | undefined;
  readonly onEvent?: (event: ExportEvent) => void;
  /** Takes the table in place of a file. @default the file is written */
  readonly onTable?: ((table: ReadTable) => void) | undefined;
}

/** Progress events of an export. */
export type ExportEvent =
  | ({ readonly event: "page" } & ListingsProgress)
  /** The export resumes an earlier one, which had read this many items. */
  | { readonly event: "resumed"; readonly items: number }
  /** Everything was read, and the file is written. */
  | { readonly event: "writing" }
  /** Number of calls that are still needed. */
  | { readonly event: "planned"; readonly calls: number }
  /** The start of the last export, after which items are new; `undefined` where there was none. */
  | { readonly event: "since"; readonly atMs: number | undefined }
  /** The days that the file will hold, where the listing never gives everything unasked. */
  | ({ readonly event: "period" } & ExportPeriod);

/** Result of an export. */
export interface ExportResult {
  /** A stopped export resumes when it is started again. */
  readonly state: "finished" | "stopped";
  /** Rows in the file, or items read so far when it was stopped. */
  readonly rows: number;
  /** Whether every item was read that was asked for or that the marketplace's totals promise. */
  readonly isWhole: boolean;
  readonly warnings: readonly Localized[];
  /** The days that the file holds; `undefined` where it holds everything, or what is new. */
  readonly period?: ExportPeriod | undefined;
}

/** An older unfinished export is begun anew, as too much has changed since. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Lists that come in one answer, so that an interrupted export of one has nothing to go on with. */
const LISTS: ReadonlySet<ExportKind> = new Set(["companies", "addresses", "cities"]);

/** Every export except products holds personal data. */
const OWNER_ONLY = 0o600;

/**
 * Exports to `path`, which is replaced as a whole at the end or left as it was. Throws `InputError`
 * for unknown filters and columns. What was read is kept, and the same export started again within
 * a day resumes.
 */
export async function runExport(
  connection: Connection,
  options: ExportOptions,
): Promise<ExportResult> {
  const names = toNames(options);
  await using _lock = await connection.locks.export(names.scope);
  using soft = createSoftStop(connection.meters.waits, options.stop);
  const {
    memory: { exportStaging },
    client,
    clock,
  } = connection;
  const open = async (part: string): Promise<ExportJob> => {
    const partNames = { key: `${names.key}${part}`, scope: `${names.scope}${part}` };
    if (options.isFresh === true || LISTS.has(options.kind)) {
      const old = await exportStaging.open(partNames, MAX_AGE_MS);
      await old.discard();
    }
    return await exportStaging.open(partNames, MAX_AGE_MS);
  };
  const job = await open("");
  const parts: ExportJob[] = [];
  const mark = options.sinceLast === true ? await exportStaging.readMark(names.scope) : undefined;
  if (options.sinceLast === true) options.onEvent?.({ event: "since", atMs: mark?.begunAtMs });
  const begun = (await job.readCheckpoint()) === undefined ? 0 : await job.count();
  if (begun > 0) options.onEvent?.({ event: "resumed", items: begun });
  const context: SourceContext = {
    client,
    clock,
    job,
    openPart: async (name) => {
      const part = await open(` ${name}`);
      parts.push(part);
      return part;
    },
    filters: options.filters,
    since: mark,
    withNames: options.withNames ?? false,
    withContact: options.withContact ?? false,
    stop: options.stop,
    signal: soft.signal,
    ...createReports(options),
  };
  const work = { connection, options, context, mark, parts };
  return await withSource(work, (source, notes) => exportFrom(work, source, notes));
}

/** What to read for people or programs, instead of for a file. */
type ReadOptions = Omit<ExportOptions, "path" | "format" | "decimal" | "onTable"> & {
  /** Whether values are the marketplace's own instead of words for people. */
  readonly isForPrograms: boolean;
};

/** As {@link runExport}, with the table in memory; `undefined` where it was stopped. */
export async function readExport(
  connection: Connection,
  { isForPrograms, ...options }: ReadOptions,
): Promise<ExportResult & { readonly table: ReadTable | undefined }> {
  let table: ReadTable | undefined;
  const format = isForPrograms ? "jsonl" : "csv";
  const onTable = (read: ReadTable): void => void (table = read);
  const exported = await runExport(connection, {
    ...options,
    format,
    onTable,
    path: "",
    decimal: "point",
  });
  return { ...exported, table };
}

/** Fewer calls are not announced: with those that check the totals they would be far off. */
const MIN_PLANNED_CALLS = 20;

/** A person who asks for prices pays a call for each package, so that two are announced. */
const MIN_PRICE_CALLS = 2;

/** The number of calls is reported once, as soon as it is known. */
function createReports({ kind, onEvent }: ExportOptions): Pick<SourceContext, "onPage" | "onPlan"> {
  let isPlanned = false;
  const min = kind === "shipping-prices" ? MIN_PRICE_CALLS : MIN_PLANNED_CALLS;
  const onPlan = (calls: number): void => {
    if (!isPlanned && calls >= min) onEvent?.({ event: "planned", calls });
    isPlanned = true;
  };
  return {
    onPlan,
    onPage(progress) {
      if (progress.callsLeft !== undefined) onPlan(progress.callsLeft);
      onEvent?.({ event: "page", ...progress });
    },
  };
}

/** State that the parts of one export share. */
export interface ExportWork {
  readonly connection: Connection;
  readonly options: ExportOptions;
  readonly context: SourceContext;
  /** Mark of the last export, where only newer items are wanted. */
  readonly mark: ExportMark | undefined;
  /** Jobs that end with this one. */
  readonly parts: readonly ExportJob[];
}

/** Warnings that arise during the export. */
export interface Notes {
  readonly warnings: () => readonly Localized[];
  /** Lines that explain the table, in the language of the file. */
  readonly remarks: () => readonly string[];
}

async function exportFrom<Item>(
  work: ExportWork,
  source: Source<Item>,
  notes: Notes,
): Promise<ExportResult> {
  const { options, context } = work;
  const { job } = context;
  const choose = async (): Promise<readonly OutColumn<Item>[] | undefined> =>
    options.columns && chooseColumns(await source.columns(), options.columns);
  // Refused before anything is read; a unit that the reading teaches comes too late for them.
  const early = source.needsReading === true ? undefined : await choose();
  const { period } = source;
  if (period !== undefined) options.onEvent?.({ event: "period", ...period });
  const end = await readOrStop(source, options.stop);
  if (end === undefined || end.isStopped) {
    return { state: "stopped", rows: await job.count(), isWhole: false, warnings: [] };
  }
  const columns = early ?? (await choose()) ?? (await source.columns());
  const written = await writeAll(work, source, { columns, notes });
  const refused = source.refused?.() ?? 0;
  const left = work.connection.meters.omittedFields.warnings().map(({ message }) => message);
  const warnings = [
    ...warnOfMissing(end),
    ...notes.warnings(),
    ...left,
    ...warnOfCuts(written.cutTexts),
    ...warnOfRefused(refused),
  ];
  const isWhole = end.missing === 0 && refused === 0;
  return { state: "finished", rows: written.rows, isWhole, warnings, period };
}

interface TableParts<Item> {
  readonly columns: readonly OutColumn<Item>[];
  readonly notes: Notes;
}

/** Writes the table, and keeps the mark for the next export. */
async function writeAll<Item>(
  work: ExportWork,
  source: Source<Item>,
  { columns, notes }: TableParts<Item>,
): Promise<WrittenTable> {
  const { options } = work;
  options.onEvent?.({ event: "writing" });
  const { period } = source;
  const items = await selectItems(work, source);
  const remarks = (): readonly string[] => [
    ...(period === undefined ? [] : [describePeriod(period)[options.lang]]),
    ...notes.remarks(),
    ...(columns.some(({ kind }) => kind === "moment") ? [TIME_ZONE[options.lang]] : []),
  ];
  const written = await writeItems(work, { columns, items, remarks });
  await finish(work, items.newestMs(), (await source.counts?.()) ?? {});
  return written;
}

interface SelectedItems<Item> extends AsyncIterable<Item> {
  /** Maximum number of the items. */
  readonly maxCount: number;
  /** Time of the newest item that was taken. */
  newestMs(): number | undefined;
}

/** The items of the file; those that an earlier export gave are left out where only new ones are wanted. */
async function selectItems<Item>(
  { mark, context }: ExportWork,
  source: Source<Item>,
): Promise<SelectedItems<Item>> {
  const { job } = context;
  const isSinceLast = mark !== undefined;
  const isNotYetWritten = isSinceLast && source.isNew === undefined;
  let newestMs: number | undefined;
  return {
    maxCount: await (isNotYetWritten ? job.countNotYetWritten() : job.count()),
    newestMs: () => newestMs,
    async *[Symbol.asyncIterator]() {
      for await (const item of job.items<Item>({ isNotYetWritten })) {
        if (isSinceLast && source.isNew?.(item) === false) continue;
        newestMs = Math.max(newestMs ?? 0, source.timestampOf?.(item) ?? 0) || newestMs;
        yield source.prepare === undefined ? item : await source.prepare(item);
      }
    },
  };
}

interface ItemsToWrite<Item> {
  readonly columns: readonly OutColumn<Item>[];
  readonly items: SelectedItems<Item>;
  readonly remarks: Notes["remarks"];
}

async function writeItems<Item>(
  { options }: ExportWork,
  { columns, items, remarks }: ItemsToWrite<Item>,
): Promise<WrittenTable> {
  const { kind, path, format, lang, decimal, onTable } = options;
  if (onTable !== undefined) {
    const table = await readRows(columns, items, toStyle(lang, format));
    onTable(table);
    return { rows: table.rows.length, cutTexts: 0 };
  }
  const isOrdered = options.columns !== undefined;
  return await writeTable(
    { name: TABLE_NAMES[kind][lang], columns, items, count: items.maxCount, isOrdered },
    {
      path,
      format,
      decimal,
      style: toStyle(lang, format),
      remarks: remarks(),
      ...(kind === "products" ? {} : { mode: OWNER_ONLY }),
    },
  );
}

/** The mark is saved after the file is written, so that an export which dies before is repeated. */
async function finish(
  { context, mark, parts }: ExportWork,
  newestMs: number | undefined,
  counts: ExportMark["counts"],
): Promise<void> {
  const { job } = context;
  const newest = Math.max(newestMs ?? 0, mark?.newestMs ?? 0);
  await job.finish({ begunAtMs: job.begunAtMs, newestMs: newest === 0 ? null : newest, counts });
  for (const part of parts) await part.discard();
}

/** A call that the stop interrupted has stored nothing; every earlier call has. */
async function readOrStop<Item>(
  source: Source<Item>,
  stop: AbortSignal | undefined,
): Promise<ListingsEnd | undefined> {
  try {
    return await source.read();
  } catch (error) {
    if (stop?.aborted === true && error === stop.reason) return undefined;
    throw error;
  }
}

const TABLE_NAMES: Readonly<Record<ExportKind, Localized>> = {
  products: { tr: "Ürünler", en: "Products" },
  comments: { tr: "Yorumlar", en: "Comments" },
  orders: { tr: "Siparişler", en: "Orders" },
  questions: { tr: "Sorular", en: "Questions" },
  payments: { tr: "Ödemeler", en: "Payments" },
  search: { tr: "Bulunan ürünler", en: "Found products" },
  templates: { tr: "Teslimat şablonları", en: "Shipping templates" },
  companies: { tr: "Kargo firmaları", en: "Shipping companies" },
  addresses: { tr: "Teslimat adresleri", en: "Shipping addresses" },
  cities: { tr: "Şehirler", en: "Cities" },
  "shipping-prices": { tr: "Kargo ücretleri", en: "Shipping prices" },
};

const TIME_ZONE: Localized = {
  tr: "Saatler Türkiye saatidir (UTC+03:00).",
  en: "Times are in the zone of Türkiye (UTC+03:00).",
};

function toNames(options: ExportOptions): {
  readonly key: string;
  readonly scope: string;
} {
  const { kind, filters, withNames, withContact, storeWide, sinceLast, per } = options;
  const sorted = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = per === "package" ? [per] : [];
  const scope = shorten(JSON.stringify([kind, storeWide === true, sorted, ...rows]));
  return {
    scope,
    key: JSON.stringify([scope, withNames === true, sinceLast === true, withContact === true]),
  };
}

/** A name of many codes or ids would be too long for an index of the database. */
const MAX_NAME_CHARS = 1_000;

const shorten = (name: string): string =>
  name.length <= MAX_NAME_CHARS
    ? name
    : `${name.slice(0, 40)} ${createHash("sha256").update(name).digest("hex")}`;
