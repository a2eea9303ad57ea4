/**
 * Stores in which unit a marketplace lists prices; one address lists all its stores' prices in the
 * same unit.
 */

import { type NoteBook } from "@catalog/database";
import {
  type KnownPriceUnit,
  type KnownUnit,
  type PriceUnit,
  type PriceUnitBasis,
  type PriceUnitFacts,
} from "@catalog/runs";
import { z } from "zod";

import { type StoreFacts } from "./connection-groups.ts";

/** Proof of a stored unit: a person's statement, or prices that we sent and read back. */
export type PriceUnitProof = "person" | "sent";

/** The unit and its proof, which older versions left out. */
const noteSchema = z.tuple([z.enum(["minor", "major"])], z.unknown());

type Place = Pick<StoreFacts, "baseUrl"> & {
  readonly memory: { readonly notes: NoteBook };
  readonly priceUnit?: KnownUnit | undefined;
};

const keyOf = ({ baseUrl }: Place): string => `${baseUrl} price-unit`;

/** The unit that a person states now or has set, else the one that earlier runs have learned. */
export async function recallPriceUnit(place: Place, said?: KnownUnit): Promise<KnownPriceUnit> {
  const [remembered] = place.memory.notes.readNote(keyOf(place), noteSchema) ?? [];
  return { set: said ?? place.priceUnit, remembered };
}

/** Stores a known unit with its proof. A unit that only a sheet suggests is not stored. */
export async function rememberPriceUnit(
  place: Place,
  unit: PriceUnit,
  proof: PriceUnitProof,
): Promise<void> {
  if (unit !== "unknown") place.memory.notes.saveNotes({ [keyOf(place)]: [unit, proof] });
}

/** Stores the unit that a plan has learned, unless one is stored already. */
export async function rememberPlannedUnit(
  place: Place,
  { priceUnit, priceUnitBy = "nothing" }: PriceUnitFacts,
): Promise<void> {
  const proof = PROOFS[priceUnitBy];
  if (proof !== undefined) await rememberPriceUnit(place, priceUnit, proof);
}

const PROOFS: Readonly<Partial<Record<PriceUnitBasis, PriceUnitProof>>> = {
  set: "person",
  asked: "person",
  sent: "sent",
};
