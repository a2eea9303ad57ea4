/**
 * Decides rows in two steps: each row by itself, then the rules over all rows of the plan. Both
 * steps are pure.
 */

import { type ContentWatch, createContentWatch } from "../guards/content-watch.ts";
import { ALL_GUARDS, type GuardSettings } from "../guards/guard-settings.ts";
import { holdUnguardedUpdate } from "../guards/hold-unguarded-update.ts";
import { createStockWatch, type StockScope, type StockWatch } from "../guards/stock-watch.ts";
import type { RowDecision } from "../row/row-decision.ts";
import { type CandidateRow, decideRow, type NameField, type RunMode } from "./decide-row.ts";
import { createDuplicateProductCheck } from "./duplicate-products.ts";
import type { PriceUnit } from "./price-unit.ts";
import type { RowBackground } from "./row-background.ts";
import { createUnsendableCount, type UnsendableFields } from "./unsendable-fields.ts";

/** Names a row by its number. */
export type NameRow = (row: number) => string;

/** Rules for all rows of a plan. */
export interface PlanRules {
  /** Unit of the prices in the background. */
  readonly priceUnit: PriceUnit;
  /** @default "upsert" */
  readonly mode?: RunMode | undefined;
  /** @default every guard, at its default */
  readonly guards?: GuardSettings | undefined;
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
