/** Remembers of which listings the totals were proven to be right. */

import type { ListingTotals } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import type { DatedNoteRepository } from "@catalog/database";
import { z } from "zod";

/** A proof of another day counts no more: the marketplace may have changed. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** A proof is stored again only where the stored one is older than this. */
const RENEW_MS = 60 * 60 * 1000;

export interface ProvenTotalsOptions {
  /** The canonical address. */
  readonly baseUrl: string;
  readonly notes: DatedNoteRepository;
  readonly clock: Pick<Clock, "now">;
}

/** Returns what is known of the totals of a call, such as `product.list`; changes are stored. */
export function openProvenTotals({
  baseUrl,
  notes,
  clock,
}: ProvenTotalsOptions): (name: string) => ListingTotals {
  return (name) => {
    const key = `${baseUrl} totals ${name}`;
    let known: boolean | undefined;
    let storedAtMs = Number.NEGATIVE_INFINITY;
    return {
      get areProven() {
        return (known ??= notes.readNote(key, z.boolean(), MAX_AGE_MS) ?? false);
      },
      set areProven(areProven) {
        const isStored = known === areProven && clock.now() - storedAtMs < RENEW_MS;
        known = areProven;
        if (isStored) return;
        storedAtMs = clock.now();
        notes.saveNotes({ [key]: areProven });
      },
    };
  };
}
