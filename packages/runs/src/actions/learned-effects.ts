/**
 * What actions are expected to make of a field, such as the status of an accepted package. The
 * specification does not say it (section Order and package status), so it is what reading back has
 * shown of earlier ones.
 */

import { type ActionName, type ActionPort, ACTIONS, type LearnedEffect } from "../ports/action.ts";
import type { FieldChange } from "../row/row-record.ts";

/** Expected effects of actions. */
export interface ExpectedEffects {
  /** The changes, with the values that are expected where the row names none. */
  complete(action: ActionName, changes: readonly FieldChange[]): readonly FieldChange[];
  /** Whether nothing was learned. */
  readonly isEmpty: boolean;
}

/** A package may have moved on before it was read back, so that one value in five may differ. */
const MIN_SHARE = 0.8;

/** Reads what is expected now. */
export async function readExpected(
  actions: Pick<ActionPort, "readLearned">,
): Promise<ExpectedEffects> {
  const learned = (await actions.readLearned?.()) ?? [];
  const expect = (action: ActionName, field: string, old: unknown): unknown =>
    findUsual(learned.filter((one) => isOf(one, action, field) && one.old === old));
  const isResult = (action: ActionName, { field, old }: FieldChange): boolean =>
    learned.some(
      (one) =>
        isOf(one, action, field) && expect(action, field, one.old) === old && old !== one.old,
    );
  return {
    isEmpty: learned.length === 0,
    complete: (action, changes) =>
      changes.map((change) => {
        const { field, old, new: wanted } = change;
        if (wanted !== undefined || old === undefined || old === null) return change;
        const usual = expect(action, field, old);
        if (usual !== undefined) return { ...change, new: usual, isAssumed: true };
        const isDone = ACTIONS[action].mayFollowItself !== true && isResult(action, change);
        return isDone ? { ...change, new: old, isAssumed: true } : change;
      }),
  };
}

const isOf = (one: LearnedEffect, action: ActionName, field: string): boolean =>
  one.action === action && one.field === field;

function findUsual(effects: readonly LearnedEffect[]): unknown {
  const all = countRows(effects);
  const byShown = Map.groupBy(effects, ({ shown }) => shown);
  return [...byShown].find(([, of]) => countRows(of) >= all * MIN_SHARE)?.[0];
}

const countRows = (effects: readonly LearnedEffect[]): number =>
  effects.reduce((sum, { rows }) => sum + rows, 0);
