import { createFakeClock } from "@catalog/clock/testing";

import { createJournal } from "../../src/journal/journal.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { describeOnPostgres, openTestPostgres, STORE } from "../helpers/open-test-postgres.ts";
import { newRun } from "../helpers/runs-and-rows.ts";
import { testJournal } from "./suite/test-journal.ts";

testJournal(() => openTestJournal({ runs: ["run-1", "run-2", "run-3"] }));

describeOnPostgres("on PostgreSQL", () => testJournal(openJournal));

async function openJournal(): ReturnType<Parameters<typeof testJournal>[0]> {
  const clock = createFakeClock(1_000);
  const { database, leases } = await openTestPostgres(clock);
  await leases.take("store", { command: "test", pid: process.pid, sinceMs: 0 });
  const runs = createRunRepository({ database, clock, store: STORE });
  for (const id of ["run-1", "run-2", "run-3"]) await runs.create(newRun(id));
  return { clock, journal: createJournal({ database, clock, store: STORE, leases }) };
}
