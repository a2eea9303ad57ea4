import { createTestConnection, storeRun } from "@catalog/connection/testing";
import { toCounts } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { formatNextSteps, listNextSteps } from "../../src/html/next-steps.ts";

async function openRun() {
  const { connection } = await createTestConnection();
  const run = await storeRun(connection, { header: ["Kod"], rows: [], reportDir: "/veri/son uç" });
  return { run, none: toCounts([]) };
}

describe("what to do next", () => {
  it("is to send what is left, to correct, and to decide, in this order", async () => {
    const { run, none } = await openRun();

    const steps = listNextSteps(run, { ...none, pending: 4, invalid: 2, held: 1 });

    expect(steps.map(({ command }) => command)).toEqual([
      expect.stringContaining(run.id),
      'catalog import "/veri/son uç/failed.xlsx"',
      `catalog release ${run.id} --approved "/veri/son uç/held.xlsx"`,
    ]);
  });

  it("is never to import the rows of a feed again", async () => {
    const { run, none } = await openRun();

    expect(listNextSteps({ ...run, kind: "sync" }, { ...none, invalid: 2 })).toEqual([]);
  });

  it("is nothing where every row is settled", async () => {
    const { run, none } = await openRun();

    expect(formatNextSteps(run, none)).toContain("Yapılacak bir şey yok");
  });
});
