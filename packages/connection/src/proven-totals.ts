/** Remembers of which listings the totals were proven to be right. */

import type { ListingTotals } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import type { ListedNoteRepository } from "@catalog/database";
import { z } from "zod";

/** A proof of another day counts no more: the marketplace may have changed. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** A proof is stored again only where the stored one is older than this. */
const RENEW_MS = 60 * 60 * 1000;

export interface ProvenTotalsOptions {
  /** The canonical address. */
  readonly baseUrl: string;
  readonly notes: ListedNoteRepository;
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
  const proven = new Set<string>();
  for (const { key } of await notes.listNotes(keyOf(""), z.boolean())) {
    if ((await notes.readNote(key, z.boolean(), MAX_AGE_MS)) === true) proven.add(key);
  }
  let storing: Promise<void> = Promise.resolve();
  const store = (key: string, areProven: boolean): void => {
    const saving = notes.saveNotes({ [key]: areProven });
    // What cannot be stored is found out again.
    storing = Promise.allSettled([storing, saving]).then(() => undefined);
  };
  const totalsOf = (name: string): ListingTotals => {
    const key = keyOf(name);
    let known = proven.has(key);
    let storedAtMs = Number.NEGATIVE_INFINITY;
    return {
      get areProven() {
        return known;
      },
      set areProven(areProven) {
        const isStored = known === areProven && clock.now() - storedAtMs < RENEW_MS;
        known = areProven;
        if (isStored) return;
        storedAtMs = clock.now();
        store(key, areProven);
      },
    };
  };
  return { totalsOf, stored: () => storing };
}
