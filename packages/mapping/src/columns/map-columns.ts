/**
 * Maps headers to fields. Nothing is guessed: an unknown header only gets a suggestion, and two
 * columns for one field are an error unless one has a lower rank.
 */

import {
  type Column,
  type ColumnTarget,
  type FieldKey,
  FIELDS,
  type HeaderMatch,
  LEAVE_OUT,
  RANK,
} from "../fields/fields.ts";
import { isReservedHeader, resolveTradeHeaders } from "../fields/other-headers.ts";
import type { Issue } from "../issues/issue.ts";
import {
  createPlatformMatcher,
  findPlatform,
  NO_PLATFORM,
  type PlatformMatcher,
  recognisePlatform,
} from "../platforms/platform-matcher.ts";
import type { PlatformProfile } from "../platforms/platform.ts";
import { cellText, columnLetter } from "../source-row.ts";
import { compactFold, headerKey } from "../text-keys.ts";
import { listVariantHeaders, markOptions } from "../variants/variant-columns.ts";
import {
  type BeatenColumn,
  type ColumnCells,
  type ColumnFacts,
  isImageMatch,
  numberImageColumns,
} from "./column-cells.ts";
import type { ColumnMapping, MapColumnsOptions } from "./column-mapping.ts";
import {
  type ColumnQuestion,
  describeMissingCode,
  findAlternatives,
  listWatched,
} from "./column-questions.ts";
import { recogniseRecordExport, reportColumns } from "./column-reports.ts";
import {
  createHeaderMatcher,
  createHeaderReport,
  readKeyRow,
  type ReportHeader,
} from "./header-matcher.ts";
import { findLikelyColumns } from "./likely-columns.ts";
import {
  fieldText,
  type HeaderPart,
  type MappedHeaders,
  mapStoreColumns,
  NO_STORES,
  refuseUnknownStores,
} from "./map-store-columns.ts";
import {
  keepStated,
  readConstants,
  readDefaults,
  readOverrides,
  restoreDoubts,
} from "./overrides.ts";
import { resolveParents } from "./parent-columns.ts";
import { resolveLoneCurrency } from "./price-currency.ts";
import { findStoreHeaders } from "./store-columns.ts";

/** The headers, and what is known of their columns beyond the headers. */
interface MatchColumnsOptions {
  readonly headers: readonly string[];
  readonly isNested: boolean;
  /** Columns whose target was chosen by hand, or is remembered. */
  readonly chosen: ReadonlyMap<number, HeaderMatch>;
  /** Headers of `chosen` that a person may not have decided. */
  readonly unconfirmed: ReadonlySet<string>;
  /** Machine keys by column. */
  readonly keys: ReadonlyMap<number, HeaderMatch> | undefined;
  readonly platform: PlatformProfile | undefined;
  readonly cells: ReadonlyMap<number, ColumnCells> | undefined;
}

interface MatchedColumns {
  readonly matches: readonly HeaderMatch[];
  /** What the profile of the platform knows; `undefined` for a file of no platform. */
  readonly platform: PlatformMatcher | undefined;
  /** Columns that may hold ids of this marketplace; their cells decide. */
  readonly idColumns: ReadonlySet<number>;
  /** See `ColumnMapping`. */
  readonly parentCurrency: number | undefined;
}

/**
 * Matches each column: a person's decision beats the machine key, which beats the profile of the
 * platform, which beats the other known headers.
 */
function matchColumns(options: MatchColumnsOptions): MatchedColumns {
  const { headers, chosen, keys, unconfirmed, cells } = options;
  const matcher = createHeaderMatcher();
  const platform =
    options.platform &&
    createPlatformMatcher(options.platform, { headers, cells, isNested: options.isNested });
  const read = (header: string, index: number): HeaderMatch => {
    if (isResultId(headers, index)) return RESULT_ID;
    const known = platform?.match(header, index);
    if (known !== undefined) return known;
    const match = matcher.match(header);
    // What a document has once, such as its name and date, says nothing of a product.
    const isOnce = options.isNested && platform !== undefined && header.startsWith("/");
    return isOnce && match.target.kind === "unknown" ? { ...match, target: UNUSED } : match;
  };
  const matches = headers.map((header, index): HeaderMatch => {
    const matched = chosen.get(index);
    if (matched === undefined) return keys?.get(index) ?? read(header, index);
    return unconfirmed.has(header)
      ? restoreDoubts(matched, read(header, index))
      : keepStated(matched, read(header, index));
  });
  const idColumns = new Set(
    [...headers.keys()].filter((index) => {
      const isDecided = chosen.has(index) && !unconfirmed.has(headers[index] ?? "");
      return !isDecided && keys?.has(index) !== true && isProductId(matches[index]);
    }),
  );
  const own = matches.map((match, index) =>
    idColumns.has(index) && holdsOtherIds(cells?.get(index)) ? OTHER_ID : match,
  );
  const nearest = resolveParents({ headers, matches: own, chosen, cells });
  const resolved = resolveLoneCurrency(resolveTradeHeaders(nearest.matches, headers));
  const parentCurrency = nearest.currency;
  return { matches: numberImageColumns(resolved, headers), platform, idColumns, parentCurrency };
}

const UNUSED: ColumnTarget = { kind: "unused" };

const OTHER_ID: HeaderMatch = { target: { kind: "other-id" }, rank: RANK.header };

const isProductId = (match: HeaderMatch | undefined): boolean =>
  match?.target.kind === "field" && match.target.field === "product_id";

/** Whether a column is filled in and no cell looks like an id of this marketplace. */
const holdsOtherIds = (cells: ColumnCells | undefined): boolean =>
  cells !== undefined && cells.filled > 0 && cells.ids === 0;

/**
 * The second product id of a result file stands right after its result, where the input had an id
 * too.
 */
const RESULT_HEADERS: ReadonlySet<string> = new Set(["Sonuç", "Result"]);
const ID_HEADERS: ReadonlySet<string> = new Set(["Ürün ID", "Product ID"]);

const RESULT_ID: HeaderMatch = { target: { kind: "own-result" }, rank: RANK.header };

/** Whether a column is the product id that a result file adds. */
function isResultId(headers: readonly string[], index: number): boolean {
  const header = headers[index] ?? "";
  const follows = ID_HEADERS.has(header) && RESULT_HEADERS.has(headers[index - 1] ?? "");
  return follows && headers.indexOf(header) < index;
}

interface ChooseColumnsOptions {
  readonly matches: readonly HeaderMatch[];
  /** Columns that an issue has ruled out already. */
  readonly refused: ReadonlySet<number>;
  readonly report: ReportHeader;
}

/** The target of every column, and the columns that are not used because of another one. */
interface ChosenColumns {
  readonly targets: readonly ColumnTarget[];
  readonly beaten: readonly BeatenColumn[];
  /** Columns that may make up a field together with others, for a person to decide. */
  readonly parts: readonly number[];
}

/**
 * Chooses one column for each field: the one with the lowest rank. Two columns of equal rank are an
 * error at the second one, and a column of higher rank is left out. Discounts of different kinds may
 * stand in several columns, and so may a stock whose columns a person has named.
 */
export function chooseColumns(options: ChooseColumnsOptions): ChosenColumns {
  const { matches, refused } = options;
  const targets: ColumnTarget[] = matches.map(({ target }, index) =>
    refused.has(index) ? { kind: "unused" } : target,
  );

  const rivals = new Map<string, number[]>();
  for (const [index, target] of targets.entries()) {
    const subject = subjectOf(target);
    if (subject === undefined) continue;
    const others = rivals.get(subject) ?? [];
    rivals.set(subject, [...others, index]);
  }
  const beaten: BeatenColumn[] = [];
  const open: number[] = [];
  for (const indexes of rivals.values()) {
    const parts = indexes.filter((index) => isPart(matches[index]));
    const isSum = parts.length > 1;
    if (isSum) open.push(...parts.filter((index) => matches[index]?.rank !== RANK.chosen));
    const losers = isSum ? indexes.filter((index) => !parts.includes(index)) : [];
    const [winner = 0] = parts;
    for (const index of losers) beaten.push({ index, winner });
    const left = isSum ? losers : chooseAmong(indexes, options, beaten);
    for (const loser of left) targets[loser] = { kind: "unused" };
  }
  for (const index of open) targets[index] = toOpen(targets[index]);
  return { targets, beaten, parts: open };
}

/** A person who names several columns of stocks wants them added up. */
const isPart = (match: HeaderMatch | undefined): boolean =>
  match?.isPart === true ||
  (match?.rank === RANK.chosen && match.target.kind === "field" && match.target.field === "stock");

const toOpen = (target: ColumnTarget | undefined): ColumnTarget =>
  target?.kind === "field" ? { kind: "unknown", suggestion: target.field } : { kind: "unknown" };

function subjectOf(target: ColumnTarget): string | undefined {
  if (target.kind === "field") return target.field;
  return target.kind === "property" ? `property:${compactFold(target.name)}` : undefined;
}

/** Records the columns that lose their field, and returns them. */
function chooseAmong(
  indexes: readonly number[],
  { matches, report }: ChooseColumnsOptions,
  beaten: BeatenColumn[],
): readonly number[] {
  const rank = (index: number): number => matches[index]?.rank ?? Number.POSITIVE_INFINITY;
  const winner = indexes.reduce((best, index) => (rank(index) < rank(best) ? index : best));
  const losers = indexes.filter(
    (index) =>
      index !== winner &&
      !isOtherDiscount(matches[index], matches[winner]) &&
      !areImages(matches[index], matches[winner]),
  );
  for (const index of losers) {
    if (rank(index) === rank(winner)) {
      const field = fieldText(matches[index]?.target);
      const [first, second] = [columnLetter(winner), columnLetter(index)];
      report("E_COLUMN_TWICE", index, { field, first, second });
    } else beaten.push({ index, winner });
  }
  return losers;
}

/** Whether a platform writes images into both columns. */
const areImages = (...pair: readonly (HeaderMatch | undefined)[]): boolean =>
  pair.every(
    (match) =>
      match?.target.kind === "field" &&
      match.target.field === "images" &&
      Math.floor(match.rank) === RANK.platform,
  );

/** Whether two columns of equal rank hold discounts of two kinds, of which a row gives one. */
function isOtherDiscount(one: HeaderMatch | undefined, other: HeaderMatch | undefined): boolean {
  const [first, second] = [one, other].map((match) =>
    match?.target.kind === "field" ? match.target.discountType : undefined,
  );
  const areKinds = first !== undefined && second !== undefined && first !== second;
  return areKinds && one?.rank === other?.rank;
}

/** Decides what each column of a sheet is for. Never throws because of the file's content. */
export function mapColumns(options: MapColumnsOptions): ColumnMapping {
  const headers = options.header.map((value) => cellText(value));
  const { stores = NO_STORES, overrides = new Map<string, string>() } = options;
  const leftOut = new Set(
    [...overrides].flatMap(([header, to]) => (to === LEAVE_OUT ? [headerKey(header)] : [])),
  );
  const open = headers.map((header) => (leftOut.has(headerKey(header)) ? "" : header));
  const { found, others } = findStoreHeaders(open, stores);
  const mapping =
    found.length === 0
      ? mapHeaders(options, { headers, shown: headers, left: new Set() }).mapping
      : mapStoreColumns({ options, headers, found, map: mapHeaders, platformOf });
  return stores.areNamed === true ? refuseUnknownStores(options, mapping, others) : mapping;
}

/** The platform of a file with these headers. */
const platformOf = (options: MapColumnsOptions, headers: readonly string[]): string =>
  options.platform ?? choosePlatform(options, headers)?.name ?? NO_PLATFORM;

function mapHeaders(
  options: MapColumnsOptions,
  { headers, shown, left }: HeaderPart,
): MappedHeaders {
  const { sheet, headerRow } = options;
  const headerReport = createHeaderReport({ sheet, headerRow, headers: shown });
  const { report, issues, warnings } = headerReport;
  const keys = readKeyRow(options.below);
  const constants = readConstants(options.constants ?? new Map(), report);
  const profile = choosePlatform(options, headers);
  const facts = findFacts(options, { headers, shown, left, keys, constants, profile, report });
  const expected = options.expected ?? [];
  const { parentCurrency } = facts;
  const { targets: final, questions } = reportColumns(facts, headerReport, expected);
  const mapped = final.map((target, index) => ({
    index,
    letter: columnLetter(index),
    header: headers[index] ?? "",
    target,
  }));
  const columns = markOptions(mapped, profile);
  const given = givenFields(columns, constants);
  const missingRequired = listMissing(given);
  const asked = listAsked(columns, questions);
  const hasProfile = profile !== undefined;
  const finalFacts = { ...facts, targets: final };
  const likely = findLikelyColumns(finalFacts, missingRequired, { asked, hasProfile });
  const isCodeAsked = [...asked.values()].includes("product_code");
  if (!given.has("product_code") && !given.has("product_id") && !isCodeAsked) {
    const found = describeMissingCode({ headers, likely, known: given.size - constants.size });
    report("E_COLUMN_MISSING.code", 0, { ...found, value: "" });
  }
  const variantHeaders = listVariantHeaders(columns, profile);
  const refusal = refuseRecordExport(options, headers);
  const mapping = {
    columns,
    constants,
    defaults: readDefaults(options.defaults ?? new Map(), constants),
    platform: profile && {
      name: profile.name,
      label: profile.label,
      isGiven: options.platform !== undefined,
    },
    variantHeaders,
    issues: refusal === undefined ? issues : [refusal],
    warnings: warnings.filter(({ column }) => !variantHeaders.has(column)),
    questions: refusal === undefined ? questions : [],
    watched: listWatched(facts),
    hasKeyRow: keys !== undefined,
    missingRequired,
    ...(parentCurrency !== undefined && { parentCurrency }),
    likely,
    alternatives: findAlternatives(columns, profile),
  };
  return { mapping, matches: facts.matches };
}

/**
 * The issue of a file that an export of comments, orders, questions or payments has written. Columns
 * about which a person has said what they hold, or that they are left out, do not show it.
 */
function refuseRecordExport(
  { sheet, headerRow, overrides }: MapColumnsOptions,
  headers: readonly string[],
): Issue | undefined {
  const answered = new Set([...(overrides?.keys() ?? [])].map((header) => headerKey(header)));
  const open = headers.map((header) => (answered.has(headerKey(header)) ? "" : header));
  const found = recogniseRecordExport({ sheet, headers: open });
  if (found === undefined) return undefined;
  const { report, issues } = createHeaderReport({ sheet, headerRow, headers });
  report("E_FILE_EXPORT", found.column, { contents: found.contents, advice: found.advice });
  return issues[0];
}

const listMissing = (given: ReadonlySet<FieldKey>): readonly FieldKey[] =>
  FIELDS.filter((field) => field.requiredForAdd && !given.has(field.key)).map(({ key }) => key);

/** The field of each column about which a question is open. */
function listAsked(
  columns: readonly Column[],
  questions: readonly ColumnQuestion[],
): ReadonlyMap<number, FieldKey> {
  const fields = new Map(questions.map(({ letter, field }) => [letter, field]));
  return new Map(
    columns.flatMap(({ index, letter }) => {
      const field = fields.get(letter);
      return field === undefined ? [] : [[index, field] as const];
    }),
  );
}

/** A file with machine keys is one of our own, whatever its headers are. */
function choosePlatform(
  { platform, below }: Pick<MapColumnsOptions, "platform" | "below">,
  headers: readonly string[],
): PlatformProfile | undefined {
  if (platform !== undefined) return findPlatform(platform);
  return readKeyRow(below) === undefined ? recognisePlatform(headers) : undefined;
}

interface FactSources extends HeaderPart {
  readonly keys: ReadonlyMap<number, HeaderMatch> | undefined;
  readonly constants: ReadonlyMap<FieldKey, string>;
  readonly profile: PlatformProfile | undefined;
  readonly report: ReportHeader;
}

/** Matches every column and chooses one for each field. */
function findFacts(
  { overrides = new Map(), unconfirmed = new Set(), cells, headerRow }: MapColumnsOptions,
  { headers, shown, left, keys, constants, profile, report }: FactSources,
): ColumnFacts & Pick<MatchedColumns, "parentCurrency"> {
  const chosen = new Map(readOverrides(overrides, headers, report));
  for (const index of left) chosen.set(index, { target: UNUSED, rank: RANK.chosen });
  const how = { headers, isNested: headerRow === 0, chosen, keys, unconfirmed, cells };
  const { matches, platform, idColumns, ...rest } = matchColumns({ ...how, platform: profile });
  const mayRepeat = (index: number): boolean =>
    (keys?.has(index) ?? false) ||
    isResultId(headers, index) ||
    isImageMatch(matches[headers.indexOf(headers[index] ?? "")]) ||
    chosen.get(index)?.target.kind === "unused";
  const refused = refuseHeaders(headers, mayRepeat, report);
  const byHand = [...chosen.keys()].filter((index) => !unconfirmed.has(headers[index] ?? ""));
  return {
    ...rest,
    headers,
    shownHeaders: shown,
    matches,
    ...chooseColumns({ matches, refused, report }),
    chosen: new Set(byHand),
    cells,
    constants,
    idColumns,
    deciding: platform?.watched ?? new Map(),
    statedCurrency: platform?.currency,
  };
}

/**
 * Refuses headers that no column may have, and repeated ones; machine keys distinguish equal
 * headers, and images may stand in several columns.
 */
function refuseHeaders(
  headers: readonly string[],
  mayRepeat: (index: number) => boolean,
  report: ReportHeader,
): ReadonlySet<number> {
  const firsts = new Map<string, number>();
  const refused = new Set<number>();
  for (const [index, header] of headers.entries()) {
    if (header === "") continue;
    const first = firsts.get(header);
    if (isReservedHeader(header)) {
      report("E_HEADER_NAME", index);
      refused.add(index);
    } else if (first !== undefined && !mayRepeat(index)) {
      const rest = { first: columnLetter(first), second: columnLetter(index) };
      report("E_HEADER_DUP", index, rest);
      refused.add(index);
    }
    if (first === undefined) firsts.set(header, index);
  }
  return refused;
}

function givenFields(
  columns: readonly Column[],
  constants: ReadonlyMap<FieldKey, string>,
): ReadonlySet<FieldKey> {
  const given = new Set<FieldKey>(constants.keys());
  for (const { target } of columns) if (target.kind === "field") given.add(target.field);
  // Any one image is enough.
  if ([...given].some((key) => key.startsWith("image"))) given.add("image_1");
  return given;
}
