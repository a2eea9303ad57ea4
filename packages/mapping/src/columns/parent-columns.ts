/**
 * Columns with the values of a record's parents, such as those of a product whose variants are the
 * records, beside the record's own columns for the same fields.
 */

import type { FieldKey, FieldTarget, HeaderMatch } from "../fields/fields.ts";
import { withoutParents } from "../text-keys.ts";
import type { ColumnCells } from "./column-cells.ts";

/** The columns of a sheet before each field has its column. */
interface MatchedHeaders {
  readonly headers: readonly string[];
  readonly matches: readonly HeaderMatch[];
  /** Columns whose target was chosen by hand, or is remembered. */
  readonly chosen: ReadonlyMap<number, unknown>;
  readonly cells: ReadonlyMap<number, ColumnCells> | undefined;
}

/** Fields that say how much less than the price is paid. */
const REDUCTIONS: ReadonlySet<FieldKey> = new Set([
  "list_price",
  "discount_type",
  "discount_value",
]);

interface ResolvedParents {
  readonly matches: readonly HeaderMatch[];
  /** The column with the currency of prices whose own currency is empty. */
  readonly currency: number | undefined;
}

/**
 * Uses a record's own column where a parent has the same field: the parent's value is that of the
 * whole product. Images of both are shown. Whether a reduction of the parent holds for the price of
 * the record, a person decides.
 */
export function resolveParents(sheet: MatchedHeaders): ResolvedParents {
  const { headers, matches, chosen } = sheet;
  if (!headers.some((header) => withoutParents(header) !== undefined))
    return { matches, currency: undefined };
  const own = listOwn(sheet);
  let currency: number | undefined;
  const resolved = matches.map((match, index): HeaderMatch => {
    const header = headers[index] ?? "";
    const target = meantBy(match);
    if (withoutParents(header) === undefined || target === undefined || chosen.has(index))
      return match;
    const hasTwin = own.some((each) => each.rank <= match.rank && isSame(each.target, target));
    if (!hasTwin) return standAlone({ match, header, target, own });
    if (target.field === "currency") currency = index;
    const isImage = target.field.startsWith("image");
    return { target: isImage ? IMAGES : { kind: "unused" }, rank: match.rank };
  });
  return { matches: resolved, currency };
}

const IMAGES: FieldTarget = { kind: "field", field: "images" };

/** A column of the record itself, and what it means. */
interface OwnColumn {
  readonly target: FieldTarget;
  readonly rank: number;
}

function listOwn({ headers, matches, cells }: MatchedHeaders): readonly OwnColumn[] {
  return matches.flatMap((match, index) => {
    const isEmpty = cells?.get(index)?.filled === 0;
    const target = meantBy(match);
    const isOwn = withoutParents(headers[index] ?? "") === undefined;
    return isOwn && !isEmpty && target !== undefined ? [{ target, rank: match.rank }] : [];
  });
}

const isSame = (one: FieldTarget, other: FieldTarget): boolean =>
  one.field === other.field && one.discountType === other.discountType;

interface LoneColumn {
  readonly match: HeaderMatch;
  readonly header: string;
  readonly target: FieldTarget;
  readonly own: readonly OwnColumn[];
}

/**
 * A column of a parent whose field the record itself does not have. A stock may be that of all
 * records together, which each of them would have then.
 */
function standAlone({ match, header, target, own }: LoneColumn): HeaderMatch {
  const hasOwnPrice = own.some((each) => each.target.field === "price");
  const isAsked = target.field === "stock" || (hasOwnPrice && REDUCTIONS.has(target.field));
  if (!isAsked) {
    const levels = header.split("../").length - 1;
    return { ...match, rank: match.rank + levels * LEVEL_RANK };
  }
  const unknown = { kind: "unknown", suggestion: target.field } as const;
  return { target: unknown, rank: match.rank, doubt: { kind: "uncertain", target } };
}

/** Added for each level above the record: the nearest one is used. */
const LEVEL_RANK = 0.001;

const meantBy = ({ target, doubt }: HeaderMatch): FieldTarget | undefined =>
  target.kind === "field" ? target : doubt?.target;
