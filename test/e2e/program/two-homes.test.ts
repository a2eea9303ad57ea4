import type { Connection } from "@catalog/connection";
import { applyPlan, planFile } from "@catalog/importer";
import { describe, expect, it } from "vitest";

import {
  type ConnectionHarness,
  openConnectionHarness,
} from "../../helpers/markets/connection-harness.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";

const ROWS = 30;

const plan = async (connection: Connection, path: string): Promise<string> => {
  const asked = { path, command: "import", lang: "tr", mode: "upsert" } as const;
  return (await planFile(connection, { ...asked, reportDir: `${path}.{run}` })).id;
};

const send = async (connection: Connection, runId: string): Promise<void> => {
  await applyPlan(connection, { runId, settings: { noVerify: true } });
};

const doublesOf = ({ sandbox }: ConnectionHarness): number =>
  Object.values(sandbox.inspect().doubles).reduce((sum, ids) => sum + ids.length - 1, 0);

/**
 * Imports the same 30 new products on two machines, which know of each other only through the
 * store.
 */
async function importTwice(
  shown: "visible" | "after-delay" | "after-approval",
  how: "in turn" | "planned together" | "together",
): Promise<number> {
  const breaks = { "early-token": "a second home has a token of its own" } as const;
  const harness = await openConnectionHarness({ personality: { "new-product": shown }, breaks });
  const path = writeCsv(harness.folder, "a.csv", goodRows(ROWS));
  const homes = [harness.connection, await harness.openAnother("elsewhere")];
  if (how === "in turn") {
    for (const home of homes) await send(home, await plan(home, path));
    return doublesOf(harness);
  }
  const planned: (readonly [Connection, string])[] = [];
  for (const home of homes) planned.push([home, await plan(home, path)]);
  if (how === "together") await Promise.all(planned.map(([home, run]) => send(home, run)));
  // A plan older than the last reading of the listing is checked again.
  else {
    for (const [home, run] of planned) {
      await send(home, run);
      await harness.connection.clock.sleep(11_000);
    }
  }
  return doublesOf(harness);
}

describe("two homes of one store", () => {
  it("duplicate nothing one after the other when the store shows a product at once", async () => {
    expect(await importTwice("visible", "in turn")).toBe(0);
  });

  it("duplicate nothing when both have planned and one sends eleven seconds later", async () => {
    expect(await importTwice("visible", "planned together")).toBe(0);
  });

  // Without a shared database these duplicates cannot be prevented; the README says so.
  it.each(["after-delay", "after-approval"] as const)(
    "duplicate every code one after the other when new products are shown %s",
    async (shown) => {
      expect(await importTwice(shown, "in turn")).toBe(ROWS);
    },
  );

  it("duplicate codes that both send within seconds of both plans", async () => {
    const doubles = await importTwice("visible", "together");

    expect(doubles).toBeGreaterThan(0);
    expect(doubles).toBeLessThanOrEqual(ROWS);
  });
});
