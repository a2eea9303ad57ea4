import type { StoreMemory } from "@catalog/connection";

/** The profiles of one store; a name may stand for several sets of headers. */
export type ProfileRepository = StoreMemory["profiles"];

/** How the columns of one kind of sheet are read, as a person has confirmed it. */
export type Profile = Parameters<ProfileRepository["save"]>[0];
