/**
 * The contract of a journal, which both databases keep. Promises of one database are in its own tests.
 */

import { createFakeClock } from "@catalog/clock/testing";
import { describe } from "vitest";

import { createJournal } from "../../src/journal/journal.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { describeOnPostgres, openTestPostgres } from "../helpers/open-test-postgres.ts";
import { newRun, STORE } from "../helpers/runs-and-rows.ts";
import type { CreateJournal } from "./suite/journal-under-test.ts";
import { testActions } from "./suite/test-actions.ts";
import { testEvents } from "./suite/test-events.ts";
import { testListingCache } from "./suite/test-listing-cache.ts";
import { testSettling } from "./suite/test-outcomes.ts";
import { testRequests } from "./suite/test-requests.ts";
import { testRowRepository } from "./suite/test-row-repository.ts";
import { testSending } from "./suite/test-sending.ts";
import { testShopBehavior } from "./suite/test-shop-behavior.ts";

testJournal(() => openTestJournal({ runs: ["run-1", "run-2", "run-3"] }));

describeOnPostgres("on PostgreSQL", () => testJournal(openJournal));

async function openJournal(): ReturnType<CreateJournal> {
  const clock = createFakeClock(1_000);
  const { database, leases } = await openTestPostgres(clock);
  await leases.take("store", { command: "test", pid: process.pid, sinceMs: 0 });
  const runs = createRunRepository({ database, clock, store: STORE });
  for (const id of ["run-1", "run-2", "run-3"]) await runs.create(newRun(id));
  return { clock, journal: createJournal({ database, clock, store: STORE, leases }) };
}

function testJournal(create: CreateJournal): void {
  describe("a journal", () => {
    testRowRepository(create);
    testSending(create);
    testSettling(create);
    testRequests(create);
    testEvents(create);
    testListingCache(create);
    testShopBehavior(create);
    testActions(create);
  });
}
