/**
 * What actions have made of fields, and the marketplace's words for order statuses, as readings have
 * shown them. Both hold for a marketplace, over all its stores.
 */

import type { NoteRepository } from "@catalog/database";
import { type ActionEffect, type ActionPort, isAction, type LearnedEffect } from "@catalog/runs";
import { z } from "zod";

import type { ActionAdapterOptions } from "./action-adapter.ts";

/** Where the effects of a marketplace are kept. */
interface EffectsContext {
  /** The canonical address. */
  readonly baseUrl: string;
  readonly notes: Pick<NoteRepository, "readNote" | "saveNotes">;
}

const value = z.union([z.string(), z.number(), z.boolean()]);

const effectsNote = z.array(
  z.object({
    action: z.string(),
    field: z.string(),
    old: value,
    shown: value,
    rows: z.int().min(1),
  }),
);

type StoredEffect = z.infer<typeof effectsNote>[number];

const wordsNote = z.record(z.string(), z.string());

/** More than these are no statuses; the oldest go first. */
const MAX_EFFECTS = 200;

/** Counts stay small, so that a marketplace that changes is learned anew. */
const MAX_ROWS = 50;

const effectsKey = ({ baseUrl }: EffectsContext): string => `${baseUrl} action-effects`;
const wordsKey = ({ baseUrl }: EffectsContext): string => `${baseUrl} order-status-words`;

/** Opens what was learned of a marketplace, and is learned from now on. */
export const openActionMemory = (
  context: EffectsContext,
): Pick<ActionAdapterOptions, "learned" | "onStatusWords"> => ({
  learned: openLearnedEffects(context),
  onStatusWords: createStatusWords(context),
});

function openLearnedEffects(
  context: EffectsContext,
): Required<Pick<ActionPort, "learn" | "readLearned">> {
  const key = effectsKey(context);
  const read = async (): Promise<readonly StoredEffect[]> =>
    (await context.notes.readNote(key, effectsNote)) ?? [];
  return {
    async learn(effects) {
      let stored = await read();
      for (const effect of effects) stored = withEffect(stored, effect);
      await context.notes.saveNotes({ [key]: stored.slice(-MAX_EFFECTS) });
    },
    async readLearned() {
      return (await read()).flatMap(({ action, ...effect }): LearnedEffect[] =>
        isAction(action) ? [{ ...effect, action }] : [],
      );
    },
  };
}

function withEffect(
  stored: readonly StoredEffect[],
  { action, field, old, shown }: ActionEffect,
): readonly StoredEffect[] {
  const parsed = z.object({ old: value, shown: value }).safeParse({ old, shown });
  if (!parsed.success) return stored;
  const effect = { action, field, ...parsed.data };
  const isSame = (one: StoredEffect): boolean =>
    one.action === action &&
    one.field === field &&
    one.old === effect.old &&
    one.shown === effect.shown;
  const rows = stored.find(isSame)?.rows ?? 0;
  if (rows < MAX_ROWS)
    return [...stored.filter((one) => !isSame(one)), { ...effect, rows: rows + 1 }];
  // The others of the same kind are worth less the more often this one is seen.
  return stored.flatMap((one) => {
    const isRival = one.action === action && one.field === field && one.old === effect.old;
    if (!isRival || isSame(one)) return [one];
    return one.rows > 1 ? [{ ...one, rows: one.rows - 1 }] : [];
  });
}

/** Reads the marketplace's words for order statuses, as far as an order has shown them. */
export async function readStatusWords(
  context: EffectsContext,
): Promise<ReadonlyMap<string, string>> {
  const words = await context.notes.readNote(wordsKey(context), wordsNote);
  return new Map(Object.entries(words ?? {}));
}

/** Creates the function that remembers words of statuses; it writes only what is new. */
function createStatusWords(
  context: EffectsContext,
): (shown: ReadonlyMap<string, string>) => Promise<void> {
  return async (shown) => {
    const known = await readStatusWords(context);
    const fresh = [...shown].filter(([status, word]) => known.get(status) !== word);
    if (fresh.length === 0) return;
    const words = Object.fromEntries([...known, ...fresh].slice(-MAX_EFFECTS));
    await context.notes.saveNotes({ [wordsKey(context)]: words });
  };
}
