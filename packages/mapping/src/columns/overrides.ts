/** A person's decisions about columns, which beat the headers, and values for rows without one of their
 * own. */

import type { Localized } from "@catalog/i18n";
import { distance } from "fastest-levenshtein";

import {
  type FieldKey,
  FIELDS,
  findNamedField,
  getField,
  type HeaderMatch,
  LEAVE_OUT,
  RANK,
} from "../fields/fields.ts";
import { createIssue, type Reading } from "../issues/issue.ts";
import { isPlaceholder } from "../source-row.ts";
import { headerKey } from "../text-keys.ts";
import { createValueReaders } from "../values/value-readers.ts";
import { matchKey, type ReportHeader } from "./header-matcher.ts";

/**
 * What is wrong with a default value, as far as it can be known without the marketplace's lists;
 * `undefined` for a value that may be right.
 */
export function findDefaultProblem(field: FieldKey, text: string): Localized | undefined {
  const reading = readKeyword(field, text);
  if (reading === undefined || reading.ok) return undefined;
  const { header } = getField(field);
  const location = { sheet: "", row: 0, column: header.tr, cell: "", value: text };
  const { message, suggestion } = createIssue(reading.problem, location);
  return {
    tr: [message.tr, suggestion?.tr].filter((part) => part !== undefined).join(" "),
    en: [message.en, suggestion?.en].filter((part) => part !== undefined).join(" "),
  };
}

function readKeyword(field: FieldKey, text: string): Reading<unknown> | undefined {
  const { warrantyType, warrantyPeriod, condition } = createValueReaders();
  if (field === "warranty_type") return warrantyType.read(text);
  if (field === "warranty_period") return warrantyPeriod.read(text);
  return field === "condition" ? condition.read(text) : undefined;
}

/** The defaults that apply to a file: a value for all its rows comes first. */
export function readDefaults(
  defaults: ReadonlyMap<string, string>,
  constants: ReadonlyMap<FieldKey, string>,
): ReadonlyMap<FieldKey, string> {
  const known = new Map<FieldKey, string>();
  for (const [name, value] of defaults) {
    const field = findNamedField(name);
    if (field?.takesDefault === true && !constants.has(field.key)) known.set(field.key, value);
  }
  return known;
}

/** Columns whose target was chosen by hand, by index. */
export function readOverrides(
  overrides: ReadonlyMap<string, string>,
  headers: readonly string[],
  report: ReportHeader,
): ReadonlyMap<number, HeaderMatch> {
  const chosen = new Map<number, HeaderMatch>();
  for (const [header, override] of overrides) {
    const indexes = findHeader(headers, header);
    const [first] = indexes;
    const match = readOverride(override);
    if (first === undefined) report("W_MAP_HEADER", -1, { value: header });
    else if (match === undefined)
      reportField(report, "E_MAP_FIELD", { index: first, field: override });
    else for (const index of indexes) chosen.set(index, match);
  }
  return chosen;
}

/** Every column with exactly this header, or else the first one with an equal key. */
function findHeader(headers: readonly string[], header: string): readonly number[] {
  const exact = headers.flatMap((other, index) => (other === header ? [index] : []));
  if (exact.length > 0) return exact;
  const key = headerKey(header);
  const index = headers.findIndex((other) => headerKey(other) === key);
  return index < 0 ? [] : [index];
}

/** Values that hold for all rows, by field. */
export function readConstants(
  constants: ReadonlyMap<string, string>,
  report: ReportHeader,
): ReadonlyMap<FieldKey, string> {
  const known = new Map<FieldKey, string>();
  for (const [key, value] of constants) {
    const field = findNamedField(key);
    if (field === undefined) {
      reportField(report, "E_SET_FIELD", { index: -1, field: key });
      continue;
    }
    const first = known.get(field.key);
    if (isPlaceholder(value)) report("E_SET_PLACEHOLDER", -1, { field: field.header, value });
    else if (first === undefined) known.set(field.key, value);
    else if (first !== value) report("E_SET_TWICE", -1, { field: field.header, first, value });
  }
  return known;
}

/**
 * Keeps what a header states when a person chooses the field of its column: the kind of a discount,
 * and that other columns of its kind may belong to the field.
 */
export function keepStated(matched: HeaderMatch, read: HeaderMatch): HeaderMatch {
  const { target } = matched;
  const stated = read.doubt?.target ?? read.target;
  if (target.kind !== "field" || stated.kind !== "field") return matched;
  return target.field === stated.field
    ? { ...matched, target: stated, isPart: read.isPart }
    : matched;
}

/** Restores the doubt about a header where the remembered decision was not a person's. */
export function restoreDoubts(matched: HeaderMatch, read: HeaderMatch): HeaderMatch {
  const { target } = matched;
  if (target.kind !== "field") return matched;
  if (read.doubt !== undefined) return read;
  if (read.isVariant !== true) return { ...matched, isOwn: read.isOwn, isPart: read.isPart };
  const unknown = { kind: "unknown", suggestion: target.field } as const;
  return { target: unknown, rank: RANK.alias, doubt: { kind: "uncertain", target } };
}

/** What a person calls the column of costs, which no call takes. */
const COST_NAMES: ReadonlySet<string> = new Set(["cost", "maliyet"].map((name) => headerKey(name)));

/** An option of variants, which stands in their titles, with its place or without. */
const OPTION = /^(?:option|secenek)(?<place>[1-9]?)$/u;

function readOverride(override: string): HeaderMatch | undefined {
  if (override === LEAVE_OUT) return { target: { kind: "unused" }, rank: RANK.chosen };
  if (COST_NAMES.has(headerKey(override))) {
    return { target: { kind: "never-sent", holds: "cost" }, rank: RANK.chosen, isOwn: true };
  }
  const option = OPTION.exec(headerKey(override));
  if (option !== null) {
    const place = Number(option.groups?.["place"] ?? 0);
    return { target: { kind: "unknown", option: place }, rank: RANK.chosen, isOwn: true };
  }
  const match = matchKey(findNamedField(override)?.key ?? override);
  return match === undefined ? undefined : { ...match, rank: RANK.chosen, isOwn: true };
}

const namesOf = (lang: "tr" | "en"): string => FIELDS.map(({ header }) => header[lang]).join(", ");

/** Every name that a field can be called by, in the order of the templates. */
const NAMES: Localized = { tr: namesOf("tr"), en: namesOf("en") };

/** What a column can be besides. */
const COLUMN_NAMES: Localized = {
  tr: `${NAMES.tr}, Maliyet (gönderilmez, zararına satış denetimi için), Seçenek 1 (varyantın başlığında)`,
  en: `${NAMES.en}, Cost (not sent, for the check for prices below cost), Option 1 (in the title of a variant)`,
};

function reportField(
  report: ReportHeader,
  code: "E_MAP_FIELD" | "E_SET_FIELD",
  { index, field }: { readonly index: number; readonly field: string },
): void {
  const closest = findClosest(field);
  const names = code === "E_MAP_FIELD" ? COLUMN_NAMES : NAMES;
  if (closest === undefined) report(`${code}.unlike`, index, { field, names });
  else report(code, index, { field, closest, names });
}

/** Of a name that is meant, at most one letter in this many is wrong. */
const LETTERS_PER_SLIP = 3;

/** The field whose name needs the fewest corrections; `undefined` where all need too many. */
function findClosest(name: string): Localized | undefined {
  const wanted = headerKey(name);
  const compared = FIELDS.flatMap(({ key, header }) =>
    [key, header.tr, header.en].map((each) => ({ header, own: headerKey(each) })),
  );
  const near = compared
    .map(({ header, own }) => ({ header, own, slips: distance(wanted, own) }))
    .filter(
      ({ own, slips }) =>
        own.startsWith(wanted) ||
        wanted.startsWith(own) ||
        slips * LETTERS_PER_SLIP <= Math.max(own.length, wanted.length),
    );
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.header;
}
