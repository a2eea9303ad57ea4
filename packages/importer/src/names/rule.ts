import type { StoreMemory } from "@catalog/connection";

/** The rules of one store. */
export type RuleRepository = StoreMemory["rules"];

/** What a person has said that a text means in one field of a store's sheets. */
export type Rule = Parameters<RuleRepository["save"]>[0][number];
