import { describe, expect, it } from "vitest";

import { type Listing, readListings } from "../src/read-listings.ts";
import {
  idsFrom,
  idsOf,
  noSuchPage,
  openJob,
  STATUSES,
  toListing,
  toPage,
} from "./helpers/changing-shop.ts";

type Lists = Record<(typeof STATUSES)[number], string[]>;

/** Listings of these ids, with a change before each answer. */
const toListings = (lists: Lists, change: (call: number) => void): readonly Listing[] => {
  let calls = 0;
  return STATUSES.map((name) =>
    toListing({ name, pageSize: 10 }, async (page, size) => {
      calls += 1;
      change(calls);
      return toPage(lists[name], page, size);
    }),
  );
};

const without = (ids: readonly string[], id: string): string[] => ids.filter((each) => each !== id);

describe("readListings in a store that changes", () => {
  it("misses no product that has moved to a listing which was read before an interruption", async () => {
    const lists = {
      approved: idsFrom("a", 25),
      passive: idsFrom("p", 15),
      veto: ["v0"],
    };
    const died = new Error("killed");
    let callsLeft = 7;
    const listings = STATUSES.map((name) =>
      toListing({ name, pageSize: 10 }, async (page, size) => {
        if (callsLeft === 0) throw died;
        callsLeft -= 1;
        return toPage(lists[name], page, size);
      }),
    );
    const job = await openJob();
    await expect(readListings({ listings, job })).rejects.toBe(died);

    // Meanwhile every total changes twice and is the same again.
    lists.passive = [...lists.passive.filter((id) => id !== "p12"), "p-new"];
    lists.approved = ["p12", ...lists.approved.filter((id) => id !== "a3")];
    callsLeft = Infinity;
    const end = await readListings({ listings, job });

    expect(await idsOf(job)).toContain("p12");
    expect(end).toMatchObject({ isChecked: true, isConsistent: true });
  });

  it.each([1, 4])(
    "reads again where the last page is empty because a product has left, %i pages at a time",
    async (width) => {
      const ids = idsFrom("a", 21);
      const left = new Set<string>();
      const listing = toListing({ name: "approved", pageSize: 10, width }, async (page, size) => {
        if (page === 3) left.add("a2");
        return toPage(
          ids.filter((id) => !left.has(id)),
          page,
          size,
        );
      });
      const job = await openJob();

      const end = await readListings({ listings: [listing], job });

      expect(await idsOf(job)).toContain("a20");
      expect(end).toMatchObject({ isChecked: true });
    },
  );

  it("misses no product that came back as another one left, so that all totals are equal", async () => {
    const lists: Lists = { approved: idsFrom("a", 25), passive: ["p0"], veto: ["v0"] };
    const listings = toListings(lists, (call) => {
      // The first totals of the two short listings are the first calls.
      if (call === 3) {
        lists.approved = without(lists.approved, "a7");
        lists.passive.push("a7");
      }
      if (call === 7) {
        lists.passive = ["p0"];
        lists.approved = ["a7", ...without(lists.approved, "a2")];
      }
    });
    const job = await openJob();

    const end = await readListings({ listings, job });

    expect(await idsOf(job)).toContain("a7");
    expect(end).toMatchObject({ isChecked: true });
  });

  it("does not blame the totals where promised pages are refused because their products left", async () => {
    let count = 20;
    let passes = 0;
    const listing = toListing({ name: "approved", pageSize: 10 }, async (page, size) => {
      // The last product comes back before each of the first passes, and leaves again.
      if (page === 1) passes += 1;
      if (page === 1 && passes <= 2) count = 21;
      if (page === 3) count = 20;
      const answer = toPage(idsFrom("a", count), page, size);
      if (answer.items.length === 0) throw noSuchPage();
      return answer;
    });
    const job = await openJob();

    const end = await readListings({ listings: [listing], job });

    expect(end).toMatchObject({ isChecked: true });
  });

  it("asks for full pages again where a listing of one product has grown since", async () => {
    const lists: Lists = { approved: ["a0"], passive: [], veto: [] };
    const sizes: number[] = [];
    const listings = toListings(lists, (call) => {
      if (call === 5) lists.approved = idsFrom("a", 30);
    }).map((listing) =>
      toListing(listing, async (page, size) => {
        sizes.push(size);
        return await listing.fetch(page, size);
      }),
    );
    const job = await openJob();

    await readListings({ listings, job });

    expect(await idsOf(job)).toEqual(idsFrom("a", 30));
    expect(sizes.length).toBeLessThan(30);
  });
});
