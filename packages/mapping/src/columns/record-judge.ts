/** What the names in a node of XML or JSON say: whether it is the record of a product or a variant. */

import { findNamedField, type HeaderMatch } from "../fields/fields.ts";
import { PLATFORMS } from "../platforms/platform-matcher.ts";
import { createHeaderTable, type PlatformProfile } from "../platforms/platform.ts";
import { headerKey } from "../text-keys.ts";
import { createHeaderMatcher } from "./header-matcher.ts";
import { isVariantPath } from "./node-headers.ts";

/** What the names of a record's values say. */
interface RecordSigns {
  /** Number of known names. */
  readonly known: number;
  /** The index of the product code; -1 for none. */
  readonly code: number;
  /** Whether there is a price or a stock. */
  readonly hasOffer: boolean;
  readonly isVariant: boolean;
  /** Whether a known program writes its products or variants so. */
  readonly isRecord: boolean;
  /** What each name means; equal texts mean the same. */
  readonly meanings: readonly (string | undefined)[];
}

/** The records of one platform. */
interface KnownRecords {
  readonly ends: readonly (readonly string[])[];
  /** Names that few other programs write. */
  isMark(name: string): boolean;
  /** The meaning of its names; `null` for those that no call takes. */
  find(name: string): string | null | undefined;
}

/** Fewer marks are a coincidence, as in a sheet. */
const MIN_MARKS = 3;

/** No header is longer; longer texts are descriptions. */
const MAX_CHARS = 100;

/**
 * Creates the judge of the records of XML and JSON: which of their values are known, and whether
 * they have a code and a price or stock. `named` are headers for which a person has named a field.
 */
export function createRecordJudge(named: ReadonlyMap<string, string> = new Map()): RecordJudge {
  // Most files have no records.
  let judge: RecordJudge | undefined;
  return (path, headers) => {
    judge ??= buildJudge(named);
    return judge(path, headers);
  };
}

type RecordJudge = (path: readonly string[], headers: readonly string[]) => RecordSigns;

function buildJudge(named: ReadonlyMap<string, string>): RecordJudge {
  const matcher = createHeaderMatcher();
  const given = new Map(
    [...named].map(([header, field]) => [headerKey(header), findNamedField(field)?.key ?? field]),
  );
  const records = PLATFORMS.flatMap((profile) => toRecords(profile));
  const findMeaning = (header: string): string | undefined =>
    given.get(headerKey(header)) ??
    (header.length <= MAX_CHARS ? meaningOf(matcher.find(header)) : undefined);
  return (path, headers) => {
    const record = findRecord(records, path, headers);
    const meanings = headers.map((header) => {
      const meaning = given.has(headerKey(header)) ? undefined : record?.find(header);
      return meaning === null ? undefined : (meaning ?? findMeaning(header));
    });
    const code = meanings.indexOf("product_code");
    const isInner = record !== undefined && record.ends.findIndex((end) => endsWith(path, end)) > 0;
    // The path of variants is not that of other programs, whatever their names are.
    const marks = headers.filter((header) => record?.isMark(header));
    return {
      known: new Set(meanings.filter((meaning) => meaning !== undefined)).size,
      code: code === -1 ? meanings.indexOf("product_id") : code,
      hasOffer: meanings.some((meaning) => meaning === "price" || meaning === "stock"),
      isVariant: isInner || isVariantPath(path),
      isRecord: record !== undefined && (isInner || marks.length >= MIN_MARKS),
      meanings,
    };
  };
}

function meaningOf(match: HeaderMatch | undefined): string | undefined {
  const target = match?.target.kind === "field" ? match.target : match?.doubt?.target;
  return target && `${target.field}${target.discountType ?? ""}`;
}

function toRecords({ nested, ...profile }: PlatformProfile): readonly KnownRecords[] {
  if (nested === undefined) return [];
  const lists = [nested.unsure, profile.fields, profile.unsure];
  const fields = lists.flatMap((list) => Object.entries(list ?? {}));
  const table = createHeaderTable<string | null>([
    ...fields.flatMap(([field, headers]) => headers.map((header) => [header, field] as const)),
    ...[...profile.ids, ...profile.notSent].map((header) => [header, null] as const),
  ]);
  const ends = nested.records.map((record) => record.split(/[/]/u));
  const marks = createHeaderTable(profile.marks.map((mark) => [mark, true]));
  return [{ ends, isMark: (name) => marks.find(name) === true, find: (name) => table.find(name) }];
}

/** With fewer of its names a record is not that of a platform. */
const MIN_NAMES = 2;

/** Of several platforms with such a path that whose names the record has. */
function findRecord(
  records: readonly KnownRecords[],
  path: readonly string[],
  headers: readonly string[],
): KnownRecords | undefined {
  let best: KnownRecords | undefined;
  let most = MIN_NAMES - 1;
  for (const record of records.filter(({ ends }) => ends.some((end) => endsWith(path, end)))) {
    const count = headers.filter((header) => record.find(header) !== undefined).length;
    if (count <= most) continue;
    best = record;
    most = count;
  }
  return best;
}

const endsWith = (path: readonly string[], end: readonly string[]): boolean =>
  end.every((name, index) => path[path.length - end.length + index] === name);
