/**
 * Stores the unit in which a marketplace lists prices; the unit is the same for all stores of one
 * address.
 */

import type { NoteRepository } from "@catalog/database";
import type {
  KnownPriceUnit,
  KnownUnit,
  PriceUnit,
  PriceUnitBasis,
  PriceUnitFacts,
} from "@catalog/runs";
import { z } from "zod";

import type { StoreFacts } from "./connection-groups.ts";

/** Proof of a stored unit: a person's statement, or prices that we sent and read back. */
type PriceUnitProof = "person" | "sent";

/** The unit, its proof, and whether a person has stated it. */
const noteSchema = z.tuple([z.enum(["minor", "major"]), z.enum(["person", "sent"]), z.boolean()]);

type SettingContext = Pick<StoreFacts, "baseUrl"> & {
  readonly memory: { readonly notes: NoteRepository };
  readonly priceUnit?: KnownUnit | undefined;
};

const keyOf = ({ baseUrl }: SettingContext): string => `${baseUrl} price-unit`;

/** Reads the unit that a person states or has set, and the unit that earlier runs have learned. */
export async function readPriceUnitSetting(
  context: SettingContext,
  setting?: KnownUnit,
): Promise<KnownPriceUnit> {
  const [remembered] = (await context.memory.notes.readNote(keyOf(context), noteSchema)) ?? [];
  return { set: setting ?? context.priceUnit, remembered };
}

/** A stored unit. */
interface StoredPriceUnit {
  readonly unit: KnownUnit;
  readonly proof: PriceUnitProof;
  /** Whether a person has stated this unit, whatever has proved it since. */
  readonly isStated: boolean;
}

/** Reads the stored unit with its proof. */
export async function readStoredPriceUnit(
  context: SettingContext,
): Promise<StoredPriceUnit | undefined> {
  const note = await context.memory.notes.readNote(keyOf(context), noteSchema);
  if (note === undefined) return undefined;
  const [unit, proof, isStated] = note;
  return { unit, proof, isStated };
}

/** Forgets the stored unit, so that it is learnt or asked again. */
export async function forgetPriceUnit(context: ForgettingContext): Promise<void> {
  await context.memory.notes.removeNotes([keyOf(context)]);
}

interface ForgettingContext extends Pick<StoreFacts, "baseUrl"> {
  readonly memory: { readonly notes: NoteRepository };
}

/**
 * Stores a known unit with its proof. A unit that only a sheet suggests is not stored. A proof by
 * sending stays, and so does that a person has stated the same.
 */
export async function savePriceUnitSetting(
  context: SettingContext,
  unit: PriceUnit,
  proof: PriceUnitProof,
): Promise<void> {
  if (unit === "unknown") return;
  const known = await readStoredPriceUnit(context);
  const same = known?.unit === unit ? known : undefined;
  const isStated = proof === "person" || same?.isStated === true;
  const kept = same?.proof === "sent" ? "sent" : proof;
  await context.memory.notes.saveNotes({ [keyOf(context)]: [unit, kept, isStated] });
}

/** Stores the unit that a plan has learned, unless one is stored already. */
export async function savePlannedPriceUnit(
  context: SettingContext,
  { priceUnit, priceUnitBy = "nothing" }: PriceUnitFacts,
): Promise<void> {
  const proof = PROOFS[priceUnitBy];
  if (proof !== undefined) await savePriceUnitSetting(context, priceUnit, proof);
}

const PROOFS: Readonly<Partial<Record<PriceUnitBasis, PriceUnitProof>>> = {
  set: "person",
  asked: "person",
  sent: "sent",
};
