/**
 * Settings of a store that a person has saved in the database: limits of the guards, and the limit
 * of calls per hour. A flag, the environment and the configuration file override them.
 */

import type { NoteRepository } from "@catalog/database";
import { InputError } from "@catalog/i18n";
import type { GuardLimits } from "@catalog/runs";
import { GUARD_RANGES } from "@catalog/runs/guards";
import { z } from "zod";

/** What may be saved; a setting that is left out has its default or is learnt. */
export interface StoreSettings {
  readonly guards: Partial<GuardLimits>;
  /** Calls per hour, at least 1; it holds for all stores of the same application. */
  readonly requestsPerHour: number | undefined;
}

/** The saved settings of one store, and those that override them. */
export interface StoreSettingsAccess {
  /** From a flag, the environment or the configuration file. */
  readonly given: StoreSettings;
  /** Returns what is saved now, by any process. */
  readonly saved: () => Promise<StoreSettings>;
  /**
   * Replaces what is saved; commands that start later follow it. Rejects with {@link InputError} for
   * a value out of its range.
   */
  readonly save: (settings: StoreSettings) => Promise<void>;
}

/** The store and the application whose settings they are. */
interface StoreSettingsContext {
  /** The canonical address. */
  readonly baseUrl: string;
  readonly storeId: string;
  readonly clientKey: string;
  readonly notes: NoteRepository;
}

const isGuard = (name: string): name is keyof GuardLimits => Object.hasOwn(GUARD_RANGES, name);

function isInRange(name: keyof GuardLimits, value: number): boolean {
  const { min, max = Number.MAX_SAFE_INTEGER, isWhole = false } = GUARD_RANGES[name];
  return value >= min && value <= max && (!isWhole || Number.isInteger(value));
}

const guardsNote = z
  .record(z.string(), z.number())
  .transform((values) =>
    Object.fromEntries(
      Object.entries(values).filter(([name, value]) => isGuard(name) && isInRange(name, value)),
    ),
  );

const callsNote = z.int().min(1);

/** Opens the settings of a store. */
export function openStoreSettings(
  context: StoreSettingsContext,
  given: StoreSettings,
): StoreSettingsAccess {
  const { baseUrl, storeId, clientKey, notes } = context;
  const guardsKey = `${baseUrl} ${storeId} guards`;
  const callsKey = `${baseUrl} ${clientKey} calls-per-hour`;
  return {
    given,
    saved: async () => ({
      guards: (await notes.readNote(guardsKey, guardsNote)) ?? {},
      requestsPerHour: await notes.readNote(callsKey, callsNote),
    }),
    async save({ guards, requestsPerHour }) {
      for (const [name, value] of Object.entries(guards)) assertGuard(name, value);
      if (requestsPerHour !== undefined) assertCalls(requestsPerHour);
      await notes.saveNotes({ [guardsKey]: guards, [callsKey]: requestsPerHour ?? null });
    },
  };
}

/** The settings that hold for a connection. */
interface EffectiveSettings {
  readonly guardLimits: Partial<GuardLimits> | undefined;
  readonly requestsPerHour: number | undefined;
}

/** The settings that hold: those that were given, then those that were saved. */
export async function effectiveSettings({
  given,
  saved,
}: StoreSettingsAccess): Promise<EffectiveSettings> {
  const { guards, requestsPerHour } = await saved();
  const limits = { ...guards, ...given.guards };
  return {
    guardLimits: Object.keys(limits).length === 0 ? undefined : limits,
    requestsPerHour: given.requestsPerHour ?? requestsPerHour,
  };
}

function assertGuard(name: string, value: number): void {
  if (!isGuard(name)) throw new InputError(unknownGuard(name));
  if (isInRange(name, value)) return;
  const { min, max } = GUARD_RANGES[name];
  const upTo = max === undefined ? "" : String(max);
  throw new InputError({
    tr: `${value} olamaz: ${upTo === "" ? `en az ${min}` : `${min} ile ${upTo} arası`} bir sayı girin.`,
    en: `${value} cannot be: give a number ${upTo === "" ? `of at least ${min}` : `from ${min} to ${upTo}`}.`,
  });
}

const unknownGuard = (name: string) => ({
  tr: `"${name}" adında bir sınır yok.`,
  en: `There is no limit with the name "${name}".`,
});

function assertCalls(value: number): void {
  if (callsNote.safeParse(value).success) return;
  throw new InputError({
    tr: `Saatteki istek sayısı ${value} olamaz: 1 ya da daha büyük bir tam sayı girin.`,
    en: `The calls per hour cannot be ${value}: give a whole number from 1 up.`,
  });
}
