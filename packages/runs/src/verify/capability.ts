/** What is known of a field: whether the marketplace takes it, and how anybody knows. */

import { type WriteAction } from "../row/counts.ts";

/**
 * - `documented`: the API's documents name it.
 * - `assumed`: they do not, and nobody has looked yet.
 * - `proven`: it was read back with the value that was sent.
 * - `refused`: bodies with it were refused for it, or answered as done while the listing went on
 *   showing the old value.
 */
export type CapabilityState = "documented" | "assumed" | "proven" | "refused";

/** A field of one kind of write, at one marketplace. */
export interface Capability {
  readonly action: WriteAction;
  /** As the API calls it. */
  readonly field: string;
  readonly state: CapabilityState;
}

/** What reading back has taught; fields without an entry are as the documents say. */
export type CapabilityFinding = Capability & { readonly state: "proven" | "refused" };

/** The fields that the documents of the update call name. */
const DOCUMENTED_IN_UPDATE: ReadonlySet<string> = new Set([
  "title",
  "sub_title",
  "brand_id",
  "brand_model",
  "description",
  "price",
]);

/** The fields that the add call is sent though its documents do not name them. */
const ASSUMED_IN_ADD: ReadonlySet<string> = new Set(["properties"]);

/** The state of a field: what was found, else what the documents say. */
export function capabilityOf(
  findings: readonly Capability[],
  { action, field }: Pick<Capability, "action" | "field">,
): CapabilityState {
  const found = findings.find((one) => one.action === action && one.field === field);
  return found?.state ?? (isDocumented(action, field) ? "documented" : "assumed");
}

/** Whether the API's documents name the field for this call. */
export const isDocumented = (action: WriteAction, field: string): boolean =>
  action === "add" ? !ASSUMED_IN_ADD.has(field) : DOCUMENTED_IN_UPDATE.has(field);

/** The fields that updates do without, because the store was seen to ignore them. */
export function refusedInUpdates(findings: readonly Capability[]): ReadonlySet<string> {
  const refused = findings.filter(
    ({ action, state }) => action === "update" && state === "refused",
  );
  return new Set(refused.map(({ field }) => field));
}
