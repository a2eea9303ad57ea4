/**
 * Decides rows in two steps: each by itself, then what takes all rows of the plan together. Both
 * touch nothing outside.
 */

import { ALL_GUARDS, type GuardSettings } from "../guards/guard-settings.ts";
import { holdUnguarded } from "../guards/hold-unguarded-update.ts";
import { createStockWatch, type StockScope, type StockWatch } from "../guards/stock-watch.ts";
import { type RowDecision } from "../row/row-decision.ts";
import { type CandidateRow, planRow, type RunMode } from "./decide-row.ts";
import { createRefuseSecond } from "./duplicate-products.ts";
import { type PriceUnit } from "./price-unit.ts";
import { type RowBackground } from "./row-background.ts";
import { createUnsendableCount, type Unsendable } from "./unsendable-fields.ts";

/** What holds for all rows of a plan. */
export interface PlanRules {
  /** Of the prices that the background shows. */
  readonly priceUnit: PriceUnit;
  /** @default "upsert" */
  readonly mode?: RunMode | undefined;
  /** @default every guard, at its default */
  readonly guards?: GuardSettings | undefined;
  /** Fields that updates do without, because the store was seen to ignore them. @default none */
  readonly refused?: ReadonlySet<string> | undefined;
  /** Rows that may not be sent because of others with their code, each with all of those. */
  readonly sameCode: ReadonlyMap<number, readonly number[]>;
  /** Holds new prices where the background leaves the old one out. @default false */
  readonly holdsUncompared?: boolean | undefined;
}

/** Decides each row by itself. */
export function decideRows(
  candidates: readonly CandidateRow[],
  background: RowBackground,
  rules: PlanRules,
): readonly RowDecision[] {
  const { priceUnit, mode = "upsert", guards = ALL_GUARDS, refused } = rules;
  return candidates.map((row) => {
    const seen = background.seenOf(row);
    const known = background.knownOf(row);
    const productId = row.productId ?? seen[0]?.product.id ?? known?.productId ?? undefined;
    const decision = planRow(row, {
      seen,
      known,
      sameCode: rules.sameCode.get(row.row) ?? [],
      alike: background.alikeOf(row),
      lastSent: background.lastSentOf(productId),
      priceUnit,
      mode,
      guards,
      refused,
    });
    return rules.holdsUncompared === true
      ? holdUnguarded(decision, row, { seen, guards })
      : decision;
  });
}

/** What takes all rows of a plan together. */
export interface PlanChecks {
  /**
   * The decisions of the next rows of the plan, where only the first row that may update a product
   * does. Counts them.
   */
  check(
    candidates: readonly CandidateRow[],
    decisions: readonly RowDecision[],
  ): readonly RowDecision[];
  readonly stock: StockWatch;
  unsendable(): Unsendable;
}

/** For the rows of one plan, in the order of the sheet. */
export function createPlanChecks(scope?: StockScope): PlanChecks {
  const refuseSecond = createRefuseSecond();
  const stock = createStockWatch(scope);
  const unsendable = createUnsendableCount();
  return {
    check: (candidates, decisions) =>
      candidates.flatMap((row, index) => {
        const decision = decisions[index];
        if (decision === undefined) return [];
        const single = refuseSecond(decision, row);
        stock.observe(row, single);
        unsendable.note(single);
        return [single];
      }),
    stock,
    unsendable: () => unsendable.counts(),
  };
}
