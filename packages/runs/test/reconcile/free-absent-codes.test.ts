import { describe, expect, it } from "vitest";

import { freeAbsentCodes } from "../../src/reconcile/decide-absent.ts";
import {
  createFakeMarketplace,
  createMemoryJournal,
  type MemoryJournal,
} from "../../src/testing.ts";
import { id, RUN } from "../helpers/products.ts";
import { plan, toAdd } from "../helpers/rows.ts";

const KEY = { runId: RUN, row: 2 };

/** A1 was refused at second 10, and its absence is not proven. */
async function openRefused(lagMs: number | undefined): Promise<MemoryJournal> {
  const journal = createMemoryJournal();
  await plan(journal, [toAdd(2, "A1")]);
  journal.beginSending(KEY, { serverMs: 9_000 });
  const evidence = { claim: "rejected", serverMs: 10_000 };
  await journal.recordOutcome(
    { ...KEY, from: "sending" },
    { to: "rejected", cause: "status-422", keepsCode: true, evidence },
  );
  if (lagMs !== undefined) {
    await journal.startLagSample(id("p1"), 0);
    await journal.recordLagSample(id("p1"), { shown: true, serverMs: lagMs });
  }
  return journal;
}

async function freeAt(journal: MemoryJournal, lookedUpMs: number | null, isSeen = false) {
  const known = await journal.readKnownCodes(["a1"]);
  const options = { journal, marketplace: createFakeMarketplace(), lookedUpMs };
  return (await freeAbsentCodes(options, known, () => isSeen)).map(({ codeKey }) => codeKey);
}

describe("freeing the code of a refused add", () => {
  it.each([
    {
      store: "shows products at once, read 2 seconds later",
      lagMs: 0,
      lookedUpMs: 12_000,
      taken: [],
    },
    { store: "shows products at once, read at once", lagMs: 0, lookedUpMs: 11_000, taken: ["a1"] },
    { store: "takes a minute, read too soon", lagMs: 60_000, lookedUpMs: 200_000, taken: ["a1"] },
    {
      store: "takes a minute, read five minutes later",
      lagMs: 60_000,
      lookedUpMs: 310_000,
      taken: [],
    },
    { store: "was seen to show nothing", lagMs: undefined, lookedUpMs: 86_400_000, taken: ["a1"] },
    { store: "gives no server time", lagMs: 0, lookedUpMs: null, taken: ["a1"] },
  ])(
    "decides on the code in a store that $store: taken $taken",
    async ({ lagMs, lookedUpMs, taken }) => {
      const journal = await openRefused(lagMs);

      expect(await freeAt(journal, lookedUpMs)).toEqual(taken);
      expect((await journal.readKnownCodes(["a1"])).map(({ codeKey }) => codeKey)).toEqual(taken);
    },
  );

  it("keeps the code where the store shows its product", async () => {
    const journal = await openRefused(0);

    expect(await freeAt(journal, 86_400_000, true)).toEqual(["a1"]);
  });
});
