/** New texts of cells: a text in place of another one, and texts made from a template. */

import { InputError } from "@catalog/i18n";
import {
  type ColumnMapping,
  findField,
  fold,
  formatReadOnlyHeader,
  headerKey,
} from "@catalog/mapping";

import type { BulkChange } from "./draft-views.ts";

type Replacing = Pick<Extract<BulkChange, { kind: "replace" }>, "find" | "replace" | "isWholeCell">;

/** Creates the replacement in one text; its time grows with the length of the text. */
export function createTextReplacement({
  find,
  replace,
  isWholeCell = false,
}: Replacing): (text: string) => string {
  const signs = createSigns();
  const wanted = signs(find).folded;
  return (text) => {
    const { folded, starts } = signs(text);
    if (wanted === "") return text;
    if (isWholeCell) return folded === wanted ? replace : text;
    let result = "";
    let done = 0;
    for (let at = folded.indexOf(wanted); at !== -1;) {
      const [start, end] = [starts[at] ?? 0, starts[at + wanted.length] ?? text.length];
      result += text.slice(done, start) + replace;
      done = end;
      at = folded.indexOf(wanted, at + wanted.length);
    }
    return done === 0 ? text : result + text.slice(done);
  };
}

interface FoldedText {
  readonly folded: string;
  /** Where the sign of each place in the folded text begins in the text. */
  readonly starts: readonly number[];
}

/** A space finds every space of a line, but no line break: replacing it would glue lines together. */
const foldOne = (sign: string): string => {
  if (/[\n\r\v\f\u0085\u2028\u2029]/u.test(sign)) return sign;
  return /\s/u.test(sign) ? " " : fold(sign);
};

/** Folds sign by sign, so that places in the text are known; signs that are no letters stay. */
function createSigns(): (text: string) => FoldedText {
  const known = new Map<string, string>();
  const foldSign = (sign: string): string => {
    const found = known.get(sign) ?? foldOne(sign);
    known.set(sign, found);
    return found;
  };
  return (text) => {
    const starts: number[] = [];
    let folded = "";
    let at = 0;
    for (const sign of text) {
      const one = foldSign(sign);
      for (let index = 0; index < one.length; index += 1) starts.push(at);
      folded += one;
      at += sign.length;
    }
    return { folded, starts: [...starts, text.length] };
  };
}

/** A field that a product has as an id and as a name. */
type NamedField = "brand" | "category";

/** The place of a column, of a field that is shown by its name, or of both. */
interface Place {
  readonly column: number | undefined;
  readonly named: NamedField | undefined;
}

/** A part of a template: a text, or a place. */
type Part = string | Place;

const PLACEHOLDER = /\{([^{}]*)\}/gu;

/**
 * Reads a template. Names of brand and category need no column where the rows were made of products
 * of the store. Throws `InputError` for a placeholder that names no column, and for a template without
 * one.
 */
export function parseTemplate(
  template: string,
  { columns }: Pick<ColumnMapping, "columns">,
  { isOfStore = false }: { readonly isOfStore?: boolean } = {},
): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { 0: whole, 1: name = "", index } of template.matchAll(PLACEHOLDER)) {
    const column = findColumn(name.trim(), columns);
    const named = isOfStore ? findNamed(name.trim(), columns[column ?? -1]) : undefined;
    if (column === undefined && named === undefined) {
      throw new InputError({
        tr: `Bu dosyada {${name}} diye bir sütun yok.`,
        en: `This file has no column {${name}}.`,
      });
    }
    parts.push(template.slice(at, index), { column, named });
    at = index + whole.length;
  }
  if (parts.length === 0) {
    throw new InputError({
      tr: "Şablonda en az bir sütun olmalı, örneğin {Marka}.",
      en: "A template needs at least one column, such as {Brand}.",
    });
  }
  return [...parts, template.slice(at)];
}

type Columns = ColumnMapping["columns"];

const NAMED_FIELDS: readonly NamedField[] = ["brand", "category"];

/** The field that a placeholder means, by its key, by what it is called, or by its column. */
function findNamed(name: string, column: Columns[number] | undefined): NamedField | undefined {
  const key = headerKey(name);
  return NAMED_FIELDS.find((field) => {
    const { tr = "", en = "" } = findField(field)?.header ?? {};
    const isMeant = column?.target.kind === "field" && column.target.field === field;
    return isMeant || [field, tr, en].some((text) => headerKey(text) === key);
  });
}

const ID = /^[0-9a-f]{24}$/iu;

/** A product as the store shows it. */
export type NamedProduct = Readonly<
  Partial<Record<`${NamedField}_id` | `${NamedField}_name`, string | null | undefined>>
>;

/** The name that a cell means: its text, or what the store calls the id in it; never an id. */
export function toListedName(text: string, field: NamedField, product: NamedProduct): string {
  if (text !== "" && !ID.test(text)) return text;
  const isListed = text === "" || text === product[`${field}_id`];
  return isListed ? (product[`${field}_name`] ?? "") : "";
}

const OPTION = /^option(\d{1,2})$/u;

/**
 * The column of a placeholder: by its header, by what a field is called, by the key of a field, or the
 * option of a variant by its number. A name before an id: exports have brands as both.
 */
function findColumn(name: string, columns: Columns): number | undefined {
  const key = headerKey(name);
  if (key === "") return undefined;
  const byHeader = (text: string): number | undefined =>
    columns.find(({ header }) => namesOf(text).has(headerKey(header)))?.index;
  const field = findField(name) ?? findField(name.toLowerCase());
  const option = OPTION.exec(name.toLowerCase())?.[1];
  return (
    byHeader(name) ??
    (field === undefined ? undefined : (byHeader(field.header.tr) ?? byHeader(field.header.en))) ??
    columns.find(({ target }) => target.kind === "field" && target.field === field?.key)?.index ??
    (option === undefined ? undefined : findOption(Number(option), columns))
  );
}

/** A header as it stands, and as an export writes one that is only for reading. */
const namesOf = (text: string): ReadonlySet<string> =>
  new Set(
    [text, formatReadOnlyHeader(text, "tr"), formatReadOnlyHeader(text, "en")].map(headerKey),
  );

function findOption(number: number, columns: Columns): number | undefined {
  const options = columns.flatMap(({ index, target }) =>
    target.kind === "unknown" && target.option !== undefined
      ? [{ index, place: target.option }]
      : [],
  );
  const properties = columns.filter(({ target }) => target.kind === "property");
  const sorted = options.toSorted((a, b) => a.place - b.place);
  return (sorted.length > 0 ? sorted : properties)[number - 1]?.index;
}

/**
 * Fills a template in. An empty column takes the space before it away, so that no two spaces meet;
 * `undefined` where all of them are empty.
 */
export function fillTemplate(
  parts: readonly Part[],
  textOf: (place: Place) => string,
): string | undefined {
  let text = "";
  let isEmpty = true;
  let isAfterNone = false;
  for (const part of parts) {
    const piece = typeof part === "string" ? part : textOf(part).trim();
    if (typeof part !== "string" && piece !== "") isEmpty = false;
    const isJoined = isAfterNone && (text === "" || text.endsWith(" "));
    text += isJoined ? piece.replace(/^ +/u, "") : piece;
    isAfterNone = piece === "" && (typeof part !== "string" || isAfterNone);
  }
  return isEmpty ? undefined : text.trim();
}
