/**
 * Finds undocumented fields that a store refuses. A refusal is of a whole body and may be about a
 * value or the product, so a field is named only where several bodies were refused with a text that
 * names it and a status that can be about a field, and where no update with the field succeeded.
 */

import { DISCOUNT_FIELDS } from "../plan/compare.ts";
import { openBody } from "../row/row-parts.ts";
import type { RowRecord } from "../row/row-record.ts";
import { type CapabilityFinding, isDocumented } from "./capability.ts";

/** Minimum number of refused rows: a single update may be refused for its value. */
const MIN_ROWS = 2;

/** A field that updates of the run were refused for, and how many. */
export interface RefusedField {
  readonly finding: CapabilityFinding;
  readonly rows: number;
}

/** An update that is done or rejected. */
export type ObservedRow = Pick<RowRecord, "state" | "action" | "payload" | "changes" | "note"> & {
  /** HTTP status of the answer that rejected it. */
  readonly status?: number | undefined;
};

/** Observes updates that are done or rejected, one by one. */
export interface RefusedFieldWatch {
  observe(record: ObservedRow): void;
  /** Returns the refused fields in the order in which they occurred. */
  findRefused(): readonly RefusedField[];
}

export interface RefusedFieldWatchOptions {
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
