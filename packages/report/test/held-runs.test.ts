import { createIssue, createTestConnection, storeRun } from "@catalog/connection/testing";
import type { RunRecord } from "@catalog/runs";
import { expect, it } from "vitest";

import { listHeldRuns } from "../src/held-files.ts";
import { NOTHING_PLANNED } from "../src/run-summary.ts";

const FACTS: NonNullable<RunRecord["facts"]> = {
  readBy: "listing",
  priceUnit: "minor",
  planned: NOTHING_PLANNED,
};

it("lists what was sent in part, without plans that wait for nobody and older syncs of a feed", async () => {
  const { connection, clock } = await createTestConnection();
  const rows = [{ cells: ["A"], state: "held" as const, issues: [createIssue()] }];
  const store = async (
    id: string,
    state: RunRecord["state"],
    { command = "import", facts = FACTS }: Partial<Pick<RunRecord, "command" | "facts">> = {},
  ): Promise<void> => {
    await clock.advance(60_000);
    await storeRun(connection, { id, command, header: ["Kod"], rows });
    await connection.runs.update(id, { state, ...(facts !== null && { facts }) });
  };
  await store("r-261128-0900-0001", "finished");
  await store("r-261128-0901-0002", "planned");
  await store("r-261128-0902-0003", "finished", { command: "sync" });
  await store("r-261128-0903-0004", "finished", { command: "sync" });
  await store("r-261128-0904-0005", "stopped");

  const found = await listHeldRuns(connection);

  expect(found.map(({ run, held }) => [run.id.slice(-4), held])).toEqual([
    ["0005", 1],
    ["0004", 1],
    ["0001", 1],
  ]);
});
