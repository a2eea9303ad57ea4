import { createFakeClock } from "@catalog/clock/testing";
import { openMemoryJournal } from "@catalog/database/testing";
import { reconcile } from "@catalog/runs";
import {
  createFakeMarketplace,
  codeKey,
  listed,
  plan,
  readStates,
  RUN,
  SHEET,
  toAdd,
} from "@catalog/runs/testing";
import { expect, it } from "vitest";

it("keeps the code of a rejected add where no filter is proven and the listing is too long to read", async () => {
  const journal = await openMemoryJournal();
  const products = Array.from({ length: 5_001 }, (_, n) => listed(`b${n}`, `B${n}`));
  const fake = createFakeMarketplace({ products, useless: ["product_code"] });
  const marketplace = { ...fake, trustsFilter: async () => false };
  await plan(journal, [toAdd(2, "A1")]);
  const key = { runId: RUN, row: 2 };
  journal.beginSending(key);
  const evidence = { claim: "rejected" };
  await journal.recordOutcome(
    { ...key, from: "sending" },
    { to: "ambiguous", cause: "status-422", evidence },
  );

  const options = { journal, marketplace, clock: createFakeClock(), codeKey, sheet: SHEET };
  await reconcile({ ...options, lookupDelaysMs: [0, 0] });

  expect(await readStates(journal)).toEqual(["2: rejected"]);
  expect(await journal.readKnownCodes(["a1"])).toMatchObject([{ ...key, isRefused: true }]);
});
