import type { FieldChange } from "../row/row-decision.ts";
import { AMOUNT_FIELDS, DISCOUNT_FIELDS } from "./compare.ts";

/** The fields of a discount are sent or left out together. */
const DISCOUNT: readonly string[] = DISCOUNT_FIELDS;
/** An amount would be taken in the currency that the product has. */
const IN_CURRENCY: readonly string[] = [...AMOUNT_FIELDS, ...DISCOUNT_FIELDS];

const NO_FIELDS: ReadonlySet<string> = new Set();

/** Changes that are sent, and the names of fields that are not. */
export interface SendableChanges {
  readonly changes: readonly FieldChange[];
  readonly unsent: readonly string[];
}

/**
 * Leaves out the fields that the store ignores, because sending them would waste a call, and those
 * that must not be sent without them.
 */
export function withoutRefused(
  changes: readonly FieldChange[],
  refused: ReadonlySet<string> = NO_FIELDS,
): SendableChanges {
  if (refused.size === 0 || changes.length === 0) return { changes, unsent: [] };
  const left = new Set(refused);
  const keepsCurrency = refused.has("currency") && changes.some(isCurrency);
  if (keepsCurrency) for (const field of IN_CURRENCY) left.add(field);
  if (DISCOUNT.some((field) => left.has(field))) for (const field of DISCOUNT) left.add(field);
  return {
    changes: changes.filter(({ field }) => !left.has(field)),
    unsent: changes.filter(({ field }) => left.has(field)).map(({ field }) => field),
  };
}

const isCurrency = ({ field }: FieldChange): boolean => field === "currency";
