/**
 * Reads a feed so that a person sees how it is understood before it is synced, and what it leaves
 * open. What was answered for earlier files with the same headers is taken.
 */

import { type Connection, readPriceUnitSetting } from "@catalog/connection";
import {
  columnLetter,
  type ColumnMapping,
  headerKey as compareKey,
  LEAVE_OUT,
} from "@catalog/mapping";
import type { RowIssue } from "@catalog/runs";
import { SheetError } from "@catalog/sheets";

import { readRememberedColumns } from "../columns/column-profiles.ts";
import { type FeedFetch, type FeedFile, fetchFeed, findFeedFile } from "./feed-file.ts";
import { feedKey, isAddress, nameOfFeed } from "./feed-name.ts";
import { readFeedRecord } from "./feed-state.ts";
import { FEED_FIELDS, type FeedReading, type OpenedFeed, openFeed } from "./open-feed.ts";
import { type FeedField, findLostFields, listFields, listGiven } from "./prepare-feed.ts";
import { scanFeed } from "./scan-feed.ts";

export interface ReadSampleOptions {
  /** An absolute path or an address. */
  readonly feed: string;
  readonly reading: Omit<FeedReading, "signal" | "isLenient">;
  readonly fetch: FeedFetch;
  readonly maxRows: number;
}

export interface FeedSampleColumn {
  readonly header: string;
  /** Key of the field that a sync takes from it; `undefined` for a column that is not used. */
  readonly field: string | undefined;
  /** Whether it is answered now, or for an earlier file. */
  readonly answer: "given" | "remembered" | undefined;
  /** What only a person can decide. */
  readonly question: ColumnMapping["questions"][number] | undefined;
  /** Whether its numbers can be read in two ways, and nothing tells which. */
  readonly isUnclear: boolean;
}

/** The beginning of a feed, and what stops a sync of it. */
export interface FeedSample {
  /** The file, or its address without secrets. */
  readonly name: string;
  /** When the file was last changed, in milliseconds since 1970. */
  readonly modifiedMs: number | undefined;
  readonly columns: readonly FeedSampleColumn[];
  /** Cells as they stand in the file. */
  readonly rows: readonly (readonly string[])[];
  /** Field by header: the answers that this sample was read with. */
  readonly answers: ReadonlyMap<string, string>;
  /** Headers of given answers that the feed does not have. */
  readonly gone: readonly string[];
  /** The encodings to choose from, where the letters can be read in several. */
  readonly encodings: NonNullable<SheetError["details"]["readings"]>;
  /** What is wrong with the columns besides their questions. */
  readonly issues: readonly RowIssue[];
  /** Whether no column is sent. */
  readonly hasNoField: boolean;
  /** Fields that the last accepted version of the feed gave, and this one does not. */
  readonly lost: readonly FeedField[];
  /** Whether prices are sent and their unit in the store is not known. */
  readonly isUnitOpen: boolean;
}

type SampleTools = Pick<Connection, "memory" | "baseUrl" | "priceUnit">;

/** Throws what {@link openFeed} and the download throw for a feed that cannot be read. */
export async function readSample(
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
    const reading = { ...options.reading, columns: answered.answers };
    await using opened = await openLeniently(tools, file, reading);
    return await toSample(tools, opened, { ...answered, ...options, feed, file, given });
  } catch (error) {
    const encodings = error instanceof SheetError ? error.details.readings : undefined;
    if (encodings === undefined) throw error;
    return { ...toUnread(file), answers: given, encodings };
  }
}

const openLeniently = (
  { memory: { profiles } }: SampleTools,
  file: FeedFile,
  reading: FeedReading,
): Promise<OpenedFeed> => openFeed(file, { ...reading, profiles, isLenient: true });

/** A file whose letters have to be known before its columns are. */
const toUnread = (file: FeedFile): Omit<FeedSample, "answers" | "encodings"> => ({
  name: nameOfFeed(file.name),
  modifiedMs: file.modifiedMs,
  columns: [],
  rows: [],
  gone: [],
  issues: [],
  hasNoField: false,
  lost: [],
  isUnitOpen: false,
});

interface GivenAnswers {
  readonly file: FeedFile;
  readonly reading: ReadSampleOptions["reading"];
  readonly given: ReadonlyMap<string, string>;
}

/** The given answers about columns that are there, with those that earlier files have had. */
async function readAnswers(
  tools: SampleTools,
  { file, reading, given }: GivenAnswers,
): Promise<Pick<FeedSample, "answers" | "gone">> {
  await using opened = await openLeniently(tools, file, { ...reading, columns: given });
  const headers = opened.sheet.header.cells.map((cell) => String(cell ?? ""));
  const there = new Set(headers.map((header) => compareKey(header)));
  const isThere = (header: string): boolean => there.has(compareKey(header));
  const kept = [...given].filter(([header]) => isThere(header));
  const { columns, unconfirmed } = await readRememberedColumns(tools.memory.profiles, headers, {
    columns: new Map(kept),
    constants: new Map(),
  });
  const remembered = [...columns].filter(
    ([header, to]) => !given.has(header) && !unconfirmed.has(header) && isOther(opened, header, to),
  );
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

interface SampledFeed
  extends GivenAnswers, Pick<FeedSample, "answers" | "gone">, Pick<ReadSampleOptions, "maxRows"> {
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
  const last = await readFeedRecord(tools.memory.feedState, feedKey(feed));
  return {
    ...toUnread(file),
    columns: toColumns(opened, { given, answers, unclear: scan.unclear }),
    rows,
    answers,
    gone,
    encodings: [],
    issues: open.issues,
    hasNoField: open.hasNoField,
    lost: findLostFields(fields, last),
    isUnitOpen: ("price" in fields || "list_price" in fields) && !(await isUnitKnown(tools)),
  };
}

const isUnitKnown = async (tools: SampleTools): Promise<boolean> => {
  const { set, remembered = "unknown" } = await readPriceUnitSetting(tools);
  return (set ?? remembered) !== "unknown";
};

interface ColumnAnswers extends Pick<GivenAnswers, "given">, Pick<FeedSample, "answers"> {
  readonly unclear: ReadonlySet<number>;
}

function toColumns(
  { sheet, mapping, open }: OpenedFeed,
  { given, answers, unclear }: ColumnAnswers,
): readonly FeedSampleColumn[] {
  const targets = new Map(mapping.columns.map(({ index, target }) => [index, target]));
  return sheet.header.cells.map((cell, index) => {
    const header = String(cell ?? "");
    return {
      header,
      field: toField(targets.get(index)),
      answer: readOrigin(header, { given, answers }),
      question: open.questions.find(({ letter }) => letter === columnLetter(index)),
      isUnclear: unclear.has(index),
    };
  });
}

function readOrigin(
  header: string,
  { given, answers }: Omit<ColumnAnswers, "unclear">,
): FeedSampleColumn["answer"] {
  const has = (all: ReadonlyMap<string, string>): boolean =>
    [...all.keys()].some((key) => compareKey(key) === compareKey(header));
  if (has(given)) return "given";
  return has(answers) ? "remembered" : undefined;
}

const toField = (
  target: ColumnMapping["columns"][number]["target"] | undefined,
): string | undefined => (target?.kind === "field" ? target.field : undefined);

/**
 * When the data of a feed was last changed: the time of its file, or what its address told at the
 * last sync; `undefined` where that is not known.
 */
export async function readFeedTime(
  { memory }: Pick<Connection, "memory">,
  feed: string,
): Promise<number | undefined> {
  if (isAddress(feed)) {
    const told = (await readFeedRecord(memory.feedState, feedKey(feed)))?.lastModified;
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
