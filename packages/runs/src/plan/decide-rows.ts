/**
 * Decides rows in two steps: each row by itself, then the rules over all rows of the plan. Both
 * steps are pure.
 */

import { isDeepStrictEqual } from "node:util";

import { type ContentWatch, createContentWatch } from "../guards/content-watch.ts";
import { guardOf } from "../guards/guard-issue.ts";
import { ALL_GUARDS, type GuardSettings } from "../guards/guard-settings.ts";
import { holdUnguardedUpdate } from "../guards/price-guards.ts";
import { createStockWatch, type StockScope, type StockWatch } from "../guards/run-guards.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { isBlocking, toIssue } from "../row/issues.ts";
import type {
  DuplicateCode,
  RowDecision,
  RowRecord,
  CandidateRow,
  RunMode,
} from "../row/row-record.ts";
import { createCompactTextMap } from "./compact-text-map.ts";
import { decideRow, type NameField } from "./decide-row.ts";
import type { PriceUnit } from "./price-unit.ts";
import type { RowBackground } from "./row-background.ts";

/** Names a row by its number. */
type NameRow = (row: number) => string;

/** Rules for all rows of a plan. */
export interface PlanRules {
  /** Unit of the prices in the background. */
  readonly priceUnit: PriceUnit;
  /** @default "upsert" */
  readonly mode?: RunMode | undefined;
  /** @default every guard, at its default */
  readonly guards?: GuardSettings | undefined;
  readonly checkUpdate: Marketplace["checkUpdate"];
  /** Fields that updates leave out, because the store was seen to ignore them. @default none */
  readonly refused?: ReadonlySet<string> | undefined;
  /** Rows that may not be sent because of other rows with their code, each with all of them. */
  readonly sameCode: ReadonlyMap<number, readonly number[]>;
  /** Names a row for people. @default by its number */
  readonly nameRow?: NameRow | undefined;
  /** Names a field of the API for people. @default by its key */
  readonly nameField?: NameField | undefined;
  /** Holds new prices where the background has no old price. @default false */
  readonly holdsUncompared?: boolean | undefined;
}

/** Decides each row by itself. */
export function decideRows(
  candidates: readonly CandidateRow[],
  background: RowBackground,
  rules: PlanRules,
): readonly RowDecision[] {
  const { priceUnit, mode = "upsert", guards = ALL_GUARDS, refused, nameRow, nameField } = rules;
  return candidates.map((row) => {
    const seen = background.seenOf(row);
    const known = background.knownOf(row);
    const productId = row.productId ?? seen[0]?.product.id ?? known?.productId ?? undefined;
    const decision = decideRow(row, {
      seen,
      known,
      sameCode: rules.sameCode.get(row.row) ?? [],
      lookAlike: background.lookAlikeOf(row),
      lastSent: background.lastSentOf(productId),
      priceUnit,
      mode,
      guards,
      checkUpdate: rules.checkUpdate,
      refused,
      nameRow,
      nameField,
    });
    return rules.holdsUncompared === true
      ? holdUnguardedUpdate(decision, row, { seen, guards })
      : decision;
  });
}

/** Rules over all rows of a plan. */
export interface PlanChecks {
  /**
   * Checks the next decisions of the plan, of which only the first for a product may update it, and
   * counts them.
   */
  check(
    candidates: readonly CandidateRow[],
    decisions: readonly RowDecision[],
  ): readonly RowDecision[];
  readonly stock: StockWatch;
  readonly content: ContentWatch;
  unsendable(): UnsendableFields;
}

/** Creates the checks of one plan, which take its rows in the order of the sheet. */
export function createPlanChecks(scope?: StockScope, nameRow?: NameRow): PlanChecks {
  const refuseSecond = createDuplicateProductCheck(nameRow);
  const stock = createStockWatch(scope);
  const content = createContentWatch();
  const unsendable = createUnsendableCount();
  return {
    check: (candidates, decisions) =>
      candidates.flatMap((row, index) => {
        const decision = decisions[index];
        if (decision === undefined) return [];
        const single = refuseSecond(decision, row);
        stock.observe(row, single);
        content.observe(single);
        unsendable.note(single);
        return [single];
      }),
    stock,
    content,
    unsendable: () => unsendable.counts(),
  };
}

/**
 * Returns the rows that may not be sent, each with all rows of its code. Of rows with the same
 * request the first is planned as if it were alone; of different rows none may be sent.
 */
export function toSameCode(
  duplicates: readonly DuplicateCode[],
): ReadonlyMap<number, readonly number[]> {
  const sameCode = new Map<number, readonly number[]>();
  for (const { rows, identical } of duplicates) {
    for (const row of identical ? rows.slice(1) : rows) sameCode.set(row, rows);
  }
  return sameCode;
}

/**
 * Returns a function that says for each further row of one code whether all rows so far send the
 * same. Cells that are not sent, such as those of a result file, may differ.
 */
export function createSameRequest(): (draft: CandidateRow) => boolean {
  let first: unknown;
  return (draft) => {
    // A row with an error may differ from the others.
    if (draft.issues.some(isBlocking)) return false;
    const asked = toRequest(draft);
    first ??= asked;
    return isDeepStrictEqual(first, asked);
  };
}

/**
 * All fields that an add or an update may send for the row, because the action is not decided yet.
 */
function toRequest(candidate: CandidateRow): Readonly<Record<string, unknown>> {
  const { code, productId, action, changes, pricing } = candidate;
  const add = candidate.completeAdd();
  return {
    code,
    productId,
    action,
    changes,
    body: add.ok ? add.body : undefined,
    inputs: pricing?.inputs,
  };
}

/**
 * Makes a row a duplicate when an earlier row of the plan updates its product, or would update it
 * once a person releases that row.
 */
type FindDuplicateProduct = (
  decision: RowDecision,
  row: Pick<CandidateRow, "codeLocation">,
) => RowDecision;

/** Creates the check for one plan, which takes its rows in the order of the sheet. */
export function createDuplicateProductCheck(
  nameRow: (row: number) => string = String,
): FindDuplicateProduct {
  const firstRowOf = createCompactTextMap();
  return (decision, { codeLocation }) => {
    const { productId } = decision;
    if (productId === null || !mayWrite(decision)) return decision;
    const first = firstRowOf.get(productId);
    if (first === undefined) {
      firstRowOf.set(productId, decision.row);
      return decision;
    }
    // A duplicate cannot be released, so the issues of guards are left out.
    const others = decision.issues.filter((issue) => guardOf(issue) === undefined);
    const issues = [...others, toIssue("E_PRODUCT_TWICE", codeLocation, nameRow(first))];
    const nothing = { action: null, payload: null, changes: [] } as const;
    return { ...decision, ...nothing, state: "duplicate", issues };
  };
}

/**
 * An unchanged row, or one that cannot be sent, counts too, because another value for its product
 * contradicts it.
 */
const mayWrite = (decision: RowDecision): boolean => {
  const { state, payload } = decision;
  if (state === "ready" || state === "unchanged" || isUnsendable(decision)) return true;
  return state === "held" && payload !== null;
};

const CODE = "W_FIELD_REFUSED";

/**
 * Differences between the file and the store that no update can send, because the store was seen to
 * ignore their fields. Such a row is not `unchanged`: the store does not have the file's values. Rows
 * stay in their classes, whose counts add up without this one.
 */
export interface UnsendableFields {
  /** Rows that differ in such fields only: nothing of them is sent, and they are `skipped`. */
  readonly rows: number;
  /** Rows of which other fields can be sent. */
  readonly partly: number;
  /** The API's names of the fields, in the order in which they occurred. */
  readonly fields: readonly string[];
}

/** The count of a plan without unsendable fields. */
export const NO_UNSENDABLE_FIELDS: UnsendableFields = { rows: 0, partly: 0, fields: [] };

/** Says whether nothing of the row can be sent, though it differs from the store. */
export function isUnsendable({ state, issues }: Pick<RowRecord, "state" | "issues">): boolean {
  return state === "skipped" && issues.some(({ code }) => code === CODE);
}

/** Counts the decisions of one plan. */
interface UnsendableCount {
  /** Counts one decision. */
  note(decision: RowDecision): void;
  /** Returns the counts so far. */
  counts(): UnsendableFields;
}

/** Creates a count of no decisions. */
export function createUnsendableCount(): UnsendableCount {
  const fields = new Set<string>();
  let rows = 0;
  let partly = 0;
  return {
    note(decision) {
      const { state, unsent = [] } = decision;
      if (unsent.length === 0 || !COUNTED.has(state)) return;
      for (const field of unsent) fields.add(field);
      if (state === "skipped") rows += 1;
      else partly += 1;
    },
    counts: () => ({ rows, partly, fields: [...fields] }),
  };
}

/** Rows with errors are reported as such, and their fields do not count. */
const COUNTED: ReadonlySet<RowDecision["state"]> = new Set(["skipped", "ready", "held"]);
