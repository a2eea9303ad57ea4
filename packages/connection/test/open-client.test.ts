import { once } from "node:events";
import { createServer } from "node:http";

import { systemClock } from "@catalog/clock";
import { createFakeClock } from "@catalog/clock/testing";
import { createNoteRepository, openDatabase } from "@catalog/database/testing";
import { expect, it, onTestFinished } from "vitest";

import { openProvenTotals, type ProvenTotals } from "../src/open-client.ts";
import { createTestConnection } from "../src/testing/index.ts";

const HOUR_MS = 3_600_000;

async function openFixture() {
  const database = await openDatabase(":memory:");
  onTestFinished(() => database.close());
  const clock = createFakeClock(1_000);
  const notes = createNoteRepository(database, clock);
  const open = (baseUrl = "https://a.example"): Promise<ProvenTotals> =>
    openProvenTotals({ baseUrl, notes, clock });
  return { clock, notes, open };
}

const areProven = ({ totalsOf }: ProvenTotals): readonly boolean[] =>
  ["old", "wrong"].map((name) => totalsOf(name).areProven);

it("remembers of which listings of a marketplace the totals are proven", async () => {
  const { open } = await openFixture();
  const first = await open();
  first.totalsOf("product.list").areProven = true;
  first.totalsOf("order.list").areProven = false;
  await first.stored();

  const [later, stranger] = [await open(), await open("https://b.example")];

  expect(later.totalsOf("product.list").areProven).toBe(true);
  expect(later.totalsOf("order.list").areProven).toBe(false);
  expect(stranger.totalsOf("product.list").areProven).toBe(false);
});

it("takes totals for right that are proven for other calls, unless those of one were wrong", async () => {
  const { open } = await openFixture();
  const { totalsOf } = await open();
  const models = totalsOf("brand.models");
  const isProven = (): boolean | undefined => models.areProvenElsewhere;

  const before = isProven();
  totalsOf("brand.list").areProven = true;
  const proven = isProven();
  totalsOf("order.list").areProven = false;

  expect([before, proven, isProven()]).toEqual([false, true, false]);
});

it("forgets a proof after a day, and takes it back where the totals were wrong", async () => {
  const { clock, open } = await openFixture();
  const first = await open();
  for (const name of ["old", "wrong"]) first.totalsOf(name).areProven = true;
  await clock.advance(23 * HOUR_MS);
  first.totalsOf("wrong").areProven = false;
  await first.stored();
  const before = await open();
  await clock.advance(HOUR_MS);

  const after = await open();

  expect([areProven(before), areProven(after)]).toEqual([
    [true, false],
    [false, false],
  ]);
});

it("goes on where a proof cannot be stored", async () => {
  const { notes, clock } = await openFixture();
  const full = { ...notes, saveNotes: () => Promise.reject(new Error("the disk is full")) };
  const totals = await openProvenTotals({ baseUrl: "https://a.example", notes: full, clock });
  const listing = totals.totalsOf("product.list");

  listing.areProven = true;
  await totals.stored();

  expect(listing.areProven).toBe(true);
});

/** A server that ends every request without an answer. */
async function startSilent() {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.destroy();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { baseUrl: `http://127.0.0.1:${address.port}`, requests: () => requests };
}

it.each([0, 1])(
  "repeats a call without an answer %i times where that is asked for",
  async (retries) => {
    const { baseUrl, requests } = await startSilent();
    const { connection } = await createTestConnection({ baseUrl, retries, clock: systemClock });

    await expect(connection.client.login()).rejects.toMatchObject({ code: "NETWORK_ERROR" });

    expect(requests()).toBe(retries + 1);
  },
);
