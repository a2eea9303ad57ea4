/**
 * Reads a feed so that a person sees how it is understood before it is synced, and what it leaves
 * open. What was answered for earlier files with the same headers is taken.
 */

import { type Connection, fieldLabels, priceUnitOf } from "@catalog/connection";
import { isAddress, type Localized } from "@catalog/i18n";
import { columnLetter, headerKey as compareKey, LEAVE_OUT } from "@catalog/mapping";
import { SheetError } from "@catalog/sheets";

import { readAcceptedColumns } from "../columns/column-profiles.ts";
import { type FeedFetch, type FeedFile, fetchFeed, findFeedFile } from "./feed-file.ts";
import { findLostFields } from "./feed-form.ts";
import { feedKey, nameOfFeed } from "./feed-name.ts";
import { dropFields, readStanding } from "./feed-state.ts";
import type { FeedSample, FeedSampleColumn } from "./feed-views.ts";
import { FEED_FIELDS, type FeedReading, type OpenedFeed, openFeed } from "./open-feed.ts";
import { listFields, listGiven } from "./prepare-feed.ts";
import { scanFeed } from "./scan-feed.ts";

interface ReadSampleOptions {
  /** An absolute path or an address. */
  readonly feed: string;
  readonly reading: Omit<FeedReading, "signal" | "isLenient">;
  readonly fetch: FeedFetch;
  readonly maxRows: number;
}

type SampleTools = Pick<
  Connection,
  "memory" | "baseUrl" | "priceUnit" | "storeName" | "namedStores"
>;

/** What a form in which a person sets up the sync of a feed asks of it. */
interface FeedForm {
  /** Reads the beginning of the feed; rejects for one that cannot be read at all. */
  readSample(options: Omit<ReadSampleOptions, "feed">): Promise<FeedSample>;
  /** When its data was last changed, in milliseconds since 1970. */
  readTime(): Promise<number | undefined>;
  /** Takes a person's word that these fields were removed from the feed on purpose. */
  dropFields(dropped: readonly string[]): Promise<void>;
}

/** `feed` is an absolute path or an address. */
export const openFeedForm = (tools: SampleTools, feed: string): FeedForm => ({
  readSample: (options) => readSample(tools, { feed, ...options }),
  readTime: () => readFeedTime(tools, feed),
  dropFields: (dropped) => dropFields(tools.memory.feedState, feed, dropped),
});

/** Throws what {@link openFeed} and the download throw for a feed that cannot be read. */
async function readSample(
  tools: SampleTools,
  { feed, fetch, ...options }: ReadSampleOptions,
): Promise<FeedSample> {
  const fetched = await fetchFeed({ feed, fetch }, undefined);
  if (fetched.kind === "unchanged")
    throw new Error("a feed without validators cannot be unchanged");
  using file = fetched.file;
  const { columns: given = new Map<string, string>() } = options.reading;
  try {
    const answered = await readAnswers(tools, { file, reading: options.reading, given });
    const reading = { ...options.reading, columns: answered.answers, recalls: true };
    await using opened = await openLeniently(tools, file, reading);
    return await toSample(tools, opened, { ...answered, ...options, feed, file, given });
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    const { readings: encodings = [] } = error.details;
    const records = listRecords(error);
    if (encodings.length + records.length === 0) throw error;
    return {
      ...toUnread(file),
      answers: Object.fromEntries(given),
      encodings: encodings.map(({ encoding, words }) => ({ encoding, sample: words.join(" ") })),
      records,
    };
  }
}

/** `recalls`: whether answers for earlier files are taken besides those of the reading. */
const openLeniently = (
  tools: SampleTools,
  file: FeedFile,
  reading: FeedReading & { readonly recalls: boolean },
): Promise<OpenedFeed> => openFeed(tools, file, { ...reading, isLenient: true });

function listRecords({ code, details }: SheetError): FeedSample["records"] {
  if (code !== "E_RECORD_CHOICE" && code !== "E_RECORD_UNKNOWN") return [];
  const { names = [], rowCounts = [], samples = [] } = details;
  return names.map((name, index) => ({
    name,
    rows: rowCounts[index] ?? 0,
    values: samples[index] ?? [],
  }));
}

/** A file whose letters or records have to be known before its columns are. */
const toUnread = (file: FeedFile): Omit<FeedSample, "answers" | "encodings" | "records"> => ({
  name: nameOfFeed(file.name),
  dataAt: file.modifiedMs === undefined ? null : new Date(file.modifiedMs).toISOString(),
  columns: [],
  rows: [],
  gone: [],
  problems: [],
  lost: [],
  isUnitOpen: false,
});

interface GivenAnswers {
  readonly file: FeedFile;
  readonly reading: ReadSampleOptions["reading"];
  readonly given: ReadonlyMap<string, string>;
}

/** Field by header, and the headers that the feed does not have. */
interface Answers extends Pick<FeedSample, "gone"> {
  readonly answers: ReadonlyMap<string, string>;
}

/** The given answers about columns that are there, with those that earlier files have had. */
async function readAnswers(
  tools: SampleTools,
  { file, reading, given }: GivenAnswers,
): Promise<Answers> {
  const asked = { ...reading, columns: given, recalls: false };
  await using opened = await openLeniently(tools, file, asked);
  const headers = opened.sheet.header.cells.map((cell) => String(cell ?? ""));
  const there = new Set(headers.map((header) => compareKey(header)));
  const isThere = (header: string): boolean => there.has(compareKey(header));
  const kept = [...given].filter(([header]) => isThere(header));
  const { profiles } = tools.memory;
  const { columns } = await readAcceptedColumns(profiles, headers, new Map(kept));
  const remembered = [...columns].filter(([header, to]) => isOther(opened, header, to));
  return {
    answers: new Map([...kept, ...remembered]),
    gone: [...given.keys()].filter((header) => !isThere(header)),
  };
}

const TAKEN: ReadonlySet<string> = new Set(FEED_FIELDS);

/** Whether the answer changes what a sync takes from the feed. */
function isOther({ mapping, open }: OpenedFeed, header: string, to: string): boolean {
  const target = mapping.columns.find((column) => column.header === header)?.target;
  if (open.questions.some((question) => question.header === header)) return true;
  const now = target?.kind === "field" ? target.field : LEAVE_OUT;
  return (TAKEN.has(to) ? to : LEAVE_OUT) !== now;
}

interface SampledFeed extends GivenAnswers, Answers, Pick<ReadSampleOptions, "maxRows"> {
  readonly feed: string;
}

async function toSample(
  tools: SampleTools,
  opened: OpenedFeed,
  { feed, file, reading, given, answers, gone, maxRows }: SampledFeed,
): Promise<FeedSample> {
  const { sheet, mapping, open } = opened;
  const isOpen = open.questions.length + open.issues.length > 0 || open.hasNoField;
  const scan = isOpen
    ? { unclear: new Set<number>(), filled: {} }
    : await scanFeed(tools, opened, { ...reading, decimal: opened.decimal });
  const rows: string[][] = [];
  for await (const { cells } of sheet.rows()) {
    rows.push(sheet.header.cells.map((_, index) => String(cells[index] ?? "")));
    if (rows.length >= maxRows) break;
  }
  const fields = listGiven(listFields(mapping), scan.filled);
  const { record: last } = await readStanding(tools.memory.feedState, feedKey(feed));
  return {
    ...toUnread(file),
    columns: toColumns(opened, { given, answers, unclear: scan.unclear }),
    rows,
    answers: Object.fromEntries(answers),
    gone,
    encodings: [],
    records: [],
    problems: listProblems(open),
    lost: findLostFields(fields, last).map(({ field, header }) => ({
      field,
      label: fieldLabels(field),
      header,
    })),
    isUnitOpen: ("price" in fields || "list_price" in fields) && !(await isUnitKnown(tools)),
  };
}

/** A column that may hold stock or price is asked about, which says enough. */
function listProblems({ issues, hasNoField, questions }: OpenedFeed["open"]): readonly Localized[] {
  const told = issues.map(({ message }) => message);
  return hasNoField && questions.length === 0 && told.length === 0 ? [NO_FIELD] : told;
}

const NO_FIELD: Localized = {
  tr: "Dosyada stok ya da fiyat sütunu bulunamadı. Hangi sütunun stok ya da fiyat olduğunu aşağıdan seçin.",
  en: "No column of stock or price was found in the file. Choose below which column is the stock or the price.",
};

const isUnitKnown = async (tools: SampleTools): Promise<boolean> => {
  const { set, remembered = "unknown" } = await priceUnitOf(tools).known();
  return (set ?? remembered) !== "unknown";
};

interface ColumnAnswers extends Pick<GivenAnswers, "given">, Pick<Answers, "answers"> {
  readonly unclear: ReadonlySet<number>;
}

const isIn = (all: ReadonlyMap<string, string>, header: string): boolean =>
  [...all.keys()].some((key) => compareKey(key) === compareKey(header));

function toColumns(
  { sheet, mapping, open }: OpenedFeed,
  { given, answers, unclear }: ColumnAnswers,
): readonly FeedSampleColumn[] {
  const targets = new Map(mapping.columns.map(({ index, target }) => [index, target]));
  return sheet.header.cells.map((cell, index) => {
    const header = String(cell ?? "");
    const target = targets.get(index);
    const question = open.questions.find(({ letter }) => letter === columnLetter(index));
    return {
      header,
      field: target?.kind === "field" ? target.field : null,
      answer: isIn(given, header) ? "given" : isIn(answers, header) ? "remembered" : null,
      question: question?.issue.message ?? null,
      choices: header === "" ? [] : listChoices(question),
      isUnclear: unclear.has(index),
    };
  });
}

/** The answers of the question, if there is one, and then every other field. */
function listChoices(
  question: OpenedFeed["open"]["questions"][number] | undefined,
): FeedSampleColumn["choices"] {
  const likely = question?.choices.map(({ map, label }) => ({ value: map, label })) ?? [];
  const all = FEED_FIELDS.map((key) => ({ value: key, label: fieldLabels(key) }));
  const others = [...all, { value: LEAVE_OUT, label: LEFT_OUT }];
  const known = new Set(likely.map(({ value }) => value));
  return [...likely, ...others.filter(({ value }) => !known.has(value))];
}

const LEFT_OUT: Localized = { tr: "Alınmasın", en: "Leave it out" };

/** The time of the file, or what its address told at the last sync. */
async function readFeedTime(
  { memory }: Pick<Connection, "memory">,
  feed: string,
): Promise<number | undefined> {
  if (isAddress(feed)) {
    const { record } = await readStanding(memory.feedState, feedKey(feed));
    const told = record?.lastModified;
    const ms = told === undefined ? Number.NaN : Date.parse(told);
    return Number.isFinite(ms) ? ms : undefined;
  }
  try {
    return findFeedFile(feed).modifiedMs;
  } catch {
    // There is no file now; the next sync tells so.
    return undefined;
  }
}
