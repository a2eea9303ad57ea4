/**
 * Stores the unit in which a marketplace lists prices; the unit is the same for all stores of one
 * address.
 */

import type { ListedNoteRepository, NoteRepository } from "@catalog/database";
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
export type PriceUnitProof = "person" | "sent";

/** The unit and its proof, which older versions left out. */
const noteSchema = z.tuple([z.enum(["minor", "major"])], z.unknown());

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

/** A stored unit; its proof is `undefined` where an older version stored it. */
export interface StoredPriceUnit {
  readonly unit: KnownUnit;
  readonly proof: PriceUnitProof | undefined;
}

/** Reads the stored unit with its proof. */
export async function readStoredPriceUnit(
  context: SettingContext,
): Promise<StoredPriceUnit | undefined> {
  const [unit, proof] = (await context.memory.notes.readNote(keyOf(context), noteSchema)) ?? [];
  const known = z.enum(["person", "sent"]).safeParse(proof).data;
  return unit === undefined ? undefined : { unit, proof: known };
}

/** Forgets the stored unit, so that it is learnt or asked again. */
export async function forgetPriceUnit(context: ForgettingContext): Promise<void> {
  await context.memory.notes.removeNotes([keyOf(context)]);
}

interface ForgettingContext extends Pick<StoreFacts, "baseUrl"> {
  readonly memory: { readonly notes: ListedNoteRepository };
}

/** Stores a known unit with its proof. A unit that only a sheet suggests is not stored. */
export async function savePriceUnitSetting(
  context: SettingContext,
  unit: PriceUnit,
  proof: PriceUnitProof,
): Promise<void> {
  if (unit !== "unknown") await context.memory.notes.saveNotes({ [keyOf(context)]: [unit, proof] });
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
