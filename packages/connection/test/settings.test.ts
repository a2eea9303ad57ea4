import { join } from "node:path";

import { expect, it } from "vitest";

import type { ConnectionOptions } from "../src/connection-options.ts";
import { openConnection } from "../src/open-connection.ts";
import { CLOSED_ADDRESS, createTestConnection } from "../src/testing/test-connection.ts";

async function openStore() {
  const { folder, clock } = await createTestConnection();
  const options: ConnectionOptions = {
    home: join(folder, "home"),
    baseUrl: CLOSED_ADDRESS,
    storeId: "s-1",
    credentials: { clientKey: "key", clientSecret: "secret" },
    clock,
    random: () => 0,
  };
  return {
    open: (other: Partial<ConnectionOptions> = {}) => openConnection({ ...options, ...other }),
  };
}

it("holds for commands that start later, and gives way to what is given", async () => {
  const { open } = await openStore();
  await using first = await open();
  await first.settings.save({ guards: { priceDropPercent: 20 }, requestsPerHour: 900 });

  await using later = await open();
  await using given = await open({
    guardLimits: { priceDropPercent: 70, priceRisePercent: 10 },
    requestsPerHour: 50,
  });

  expect(later.guardLimits).toEqual({ priceDropPercent: 20 });
  expect(await later.meters.pacing.callsPerHour()).toBe(900);
  expect(given.guardLimits).toEqual({ priceDropPercent: 70, priceRisePercent: 10 });
  expect(await given.meters.pacing.callsPerHour()).toBe(50);
});

it("belongs to a store, and calls per hour to its application", async () => {
  const { open } = await openStore();
  await using first = await open();
  await first.settings.save({ guards: { priceDropPercent: 20 }, requestsPerHour: 900 });

  await using neighbour = await open({ storeId: "s-2" });
  await using stranger = await open({ credentials: { clientKey: "k2", clientSecret: "s" } });

  expect(await neighbour.settings.saved()).toEqual({ guards: {}, requestsPerHour: 900 });
  expect((await stranger.settings.saved()).requestsPerHour).toBeUndefined();
});

it("forgets what is left out", async () => {
  const { open } = await openStore();
  await using connection = await open();
  await connection.settings.save({ guards: { priceDropPercent: 20 }, requestsPerHour: 900 });

  await connection.settings.save({ guards: {}, requestsPerHour: undefined });

  expect(await connection.settings.saved()).toEqual({ guards: {}, requestsPerHour: undefined });
  await using later = await open();
  expect(later.guardLimits).toBeUndefined();
  expect(await later.meters.pacing.callsPerHour()).toBeUndefined();
});

it.each([
  [{ guards: { priceDropPercent: 101 }, requestsPerHour: undefined }, "0 ile 100 arası"],
  [{ guards: { priceRisePercent: -1 }, requestsPerHour: undefined }, "en az 0"],
  [{ guards: { zeroStockRows: 2.5 }, requestsPerHour: undefined }, "en az 1"],
  [{ guards: {}, requestsPerHour: 0 }, "1 ya da daha büyük"],
])("refuses %o and keeps what was saved", async (settings, text) => {
  const { open } = await openStore();
  await using connection = await open();

  await expect(connection.settings.save(settings)).rejects.toMatchObject({
    localized: { tr: expect.stringContaining(text) },
  });
  expect(await connection.settings.saved()).toEqual({ guards: {}, requestsPerHour: undefined });
});
