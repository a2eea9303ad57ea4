/** What is known of a field: whether the marketplace accepts it, and what proves that. */

import type { WriteAction } from "../row/counts.ts";

/**
 * - `documented`: the API specification names it.
 * - `assumed`: the specification does not name it, and it was not read back yet.
 * - `proven`: it was read back with the value that was sent.
 * - `refused`: bodies with it were refused because of it, or were accepted while the listing kept
 *   the old value.
 */
export type CapabilityState = "documented" | "assumed" | "proven" | "refused";

/** A field of one kind of write, at one marketplace. */
export interface Capability {
  readonly action: WriteAction;
  /** The API's name of the field. */
  readonly field: string;
  readonly state: CapabilityState;
}

/** What reading back has taught; a field without an entry is as the specification says. */
export type CapabilityFinding = Capability & { readonly state: "proven" | "refused" };

/** The fields that the specification names for the update call (section Products, update). */
const DOCUMENTED_IN_UPDATE: ReadonlySet<string> = new Set([
  "title",
  "sub_title",
  "brand_id",
  "brand_model",
  "description",
  "price",
]);

/**
 * The fields that adds send though the specification does not name them (section Products, add).
 */
const ASSUMED_IN_ADD: ReadonlySet<string> = new Set(["properties"]);

/** Returns the state of a field: what reading back found, else what the specification says. */
export function capabilityOf(
  findings: readonly Capability[],
  { action, field }: Pick<Capability, "action" | "field">,
): CapabilityState {
  const found = findings.find((one) => one.action === action && one.field === field);
  return found?.state ?? (isDocumented(action, field) ? "documented" : "assumed");
}

/** Says whether the API specification names the field for this call. */
export const isDocumented = (action: WriteAction, field: string): boolean =>
  action === "add" ? !ASSUMED_IN_ADD.has(field) : DOCUMENTED_IN_UPDATE.has(field);

/** Returns the fields that updates leave out, because the store was seen to ignore them. */
export function refusedInUpdates(findings: readonly Capability[]): ReadonlySet<string> {
  const refused = findings.filter(
    ({ action, state }) => action === "update" && state === "refused",
  );
  return new Set(refused.map(({ field }) => field));
}
