/**
 * Which undocumented fields a store refuses outright. A refusal is of a whole body and may be for a
 * value or for the product, so it is laid to a field only where several bodies were refused in words
 * that name it, with a status that can be about a field; and never where one update with the field
 * went through.
 */

import { DISCOUNT_FIELDS } from "../plan/compare.ts";
import { type RowRecord } from "../row/row-record.ts";
import { type CapabilityFinding, isDocumented } from "./capability.ts";

/** A single update may be refused for its value. */
const LEAST_ROWS = 2;

/** A field that updates of the run were refused for, and how many of them. */
export interface RefusedField {
  readonly finding: CapabilityFinding;
  readonly rows: number;
}

/** An update that is done or rejected. */
export type Observed = Pick<RowRecord, "state" | "action" | "payload" | "note"> & {
  /** Of the answer that rejected it. */
  readonly status?: number | undefined;
};

/** Takes updates that are done or rejected, one by one. */
export interface RefusalWatch {
  observe(record: Observed): void;
  /** The fields that are refused, in the order in which they were met. */
  judge(): readonly RefusedField[];
}

export interface RefusalWatchOptions {
  /** What people call a field, besides its name in the API. @default nothing else */
  readonly wordsOf?: (field: string) => readonly string[];
}

interface Tally {
  taken: number;
  refused: number;
}

/** Creates a watch that has observed no row. */
export function createRefusalWatch({ wordsOf = () => [] }: RefusalWatchOptions = {}): RefusalWatch {
  const tallies = new Map<string, Tally>();
  return {
    observe({ state, action, payload, note, status }) {
      if (action !== "update" || payload === null) return;
      if (state !== "done" && isOfTheRow(status)) return;
      const fields = Object.keys(payload).filter(isAssumed);
      for (const field of fields) {
        const tally = tallies.get(field) ?? { taken: 0, refused: 0 };
        tallies.set(field, tally);
        if (state === "done") tally.taken += 1;
        else if (isNamed(note, fields.length === 1 ? [field, ...wordsOf(field)] : [field])) {
          tally.refused += 1;
        }
      }
    },
    judge: () =>
      [...tallies]
        .filter(([, { taken, refused }]) => taken === 0 && refused >= LEAST_ROWS)
        .map(([field, { refused }]) => ({
          finding: { action: "update", field, state: "refused" },
          rows: refused,
        })),
  };
}

/** The login, the permission, a product that is gone or being changed, the limit: never a field. */
const STATUSES_OF_THE_ROW: ReadonlySet<number> = new Set([401, 403, 404, 409, 429]);

const isOfTheRow = (status: number | undefined): boolean =>
  status !== undefined && STATUSES_OF_THE_ROW.has(status);

/** Whether the marketplace's words have one of the names in them, as words of their own. */
function isNamed(note: string | null, names: readonly string[]): boolean {
  const said = toWords(note ?? "");
  return names.some((name) => said.includes(toWords(name)));
}

const toWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== "")
    .join(" ")} `;

/** A discount is refused for the price that it stands beside, so it is no sign of anything. */
const NEVER_BLAMED: ReadonlySet<string> = new Set(["product_id", ...DISCOUNT_FIELDS]);

const isAssumed = (field: string): boolean =>
  !NEVER_BLAMED.has(field) && !isDocumented("update", field);
