/**
 * What is known of a field: whether the marketplace accepts it, and what proves that. An
 * undocumented field counts as refused only where several bodies were refused with a text that
 * names it and a status that can be about a field, and where no update with the field succeeded.
 */

import { openBody } from "../guards/stock-first.ts";
import { DISCOUNT_FIELDS } from "../plan/compare.ts";
import type { RowRecord } from "../row/row-record.ts";
import type { ProductAction } from "../row/row-state.ts";

/**
 * - `documented`: the API specification names it.
 * - `assumed`: the specification does not name it, and it was not read back yet.
 * - `proven`: it was read back with the value that was sent.
 * - `refused`: bodies with it were refused because of it, or were accepted while the listing kept
 *   the old value.
 */
type CapabilityState = "documented" | "assumed" | "proven" | "refused";

/** A field of one kind of write, at one marketplace. */
export interface Capability {
  readonly action: ProductAction;
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
export const isDocumented = (action: ProductAction, field: string): boolean =>
  action === "add" ? !ASSUMED_IN_ADD.has(field) : DOCUMENTED_IN_UPDATE.has(field);

/** Returns the fields that updates leave out, because the store was seen to ignore them. */
export function refusedInUpdates(findings: readonly Capability[]): ReadonlySet<string> {
  const refused = findings.filter(
    ({ action, state }) => action === "update" && state === "refused",
  );
  return new Set(refused.map(({ field }) => field));
}

/** Minimum number of refused rows: a single update may be refused for its value. */
const MIN_ROWS = 2;

/** A field that updates of the run were refused for, and how many. */
interface RefusedField {
  readonly finding: CapabilityFinding;
  readonly rows: number;
}

/** An update that is done or rejected. */
type ObservedRow = Pick<RowRecord, "state" | "action" | "payload" | "changes" | "note"> & {
  /** HTTP status of the answer that rejected it. */
  readonly status?: number | undefined;
};

/** Observes updates that are done or rejected, one by one. */
interface RefusedFieldWatch {
  observe(record: ObservedRow): void;
  /** Returns the refused fields in the order in which they occurred. */
  findRefused(): readonly RefusedField[];
}

interface RefusedFieldWatchOptions {
  /** Other names that texts use for a field, besides the API's. @default none */
  readonly namesOf?: (field: string) => readonly string[];
}

interface FieldOutcomes {
  taken: number;
  refused: number;
}

/** Creates a watch that has observed no row. */
export function createRefusedFieldWatch({
  namesOf = () => [],
}: RefusedFieldWatchOptions = {}): RefusedFieldWatch {
  const tallies = new Map<string, FieldOutcomes>();
  return {
    observe({ state, action, note, status, ...record }) {
      const payload = openBody(record);
      if (action !== "update" || payload === null) return;
      if (state !== "done" && isOfTheRow(status)) return;
      const fields = Object.keys(payload).filter(isAssumed);
      for (const field of fields) {
        const counts = tallies.get(field) ?? { taken: 0, refused: 0 };
        tallies.set(field, counts);
        if (state === "done") counts.taken += 1;
        else if (isNamed(note, fields.length === 1 ? [field, ...namesOf(field)] : [field])) {
          counts.refused += 1;
        }
      }
    },
    findRefused: () =>
      [...tallies]
        .filter(([, { taken, refused }]) => taken === 0 && refused >= MIN_ROWS)
        .map(([field, { refused }]) => ({
          finding: { action: "update", field, state: "refused" },
          rows: refused,
        })),
  };
}

/**
 * Login, permission, a product that is gone or being changed, the rate limit: never about a field.
 */
const STATUSES_OF_THE_ROW: ReadonlySet<number> = new Set([401, 403, 404, 409, 429]);

const isOfTheRow = (status: number | undefined): boolean =>
  status !== undefined && STATUSES_OF_THE_ROW.has(status);

/** Says whether the marketplace's text contains one of the names as a whole word. */
function isNamed(note: string | null, names: readonly string[]): boolean {
  const text = toNames(note ?? "");
  return names.some((name) => text.includes(toNames(name)));
}

const toNames = (text: string): string =>
  ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== "")
    .join(" ")} `;

/** A discount may be refused because of the price beside it, so its refusal is no evidence. */
const NEVER_REFUSED: ReadonlySet<string> = new Set(["product_id", ...DISCOUNT_FIELDS]);

const isAssumed = (field: string): boolean =>
  !NEVER_REFUSED.has(field) && !isDocumented("update", field);
