/** Settings of a store that a person has saved or that runs have learned: limits of the guards and of calls
 * per hour, calls at a time, and the unit of the listing's prices. A flag, the environment and the
 * configuration file override them. */

import {
  type AutoConcurrency,
  type Client,
  type ConcurrencyLimits,
  MAX_CONCURRENCY,
} from "@catalog/client";
import type { NoteRepository } from "@catalog/database";
import { InputError } from "@catalog/i18n";
import type { GuardLimits, PriceUnit, RunRecord } from "@catalog/runs";
import { GUARDS } from "@catalog/runs/guards";
import { z } from "zod";

import type { StoreFacts } from "./connection-groups.ts";

type PriceUnitFacts = Pick<NonNullable<RunRecord["facts"]>, "priceUnit" | "priceUnitBy">;
type KnownUnit = Exclude<PriceUnit, "unknown">;

/** Settings that may be saved; a missing one has its default or is learned. */
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
  /** Returns the settings that hold: those that were given, then those that are saved now. */
  readonly effective: () => Promise<EffectiveSettings>;
}

/** The store and the application whose settings they are. */
interface StoreSettingsContext {
  /** The canonical address. */
  readonly baseUrl: string;
  readonly storeId: string;
  readonly clientKey: string;
  readonly notes: NoteRepository;
}

function isInRange(name: keyof GuardLimits, value: number): boolean {
  const { min, max = Number.MAX_SAFE_INTEGER, isWhole = false } = GUARDS.ranges[name];
  return value >= min && value <= max && (!isWhole || Number.isInteger(value));
}

const guardsNote = z
  .record(z.string(), z.number())
  .transform((values) =>
    Object.fromEntries(
      Object.entries(values).filter(
        ([name, value]) => GUARDS.isLimit(name) && isInRange(name, value),
      ),
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
  const saved = async (): Promise<StoreSettings> => ({
    guards: (await notes.readNote(guardsKey, guardsNote)) ?? {},
    requestsPerHour: await notes.readNote(callsKey, callsNote),
  });
  return {
    given,
    saved,
    async effective() {
      const { guards, requestsPerHour } = await saved();
      const limits = { ...guards, ...given.guards };
      return {
        guardLimits: Object.keys(limits).length === 0 ? undefined : limits,
        requestsPerHour: given.requestsPerHour ?? requestsPerHour,
      };
    },
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

function assertGuard(name: string, value: number): void {
  if (!GUARDS.isLimit(name)) throw new InputError(unknownGuard(name));
  if (isInRange(name, value)) return;
  const { min, max } = GUARDS.ranges[name];
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

/** A fixed number of calls at a time, or `auto` to find it out. */
export type Concurrency = number | "auto";

/** Where the limits of an address are stored. */
interface ConcurrencyContext {
  /** The canonical address. */
  readonly baseUrl: string;
  readonly notes: NoteRepository;
}

const limitsNote: z.ZodType<ConcurrencyLimits> = z.object({
  reads: z.int().min(1).max(MAX_CONCURRENCY.reads),
  writes: z.int().min(1).max(MAX_CONCURRENCY.writes),
});

const toLimitsKey = ({ baseUrl }: ConcurrencyContext): string => `${baseUrl} concurrency`;

/** Returns the client's option; the search begins with the limits that were found last. */
export async function readConcurrency(
  context: ConcurrencyContext,
  set: Concurrency,
): Promise<number | AutoConcurrency> {
  if (set !== "auto") return set;
  return { learned: await context.notes.readNote(toLimitsKey(context), limitsNote) };
}

/** Stores the limits that the client has found, where they differ from the stored ones. */
export async function saveConcurrency(
  context: ConcurrencyContext,
  set: Concurrency,
  client: Pick<Client, "limits">,
): Promise<void> {
  if (set !== "auto") return;
  const { reads, writes } = client.limits();
  const stored = await context.notes.readNote(toLimitsKey(context), limitsNote);
  if (stored?.reads === reads && stored.writes === writes) return;
  await context.notes.saveNotes({
    [toLimitsKey(context)]: { reads, writes } satisfies ConcurrencyLimits,
  });
}

/** Maximum number of writes at a time. */
export const maxWrites = (set: Concurrency): number =>
  set === "auto" ? MAX_CONCURRENCY.writes : set;

/** Proof of a stored unit: a person's statement, or prices that we sent and read back. */
type PriceUnitProof = "person" | "sent";

/** The unit, its proof, and whether a person has stated it. */
const unitNote = z.tuple([z.enum(["minor", "major"]), z.enum(["person", "sent"]), z.boolean()]);

type SettingContext = Pick<StoreFacts, "baseUrl"> & {
  readonly memory: { readonly notes: NoteRepository };
  readonly priceUnit?: KnownUnit | undefined;
};

interface StoredPriceUnit {
  readonly unit: KnownUnit;
  readonly proof: PriceUnitProof;
  /** Whether a person has stated this unit, whatever has proved it since. */
  readonly isStated: boolean;
}

/** The unit of the prices in the listing of a store, as it is set and remembered. */
interface PriceUnitAccess {
  /** Reads the unit that a person states or has set, and the unit that earlier runs have learned. */
  known(setting?: KnownUnit): Promise<{
    readonly set?: KnownUnit | undefined;
    readonly remembered?: KnownUnit | undefined;
  }>;
  /** Reads the stored unit with its proof. */
  stored(): Promise<StoredPriceUnit | undefined>;
  /**
   * Stores a known unit with its proof. A unit that only a sheet suggests is not stored. A proof by
   * sending stays, and so does that a person has stated the same.
   */
  save(unit: PriceUnit, proof: PriceUnitProof): Promise<void>;
  /** Stores the unit that a plan has learned, unless one is stored already. */
  savePlanned(facts: PriceUnitFacts): Promise<void>;
  /** Forgets the stored unit, so that it is learned or asked for again. */
  forget(): Promise<void>;
}

/** The price unit of a store; every call reads or writes the database. */
export function priceUnitOf({ baseUrl, memory, priceUnit: set }: SettingContext): PriceUnitAccess {
  const { notes } = memory;
  const key = `${baseUrl} price-unit`;
  const access: PriceUnitAccess = {
    async known(setting) {
      return { set: setting ?? set, remembered: (await access.stored())?.unit };
    },
    async stored() {
      const note = await notes.readNote(key, unitNote);
      if (note === undefined) return undefined;
      const [unit, proof, isStated] = note;
      return { unit, proof, isStated };
    },
    async save(unit, proof) {
      if (unit === "unknown") return;
      const known = await access.stored();
      const same = known?.unit === unit ? known : undefined;
      const isStated = proof === "person" || same?.isStated === true;
      const kept = same?.proof === "sent" ? "sent" : proof;
      await notes.saveNotes({ [key]: [unit, kept, isStated] });
    },
    async savePlanned({ priceUnit, priceUnitBy = "nothing" }) {
      const proof = PROOFS[priceUnitBy];
      if (proof !== undefined) await access.save(priceUnit, proof);
    },
    async forget() {
      await notes.removeNotes([key]);
    },
  };
  return access;
}

const PROOFS: Readonly<
  Partial<Record<NonNullable<PriceUnitFacts["priceUnitBy"]>, PriceUnitProof>>
> = {
  set: "person",
  asked: "person",
  sent: "sent",
};
