import { describe, expect, it } from "vitest";

import { createCallLog } from "../../src/index.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { newRun } from "../helpers/runs-and-rows.ts";

describe("the calls of a run", () => {
  it("adds up calls by minute, with the latest limit", async () => {
    const { database, runs } = await openTestJournal();
    await runs.create(newRun("run-2"));
    const log = createCallLog(database);

    await log.add("run-1", [
      { minute: 11, calls: 4, perHour: null },
      { minute: 10, calls: 9, perHour: null },
    ]);
    await log.add("run-1", [{ minute: 11, calls: 3, perHour: 600 }]);
    await log.add("run-2", [{ minute: 11, calls: 1, perHour: 600 }]);

    expect(await log.read("run-1")).toEqual([
      { minute: 10, calls: 9, perHour: null },
      { minute: 11, calls: 7, perHour: 600 },
    ]);
    expect(await log.read("run-2")).toEqual([{ minute: 11, calls: 1, perHour: 600 }]);
  });

  it("refuses calls of a run that does not exist, and writes none of them", async () => {
    const { database } = await openTestJournal();
    const log = createCallLog(database);

    await expect(log.add("run-9", [{ minute: 1, calls: 1, perHour: null }])).rejects.toThrow(
      /FOREIGN/u,
    );
    expect(await log.read("run-9")).toEqual([]);
  });
});
