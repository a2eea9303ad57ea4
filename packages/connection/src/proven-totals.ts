/** Remembers of which listings the totals were proven to be right. */

import type { ListingTotals } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import type { NoteRepository } from "@catalog/database";
import { z } from "zod";

/** A proof of another day counts no more: the marketplace may have changed. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** A proof is stored again only where the stored one is older than this. */
const RENEW_MS = 60 * 60 * 1000;

interface ProvenTotalsOptions {
  /** The canonical address. */
  readonly baseUrl: string;
  readonly notes: NoteRepository;
  readonly clock: Pick<Clock, "now">;
}

/** What is known of totals, by the name of a call such as `product.list`. */
export interface ProvenTotals {
  /** Returns what is known of the totals of a call; changes are stored. */
  readonly totalsOf: (name: string) => ListingTotals;
  /** Resolves once all changes are stored; never rejects. */
  readonly stored: () => Promise<void>;
}

/** Reads what is known. */
export async function openProvenTotals({
  baseUrl,
  notes,
  clock,
}: ProvenTotalsOptions): Promise<ProvenTotals> {
  const keyOf = (name: string): string => `${baseUrl} totals ${name}`;
  /** Whether the totals of a call were last found to be right, by its key. */
  const found = new Map<string, boolean>();
  for (const { key } of await notes.listNotes(keyOf(""), z.boolean())) {
    const areRight = await notes.readNote(key, z.boolean(), MAX_AGE_MS);
    if (areRight !== undefined) found.set(key, areRight);
  }
  let storing: Promise<void> = Promise.resolve();
  const store = (key: string, areProven: boolean): void => {
    const saving = notes.saveNotes({ [key]: areProven });
    // What cannot be stored is found out again.
    storing = Promise.allSettled([storing, saving]).then(() => undefined);
  };
  const totalsOf = (name: string): ListingTotals => {
    const key = keyOf(name);
    let storedAtMs = Number.NEGATIVE_INFINITY;
    return {
      get areProven() {
        return found.get(key) === true;
      },
      get areProvenElsewhere() {
        // Its own totals, if found out, are right then, too.
        return found.size > 0 && !found.values().some((areRight) => !areRight);
      },
      set areProven(areProven) {
        const isStored = found.get(key) === areProven && clock.now() - storedAtMs < RENEW_MS;
        found.set(key, areProven);
        if (isStored) return;
        storedAtMs = clock.now();
        store(key, areProven);
      },
    };
  };
  return { totalsOf, stored: () => storing };
}
