/**
 * How many calls run at a time: a number that a person has set, or limits that are found out and
 * stored for the next command.
 */

import {
  type AutoConcurrency,
  type Client,
  type ConcurrencyLimits,
  MAX_CONCURRENCY,
} from "@catalog/client";
import type { NoteRepository } from "@catalog/database";
import { z } from "zod";

/** A fixed number of calls at a time, or `auto` to find it out. */
export type Concurrency = number | "auto";

/** Where the limits of an address are stored. */
interface ConcurrencyContext {
  /** The canonical address. */
  readonly baseUrl: string;
  readonly notes: NoteRepository;
}

const noteSchema: z.ZodType<ConcurrencyLimits> = z.object({
  reads: z.int().min(1).max(MAX_CONCURRENCY.reads),
  writes: z.int().min(1).max(MAX_CONCURRENCY.writes),
});

const keyOf = ({ baseUrl }: ConcurrencyContext): string => `${baseUrl} concurrency`;

/** Returns the client's option; the search begins with the limits that were found last. */
export async function readConcurrency(
  context: ConcurrencyContext,
  set: Concurrency,
): Promise<number | AutoConcurrency> {
  if (set !== "auto") return set;
  return { learned: await context.notes.readNote(keyOf(context), noteSchema) };
}

/** Stores the limits that the client has found, where they differ from the stored ones. */
export async function saveConcurrency(
  context: ConcurrencyContext,
  set: Concurrency,
  client: Pick<Client, "limits">,
): Promise<void> {
  if (set !== "auto") return;
  const { reads, writes } = client.limits();
  const stored = await context.notes.readNote(keyOf(context), noteSchema);
  if (stored?.reads === reads && stored.writes === writes) return;
  await context.notes.saveNotes({
    [keyOf(context)]: { reads, writes } satisfies ConcurrencyLimits,
  });
}

/** Maximum number of writes at a time. */
export const maxWrites = (set: Concurrency): number =>
  set === "auto" ? MAX_CONCURRENCY.writes : set;
