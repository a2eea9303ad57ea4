/** Opens the file of a feed, of any kind, with the columns that a sync may send. */

import { open } from "node:fs/promises";
import { basename } from "node:path";

import { CatalogError, type Connection } from "@catalog/connection";
import { formatNumber, InputError, isAddress, type Localized } from "@catalog/i18n";
import {
  type ColumnMapping,
  createKnownHeaderCount,
  createRecordJudge,
  type FieldKey,
  isOwnResultHeader,
  LEAVE_OUT,
} from "@catalog/mapping";
import type { RowIssue } from "@catalog/runs";
import {
  type OpenedSheet,
  openSheet,
  type OpenSheetOptions,
  SheetError,
  type SheetRow,
} from "@catalog/sheets";

import {
  type ColumnProfiles,
  describeRecalled,
  ownHeaders,
  readAcceptedColumns,
  readNamedProfile,
} from "../columns/column-profiles.ts";
import { type NotationContext, wasAccepted } from "../columns/remembered-readings.ts";
import { resolveColumns, toKnownStores } from "../columns/resolve-columns.ts";
import { describePlatform, describeStoreColumns } from "../file/describe-file.ts";
import { nameDownload, recallRecord, unpackFile } from "../file/open-table.ts";
import type { PlanSource } from "../plan/plan-options.ts";
import type { FeedFile } from "./feed-file.ts";

/** Settings for reading a feed. */
export interface FeedReading {
  readonly sheet?: Omit<OpenSheetOptions, "path" | "signal"> | undefined;
  /** Field by header. */
  readonly columns?: ReadonlyMap<string, string> | undefined;
  readonly decimal?: "comma" | "point" | undefined;
  /** Platform that wrote the feed; one of `platforms.names`. @default recognised by the headers */
  readonly platform?: string | undefined;
  /** Name of a column profile that an import has saved. @default none is used */
  readonly profile?: string | undefined;
  /** Whether a feed is opened although its columns leave something open. @default false */
  readonly isLenient?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What stops a sync of the feed; it is empty for one that was not opened leniently. */
interface OpenColumns {
  readonly questions: ColumnMapping["questions"];
  /** Issues of the file that no question is about. */
  readonly issues: readonly RowIssue[];
  /** Whether none of the columns is sent. */
  readonly hasNoField: boolean;
}

/** What a store remembers of the files that were accepted. */
interface FeedMemory
  extends Pick<NotationContext, "baseUrl">, Pick<Connection, "storeName" | "namedStores"> {
  readonly memory: { readonly profiles: ColumnProfiles } & Pick<NotationContext, "notes">;
}

/** A reading, and what is known of the feed. */
interface FeedOpening extends FeedReading {
  /**
   * Whether the feed was accepted before: then the columns of a profile hold also where other headers
   * have changed, and the form of the feed says what has. @default false
   */
  readonly isKnown?: boolean | undefined;
  /**
   * Whether columns are read as a person has answered for an accepted file with the same headers.
   * What is stated now comes first, and a profile in their place. @default true
   */
  readonly recalls?: boolean | undefined;
}

/** A feed whose columns are mapped. */
export interface OpenedFeed extends AsyncDisposable {
  readonly kind: OpenedSheet["kind"];
  readonly sheet: PlanSource["sheet"];
  /** The columns that a sync sends or that name a product. */
  readonly mapping: ColumnMapping;
  /** All columns, which tell how rows make up products with variants. */
  readonly wholeMapping: ColumnMapping;
  /** Decimal sign of prices, as a person has stated it. */
  readonly decimal: FeedReading["decimal"];
  readonly open: OpenColumns;
  /** The answers for an earlier file that are used, and its name, one line each. */
  readonly notes: readonly Localized[];
  /** Whether the last line ends with a line break; always true but for CSV. */
  readonly endsWithBreak: boolean;
}

/** Fields that name the product, and those that a sync sends; other columns are ignored. */
const KEY_FIELDS = ["product_code", "product_id"] as const satisfies readonly FieldKey[];
const SENT_FIELDS = [
  "stock",
  "price",
  "list_price",
  "discount_value",
  "discount_type",
  "currency",
] as const satisfies readonly FieldKey[];

/** The fields that a sync takes from a feed, those that name the product first. */
export const FEED_FIELDS: readonly FieldKey[] = [...KEY_FIELDS, ...SENT_FIELDS];

const SENT: ReadonlySet<string> = new Set(SENT_FIELDS);
const TAKEN: ReadonlySet<string> = new Set(FEED_FIELDS);

/**
 * Opens a feed, and unpacks it where it is compressed. Throws {@link CatalogError}: `E_FILE_COLUMNS`
 * where its columns cannot be used, `E_FEED_FIELDS` where none of them is stock or price; and
 * `SheetError` for the file.
 */
export async function openFeed(
  tools: FeedMemory,
  file: FeedFile,
  reading: FeedOpening,
): Promise<OpenedFeed> {
  const { path } = file;
  const { signal } = reading;
  await using stack = new AsyncDisposableStack();
  const { options } = stack.use(
    await unpackFile({ ...reading.sheet, path, ...(signal !== undefined && { signal }) }).catch(
      (error: unknown) => {
        throw nameFeed(error, file);
      },
    ),
  );
  const table = { ...file, path: options.path };
  const feed = stack.use(await openUnpacked(tools, table, { ...reading, sheet: options }));
  const owned = stack.move();
  return { ...feed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openUnpacked(
  tools: FeedMemory,
  file: FeedFile,
  reading: FeedOpening,
): Promise<OpenedFeed> {
  const { path } = file;
  const { signal } = reading;
  const countKnownHeaders = createKnownHeaderCount(reading.columns?.keys());
  const options = {
    ...reading.sheet,
    path,
    countKnownHeaders,
    judgeRecord: createRecordJudge(reading.columns),
    ...(signal === undefined ? {} : { signal }),
  };
  const openAs = async (encoding = reading.sheet?.encoding): Promise<OpenedFeed> => {
    const given = encoding === undefined ? options : { ...options, encoding };
    const { sheet, notes } = await openKnownRecord(tools, given);
    const feed = await openTableFeed(tools, file, reading, sheet);
    return { ...feed, notes: [...notes, ...feed.notes] };
  };
  try {
    return await openAs();
  } catch (error) {
    const feed = await openDespiteDoubt(error, openAs);
    if (feed === undefined) throw nameFeed(error, file);
    return feed;
  }
}

/** Opens the sheet; of several records the one that alone has the headers of an accepted file. */
async function openKnownRecord(
  { memory: { notes }, baseUrl }: FeedMemory,
  options: OpenSheetOptions,
): Promise<{ readonly sheet: OpenedSheet; readonly notes: readonly Localized[] }> {
  try {
    return { sheet: await openSheet(options), notes: [] };
  } catch (error) {
    const knows = (table: OpenedSheet): Promise<boolean> =>
      wasAccepted({ notes, baseUrl }, ownHeaders(table));
    const known = await recallRecord(error, options, { knows });
    if (known === undefined) throw error;
    const sheet = await openSheet({ ...options, ...known });
    return { sheet, notes: [toRecordNote(sheet.sheet)] };
  }
}

const toRecordNote = (record: string): Localized => ({
  tr: `“${record}” kayıtları okundu: yalnız onların başlıkları daha önce onayladığınız bir dosyanınkiyle aynı. Başka kayıtlar için --record ekleyin.`,
  en: `The records “${record}” are read: they alone have the headers of a file that you accepted before. For other records, add --record.`,
});

/** Names a downloaded or unpacked file as a person does, as its own name says nothing. */
function nameFeed(error: unknown, { path, name }: FeedFile): unknown {
  if (!(error instanceof SheetError) || basename(path) === name) return error;
  return isAddress(name)
    ? nameDownload(error, { address: name, code: "E_FEED_ADDRESS" })
    : new SheetError(error.code, { ...error.details, file: name }, { cause: error });
}

/**
 * A sync cannot ask for the encoding; it opens a doubtful file where all cells that are sent are
 * ASCII.
 */
async function openDespiteDoubt(
  error: unknown,
  openAs: (encoding: string) => Promise<OpenedFeed>,
): Promise<OpenedFeed | undefined> {
  if (!(error instanceof SheetError) || error.code !== "E_ENCODING_UNSURE") return undefined;
  const [reading] = error.details.readings ?? [];
  if (reading === undefined) return undefined;
  try {
    const feed = await openAs(reading.encoding);
    if (await isAsciiWhereSent(feed)) return feed;
    await feed[Symbol.asyncDispose]();
    return undefined;
  } catch (other) {
    // Columns that this reading does not find may be found in the other.
    if (other instanceof CatalogError) return undefined;
    throw other;
  }
}

async function openTableFeed(
  tools: FeedMemory,
  file: FeedFile,
  reading: FeedOpening,
  sheet: OpenedSheet,
): Promise<OpenedFeed> {
  const { path } = file;
  try {
    const mapped = await mapFeed(tools, file, sheet, reading);
    const endsWithBreak = sheet.kind !== "csv" || (await hasFinalBreak(path));
    const close = (): Promise<void> => sheet.close();
    return { kind: sheet.kind, sheet, ...mapped, endsWithBreak, [Symbol.asyncDispose]: close };
  } catch (error) {
    await sheet.close();
    throw error;
  }
}

/** Every header is compared, since any of them may name a column that is sent. */
async function isAsciiWhereSent({ sheet, mapping }: OpenedFeed): Promise<boolean> {
  const sent = mapping.columns.filter(({ target }) => target.kind === "field");
  if (!sheet.header.cells.every(isAscii)) return false;
  for await (const { cells } of sheet.rows()) {
    if (!sent.every(({ index }) => isAscii(cells[index]))) return false;
  }
  return true;
}

const isAscii = (cell: SheetRow["cells"][number] | undefined): boolean =>
  !/[^\0-\u007f]/u.test(String(cell ?? ""));

async function mapFeed(
  tools: FeedMemory,
  { name }: FeedFile,
  sheet: PlanSource["sheet"],
  { platform, signal, isLenient = false, ...reading }: FeedOpening,
): Promise<Pick<OpenedFeed, "mapping" | "wholeMapping" | "decimal" | "open" | "notes">> {
  let below: PlanSource["sheet"]["header"]["cells"] | undefined;
  for await (const row of sheet.rows()) {
    below = row.cells;
    break;
  }
  const headers = sheet.header.cells.map((cell) => String(cell ?? ""));
  const { columns, decimal, notes } = await readColumns(tools.memory.profiles, headers, reading);
  // A sync cannot ask about columns, so an open question refuses the feed.
  const { mapping, issues, questions } = await resolveColumns({
    sheet,
    below,
    columns,
    platform,
    signal,
    isSent,
    stores: toKnownStores(tools),
    expected: EXPECTED_FIELDS,
  });
  if (issues.length > 0 && !isLenient) throw new CatalogError("E_FILE_COLUMNS", name, issues);
  const kept = keepSent(mapping);
  const fields = kept.columns.map(({ target }) => (target.kind === "field" ? target.field : ""));
  const hasNoField = !fields.some((field) => SENT.has(field));
  if (hasNoField && !isLenient) throw new CatalogError("E_FEED_FIELDS", name);
  const asked = new Set<RowIssue>(questions.map(({ issue }) => issue));
  const others = issues.filter((issue) => !asked.has(issue));
  return {
    mapping: kept,
    wholeMapping: mapping,
    decimal,
    notes: [...notes, ...describeStoreColumns(kept)],
    open: { questions, issues: others, hasNoField },
  };
}

/**
 * The columns that a person has stated: now and for an accepted file with the same headers, or now and
 * in the named profile. Fixed values of a profile are not used. Throws `InputError` where these
 * headers have no such profile, and the feed is not known.
 */
async function readColumns(
  profiles: ColumnProfiles,
  headers: readonly string[],
  {
    columns = new Map(),
    decimal,
    profile,
    isKnown = false,
    recalls = true,
  }: Omit<FeedOpening, "signal" | "isLenient">,
): Promise<
  Pick<OpenedFeed, "decimal" | "notes"> & { readonly columns: ReadonlyMap<string, string> }
> {
  if (profile === undefined) {
    if (!recalls) return { columns, decimal, notes: [] };
    const accepted = await readAcceptedColumns(profiles, headers, columns);
    const notes = describeRecalled(accepted, isUsed);
    return { columns: new Map([...accepted.columns, ...columns]), decimal, notes };
  }
  const constants = new Map<string, string>();
  const overrides = { profile, columns, constants, decimal, takesOtherHeaders: isKnown };
  const found = await readNamedProfile(profiles, headers, overrides);
  if (found !== undefined) return { columns: found.columns, decimal: found.decimal, notes: [] };
  throw new InputError({
    tr: `Bu başlıklar için “${profile}” adında bir profil yok. Önce bir kez aynı dosyayla kaydedin: catalog import DOSYA --profile ${profile}`,
    en: `There is no profile “${profile}” for these headers. Save it once with the same file: catalog import FILE --profile ${profile}`,
  });
}

/** A feed without one of these must not continue for ever without it unnoticed. */
export const EXPECTED_FIELDS: readonly FieldKey[] = ["stock", "price"];

/** Whether a sync sends the field; the others name the product. */
export const isSentField = (field: FieldKey): boolean => SENT.has(field);

/** Whether an answer about a column concerns a sync. */
const isUsed = (field: string): boolean =>
  TAKEN.has(field) || field === "cost" || field === LEAVE_OUT;

const isSent = (field: FieldKey): boolean => TAKEN.has(field);

function keepSent(mapping: ColumnMapping): ColumnMapping {
  const columns = mapping.columns.map((column) => {
    const { target } = column;
    // A column that is never sent may still say how to read others.
    const isKept =
      target.kind === "never-sent" || (target.kind === "field" && isSent(target.field));
    return isKept ? column : { ...column, target: { kind: "unused" } as const };
  });
  return { ...mapping, columns };
}

/** Holds for every encoding that has the line break in the last two bytes. */
const TAIL_BYTES = 2;

async function hasFinalBreak(path: string): Promise<boolean> {
  await using handle = await open(path);
  const { size } = await handle.stat();
  const at = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, at);
  return buffer.subarray(0, bytesRead).some((byte) => byte === 0x0a || byte === 0x0d);
}

const MAX_NAMED = 20;

/** Headers of the columns that are neither sent nor tell the product, in the order of the feed. */
export const listUnused = (
  { columns, variantHeaders }: Pick<ColumnMapping, "columns" | "variantHeaders">,
  usedByRules: readonly string[] = [],
): readonly string[] =>
  columns
    .filter(({ header, only }) => !usedByRules.includes(header) && only === undefined)
    .filter(({ header, target }) => target.kind !== "field" && !variantHeaders.has(header))
    .filter(({ header }) => header !== "" && !isOwnResultHeader(header))
    .map(({ header }) => header);

/** How a feed was read, one line each; a quiet sync only names the columns that are not used. */
export function describeFeedReading(
  { platform, unused, notes }: FeedReadingFacts,
  { isQuiet }: { readonly isQuiet: boolean },
): readonly Localized[] {
  const known = isQuiet ? [] : [...describePlatform(platform), ...notes];
  if (unused.length === 0) return known;
  const more = unused.length > MAX_NAMED ? ", …" : "";
  const named = unused.slice(0, MAX_NAMED).map((header) => `“${header}”`);
  const list = named.join(", ") + more;
  return [
    ...known,
    {
      tr: `Eşitleme yalnız stok ve fiyat gönderir; kullanılmayan ${formatNumber(unused.length, "tr")} sütun: ${list}.`,
      en: `A sync sends stock and price only; ${unused.length === 1 ? "1 column is" : `${formatNumber(unused.length, "en")} columns are`} not used: ${list}.`,
    },
  ];
}

interface FeedReadingFacts extends Pick<OpenedFeed, "notes"> {
  readonly platform: ColumnMapping["platform"];
  /** Headers of the columns that are not used. */
  readonly unused: readonly string[];
}
