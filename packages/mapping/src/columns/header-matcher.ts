/**
 * Finds the meaning of a header, exactly or with harmless additions, or suggests one; reads the row of
 * machine keys; counts known headers, by which the header row of a sheet is found.
 */

import { distance } from "fastest-levenshtein";

import {
  ADDITION_RANK,
  type ColumnTarget,
  type FieldAlias,
  type FieldDefinition,
  type FieldKey,
  FIELDS,
  type FieldTarget,
  findField,
  type HeaderMatch,
  RANK,
} from "../fields/fields.ts";
import {
  createHarmlessAdditions,
  findCurrency,
  findPriceRival,
  type HarmlessAdditions,
  isReadOnlyHeader,
  NEVER_SENT,
  OWN_RESULT,
} from "../fields/other-headers.ts";
import type { TextKey } from "../issues/codes.ts";
import { createIssue, type Issue, type IssueParams } from "../issues/issue.ts";
import { cellAddress, cellText, type CellValue } from "../source-row.ts";
import { headerKey, headerTokens, headerWords, splitHeader, trimText } from "../text-keys.ts";
import { matchNodeHeader } from "./node-headers.ts";
import { splitStoreHeader } from "./store-columns.ts";

/** Finds the meaning of a header. */
interface HeaderMatcher {
  match(header: string): HeaderMatch;
  /** As `match`, without the search for a similar header, which takes longer. */
  find(header: string): HeaderMatch | undefined;
}

const PROPERTY = /^(?:property|özellik|ozellik)\s*:\s*(\S.*)$/iu;

/** Maximum number of tokens of a header; a longer one is a sentence and is not searched. */
const MAX_TOKENS = 12;

/** Makes a matcher over all fields, their aliases and the other known headers. */
export function createHeaderMatcher(): HeaderMatcher {
  const known = new Map<string, HeaderMatch>();
  const hints = new Map<string, FieldKey>();
  for (const field of FIELDS) addField(field, known, hints);
  for (const header of NEVER_SENT) addOther(header, { kind: "never-sent" }, known);
  for (const header of OWN_RESULT) addOther(header, { kind: "own-result" }, known);
  const additionsOf = createAdditions();

  const matcher: HeaderMatcher = {
    match: (header) => matcher.find(header) ?? matchNothing(header, known),
    find(header) {
      if (isReadOnlyHeader(header)) return { target: { kind: "own-result" }, rank: RANK.header };
      const property = propertyName(header);
      if (property !== undefined) {
        return { target: { kind: "property", name: property }, rank: RANK.header };
      }
      const node = matchNodeHeader(header, (name) => matcher.find(name));
      if (node !== undefined) return node;
      const exact = known.get(headerKey(header));
      if (exact !== undefined) return { ...exact, isOwn: isOwnText(header) };
      const hint = hints.get(headerKey(header));
      if (hint !== undefined) return unknown(hint);
      return matchWithAdditions(header, known, additionsOf);
    },
  };
  return matcher;
}

/** The name in a header such as `Özellik: Renk`; `undefined` for any other header. */
export function propertyName(header: string): string | undefined {
  const name = PROPERTY.exec(trimText(header))?.[1];
  return name === undefined ? undefined : trimText(name.replace(/\*\s*$/u, ""));
}

const unknown = (suggestion: FieldKey | undefined): HeaderMatch => ({
  target: suggestion === undefined ? { kind: "unknown" } : { kind: "unknown", suggestion },
  rank: RANK.alias,
});

function addField(
  field: FieldDefinition,
  known: Map<string, HeaderMatch>,
  hints: Map<string, FieldKey>,
): void {
  const { key, header, suggestOnly } = field;
  for (const alias of field.aliases) known.set(headerKey(alias.text), matchAlias(key, alias));
  for (const text of [key, header.tr, header.en]) {
    known.set(headerKey(text), { target: { kind: "field", field: key }, rank: RANK.header });
  }
  for (const text of suggestOnly) hints.set(headerKey(text), key);
}

function matchAlias(field: FieldKey, { rank, discountType, doubt }: FieldAlias): HeaderMatch {
  const extra = discountType === undefined ? {} : { discountType };
  const target: FieldTarget = { kind: "field", field, ...extra };
  if (doubt === undefined) return { target, rank };
  // Such a header is only in doubt in a supplier's price list.
  if (doubt === "trade-list") return { target, rank, doubt: { kind: doubt, target } };
  return { ...unknown(field), rank, doubt: { kind: doubt, target } };
}

function addOther(header: string, target: ColumnTarget, known: Map<string, HeaderMatch>): void {
  known.set(headerKey(header), { target, rank: RANK.header });
}

const OWN_WORDS: ReadonlySet<string> = new Set(
  FIELDS.flatMap(({ key, header }) => [key, header.tr, header.en].map((text) => headerWords(text))),
);

/**
 * Other programs write `discountType` with numbers of their own, which differ from those of
 * `Discount Type`.
 */
function isOwnText(header: string): boolean {
  return OWN_WORDS.has(headerWords(splitHeader(header).rest)) || OWN_WORDS.has(headerWords(header));
}

type AdditionsOf = (target: FieldTarget) => HarmlessAdditions;

function createAdditions(): AdditionsOf {
  const made = new Map<string, HarmlessAdditions>();
  return ({ field, discountType }) => {
    const isRate = discountType === 2;
    const name = `${field} ${isRate}`;
    const definition = FIELDS.find(({ key }) => key === field);
    if (definition === undefined) throw new RangeError(`no field is named "${field}"`);
    const additions = made.get(name) ?? createHarmlessAdditions(definition, { isRate });
    made.set(name, additions);
    return additions;
  };
}

/**
 * Matches a known header that is surrounded by harmless words and brackets; the longest one wins.
 */
function matchWithAdditions(
  header: string,
  known: ReadonlyMap<string, HeaderMatch>,
  additionsOf: AdditionsOf,
): HeaderMatch | undefined {
  const { rest, groups } = splitHeader(header);
  const whole = known.get(headerKey(headerWords(rest)));
  // A header that no call takes stays so, whatever additions it has.
  if (whole?.target.kind === "never-sent") return whole;
  const inBrackets = groups.map((group) => headerKey(group));
  const tokens = headerTokens(rest);
  if (tokens.length > MAX_TOKENS) return undefined;
  for (const [from, to] of spansOf(tokens.length)) {
    const match = known.get(headerKey(tokens.slice(from, to).join(" ")));
    const target = match && fieldTarget(match);
    if (match === undefined || target === undefined) continue;
    const { isHarmless, isTelling } = additionsOf(target);
    const beside = [tokens.slice(0, from), tokens.slice(to)].map((part) =>
      headerKey(part.join("")),
    );
    if (!beside.every((key) => isHarmless(key, "beside"))) continue;
    if (!inBrackets.every((key) => isHarmless(key, "brackets"))) continue;
    return {
      ...match,
      rank: match.rank + ADDITION_RANK,
      isOwn: isOwnText(tokens.slice(from, to).join(" ")),
      isTelling: [...beside, ...inBrackets].some((key) => key !== "" && isTelling(key)),
    };
  }
  return undefined;
}

/** The field that the header means, or would mean if a person confirms it. */
function fieldTarget({ target, doubt }: HeaderMatch): FieldTarget | undefined {
  if (target.kind === "field") return target;
  return doubt?.target;
}

/** Every run of words at the beginning or the end of the header, the longest first. */
function spansOf(count: number): readonly (readonly [from: number, to: number])[] {
  const spans: (readonly [number, number])[] = [];
  for (let length = count; length > 0; length -= 1) {
    for (let from = 0; from + length <= count; from += 1) spans.push([from, from + length]);
  }
  return spans;
}

function matchNothing(header: string, known: ReadonlyMap<string, HeaderMatch>): HeaderMatch {
  const rival = findPriceRival(header);
  if (rival !== undefined)
    return { ...unknown(undefined), doubt: { kind: "rival", target: rival } };
  const fields = new Map<string, FieldKey>();
  for (const [key, match] of known) {
    const target = fieldTarget(match);
    if (target !== undefined) fields.set(key, target.field);
  }
  const { field, isVariant } = suggestField(header, fields);
  return { ...unknown(field), isVariant };
}

/** The field that an unknown header may mean. It is never used, only suggested to a person. */
interface SuggestedField {
  readonly field: FieldKey | undefined;
  /** Whether the header is that of the field with an addition, such as `Fiyat (USD)`. */
  readonly isVariant: boolean;
}

/** Shorter headers are not compared by distance, because any two of them are close. */
const MIN_LETTERS_FOR_DISTANCE = 4;

/** One typing error is allowed for each this many letters, and at least one. */
const LETTERS_PER_SLIP = 5;

/** A header with one of these words holds something other than the field. */
const TELLING_WORDS = /haric|indirim|eski|alis|maliyet|excl|without|discount|cost|purchase/u;

/**
 * Finds the field whose header is contained in an unknown one, or is within a few typing errors of
 * it. `fields` is by header key.
 */
function suggestField(header: string, fields: ReadonlyMap<string, FieldKey>): SuggestedField {
  const variant = findVariant(header, fields);
  const isTelling = TELLING_WORDS.test(headerKey(header));
  if (variant !== undefined) {
    return { field: isTelling ? undefined : variant, isVariant: !isTelling };
  }
  const close = isTelling ? undefined : findClose(headerKey(header), fields);
  return { field: close, isVariant: false };
}

/** Finds the field of the header without brackets, signs, currencies and separated additions. */
function findVariant(header: string, fields: ReadonlyMap<string, FieldKey>): FieldKey | undefined {
  const { rest } = splitHeader(header);
  const tokens = headerTokens(rest);
  const words = tokens.filter((token) => /[\p{L}\p{N}]/u.test(token) && !findCurrency(token));
  const parts = rest.split(/\s[-–—/:|,]\s?|[:/|,–—]|(?<=\S)-(?=\S)/u);
  for (const text of [rest, words.join(" "), headerWords(words.join(" ")), ...parts]) {
    const field = fields.get(headerKey(text));
    if (field !== undefined) return field;
  }
  return undefined;
}

function findClose(key: string, fields: ReadonlyMap<string, FieldKey>): FieldKey | undefined {
  if (key.length < MIN_LETTERS_FOR_DISTANCE) return undefined;
  let best: { readonly field: FieldKey; readonly slips: number } | undefined;
  let allowed = Math.max(1, Math.floor(key.length / LETTERS_PER_SLIP));
  for (const [other, field] of fields) {
    if (other.length < MIN_LETTERS_FOR_DISTANCE) continue;
    if (Math.abs(other.length - key.length) > allowed) continue;
    // `Görsel 9` is not a typing error of `Görsel 8`.
    if (digitsOf(other) !== digitsOf(key)) continue;
    const slips = distance(key, other);
    if (slips > allowed) continue;
    best = { field, slips };
    allowed = slips - 1;
  }
  return best?.field;
}

const digitsOf = (key: string): string => key.replaceAll(/\D/gu, "");

/**
 * Reports an issue about one header cell; index -1 stands for a column that the file does not have.
 */
export type ReportHeader = (text: TextKey, index: number, params?: IssueParams) => Issue;

/** The issues and warnings about the header of one sheet. */
export interface HeaderReport {
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
  readonly report: ReportHeader;
}

interface HeaderReportOptions {
  readonly sheet: string;
  readonly headerRow: number;
  readonly headers: readonly string[];
}

/**
 * Collects issues and warnings separately. A parameter `value` replaces the header as the issue's
 * value.
 */
export function createHeaderReport(options: HeaderReportOptions): HeaderReport {
  const { sheet, headerRow, headers } = options;
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  return {
    issues,
    warnings,
    report(text, index, params) {
      // A missing column has no header, so the issue is located at the first cell of the row.
      const column = text === "E_COLUMN_MISSING.code" ? "" : (headers[index] ?? "");
      const cell = index < 0 ? "" : cellAddress(index, headerRow);
      const given = params?.["value"];
      const value = typeof given === "string" ? given : column;
      const location = { sheet, row: headerRow, column, cell, value };
      const issue = createIssue({ text, params }, location);
      (text.startsWith("W_") ? warnings : issues).push(issue);
      return issue;
    },
  };
}

const READ_ONLY: ReadonlySet<string> = new Set(NEVER_SENT);

/** Finds the meaning of a machine key, compared letter for letter, since programs write it. */
export function matchKey(key: string): HeaderMatch | undefined {
  const field = findField(key);
  if (field !== undefined) {
    return { target: { kind: "field", field: field.key }, rank: RANK.header, isOwn: true };
  }
  const name = key.startsWith("property:") ? propertyName(key) : undefined;
  if (name !== undefined) return { target: { kind: "property", name }, rank: RANK.header };
  return READ_ONLY.has(key) ? { target: { kind: "never-sent" }, rank: RANK.header } : undefined;
}

/**
 * Reads the row of machine keys that template workbooks have below the header, by column;
 * `undefined` when the row is data. One cell that is no key makes it data.
 */
export function readKeyRow(
  below: readonly CellValue[] | undefined,
): ReadonlyMap<number, HeaderMatch> | undefined {
  const keys = new Map<number, HeaderMatch>();
  let hasField = false;
  for (const [index, value] of (below ?? []).entries()) {
    const text = cellText(value);
    if (text === "") continue;
    const match = matchKey(text);
    if (match === undefined) return undefined;
    hasField ||= match.target.kind === "field";
    keys.set(index, match);
  }
  return hasField ? keys : undefined;
}

/** Number of known headers among the cells of a row. */
export type KnownHeaderCount = (cells: readonly CellValue[]) => number;

/**
 * Creates the count. `named` are headers for which a person has named a field. The row of machine
 * keys below our own headers counts none.
 */
export function createKnownHeaderCount(named: Iterable<string> = []): KnownHeaderCount {
  const matcher = createHeaderMatcher();
  const headers = new Set([...named].map((header) => headerKey(header)));
  const isNamed = (text: string): boolean =>
    headers.has(headerKey(text)) || isUseful(matcher.find(text));
  const isKnown = (text: string): boolean => {
    if (text.length > MAX_CHARS) return false;
    const ofStore = splitStoreHeader(text)?.base;
    return isNamed(text) || (ofStore !== undefined && isNamed(ofStore));
  };
  return (cells) => {
    if (readKeyRow(cells) !== undefined) return 0;
    const texts = cells.filter((cell) => typeof cell === "string").map((cell) => cellText(cell));
    return new Set(texts.filter((text) => text !== "" && isKnown(text))).size;
  };
}

/** Maximum length of a header; longer texts are descriptions. */
const MAX_CHARS = 100;

/** A column that only a guess or a question leads to does not count. */
const isUseful = (match: HeaderMatch | undefined): boolean =>
  match !== undefined && match.target.kind !== "unknown";
