/**
 * What is known of each field of a write: whether the API says that it takes it, and whether a
 * marketplace was seen to take it. Planning and reports name it, so that nobody counts on a field
 * that is only assumed.
 */

import { type WriteAction } from "./counts.ts";

/**
 * - `documented`: the specification of the call lists the field.
 * - `assumed`: it does not, and the field is sent all the same.
 * - `proven`: it was read back with the value that was sent.
 * - `refused`: it was sent, and read back with another value, or the call was turned down for it.
 */
export type Capability = "documented" | "assumed" | "proven" | "refused";

/** What was learnt about the fields of one marketplace. */
export interface CapabilityMemory {
  /** Fields of updates that were proven or refused; the others are what the specification says. */
  readCapabilities(): Promise<ReadonlyMap<string, Capability>>;
}

/** Fields that the specification of an update lists. */
const UPDATE_FIELDS: ReadonlySet<string> = new Set([
  "title",
  "sub_title",
  "brand_id",
  "brand_model",
  "description",
  "price",
]);

/** Fields that the specification of an add does not list, though listings show them. */
const UNLISTED_ADD_FIELDS: ReadonlySet<string> = new Set(["properties"]);

/** What the specification says of a field. */
function specifiedCapability(action: WriteAction, field: string): Capability {
  const isListed = action === "add" ? !UNLISTED_ADD_FIELDS.has(field) : UPDATE_FIELDS.has(field);
  return isListed ? "documented" : "assumed";
}

/** What is known of a field, the strongest first. */
export function capabilityOf(
  action: WriteAction,
  field: string,
  learnt: ReadonlyMap<string, Capability> = new Map(),
): Capability {
  const known = action === "update" ? learnt.get(field) : undefined;
  return known ?? specifiedCapability(action, field);
}
