import type { Connection } from "@catalog/connection";
import { createTestConnection } from "@catalog/connection/testing";
import { expect, it } from "vitest";

import { createLaterSeconds } from "../../src/apply-and-report.ts";

const SEND = { phase: "send", total: 1_000 } as const;

/** A connection whose calls take so long. */
async function openSlow(waitMs: () => Promise<number>): Promise<Connection> {
  const { connection } = await createTestConnection();
  const pacing = { ...connection.meters.pacing, waitMs };
  return { ...connection, meters: { ...connection.meters, pacing } };
}

const refuse = (): Promise<number> => Promise.reject(new Error("the database is gone"));

const settled = (): Promise<void> => new Promise(setImmediate);

it("gives the last estimate of reading back the sent rows", async () => {
  let waitMs = 20_000;
  const later = createLaterSeconds(await openSlow(async () => waitMs), { settings: {} });
  const first = later.of(SEND);
  await settled();
  waitMs = 90_000;
  const second = later.of(SEND);
  await settled();

  expect([first, second, later.of(SEND)]).toEqual([undefined, 20, 90]);
});

it("says nothing of other phases, and 0 while rows are read back", async () => {
  const later = createLaterSeconds(await openSlow(async () => 20_000), { settings: {} });

  expect([later.of({ phase: "plan" }), later.of({ phase: "verify" })]).toEqual([undefined, 0]);
});

it("gives no estimate where none can be made", async () => {
  const later = createLaterSeconds(await openSlow(refuse), { settings: {} });
  later.of(SEND);
  await settled();

  expect(later.of(SEND)).toBeUndefined();
  await settled();
});
