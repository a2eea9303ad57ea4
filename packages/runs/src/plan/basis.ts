/**
 * Plans a row three-way: a row that was made of a product, its basis, wants only what its person has
 * changed since, and does not overwrite what somebody else has changed since.
 */

import type { ProductChanges, ProductId, StoreProduct } from "../ports/product.ts";
import type { ChangedField, RowBasis, RowDecision } from "../row/row-record.ts";
import { judgeRecheck, pickOwn, type RecheckFinding } from "../send/judge-recheck.ts";
import { compareFields, DISCOUNT_FIELDS, readShown } from "./compare.ts";
import { KNOWN_UNITS, type PriceUnit } from "./price-unit.ts";

interface EditedFields {
  readonly basis: RowBasis;
  /** What the row asks for, with what it leaves of the basis in fields that are sent as a whole. */
  readonly wanted: ProductChanges;
  readonly categoryName: string | undefined;
}

/** Returns the fields of a row that differ from its basis; of a discount all or none. */
export function pickEdited(changes: ProductChanges, edited: EditedFields): ProductChanges {
  const fields = findEdited(edited);
  return Object.fromEntries(Object.entries(changes).filter(([field]) => fields.has(field)));
}

function findEdited({ basis, wanted, categoryName }: EditedFields): ReadonlySet<string> {
  const { product: seen, priceUnit, fields, sent = {}, untouched = [] } = basis;
  if (fields !== undefined) return new Set(fields);
  const { changes, notComparable } = compareFields({ wanted, seen, priceUnit, categoryName });
  const edited = [...changes.map(({ field }) => field), ...notComparable];
  const kept: ReadonlySet<string> = new Set(untouched);
  // A cell that was sent before and has its first value again is an edit as well.
  return new Set([...edited.filter((field) => !kept.has(field)), ...Object.keys(sent)]);
}

interface BasisInput extends Pick<RowDecision, "payload" | "changes"> {
  readonly basis: RowBasis;
  /** The listed product; absent where the store does not show it. */
  readonly now: StoreProduct | undefined;
  readonly priceUnit: PriceUnit;
}

/** Judges an update as the recheck before sending does, with the basis in place of the plan. */
export function judgeBasis({ basis, now, priceUnit, ...record }: BasisInput): RecheckFinding {
  const planned = now === undefined ? basis.product : withOwnValues(basis, now, priceUnit);
  return judgeRecheck({ record, planned, now, priceUnit, wasSent: false });
}

/** What the row itself has sent since is no change of somebody else. */
function withOwnValues(
  { product, sent }: RowBasis,
  now: StoreProduct,
  priceUnit: PriceUnit,
): StoreProduct {
  if (sent === undefined) return product;
  const units = priceUnit === "unknown" ? KNOWN_UNITS : [priceUnit];
  const own = units.flatMap((unit) => {
    const shown = readShown(sent, { seen: now, priceUnit: unit });
    const others = new Set(shown.filter(({ isSame }) => !isSame).map(({ field }) => field));
    if (DISCOUNT_FIELDS.some((field) => others.has(field))) {
      for (const field of DISCOUNT_FIELDS) others.add(field);
    }
    return shown.map(({ field }) => field).filter((field) => !others.has(field));
  });
  return { ...product, ...pickOwn(now, own) };
}

/** The basis of a row for its product; none where its person has named another product. */
export const basisFor = (basis: RowBasis | undefined, productId: ProductId): RowBasis | undefined =>
  basis?.product.id === productId ? basis : undefined;

/** The fields that somebody else has changed; none where nothing was. */
export const overtakenFields = (finding: RecheckFinding): readonly ChangedField[] =>
  finding.kind === "overtaken" ? finding.fields : [];
