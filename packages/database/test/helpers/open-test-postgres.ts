/** Opens databases of PostgreSQL for tests. */

import { type Clock, systemClock } from "@catalog/clock";
import { describe, onTestFinished } from "vitest";

import { createLeases, type Leases } from "../../src/locks/leases.ts";
import { openPostgres } from "../../src/postgres/open-postgres.ts";
import type { Database } from "../../src/sql/database.ts";
import { createTestDatabase, hasPostgres, type TestDatabase } from "../../src/testing/index.ts";
import { STORE } from "./runs-and-rows.ts";

/** Describes tests that need a server; they are skipped where there is none. */
export const describeOnPostgres: typeof describe.skip = describe.skipIf(!hasPostgres());

export interface TestPostgres {
  readonly database: Database;
  /** Leases whose monotonic clock is that of the test. */
  readonly leases: Leases;
  /** The database as another program sees it. */
  readonly server: TestDatabase;
}

/** Makes a database, opens it, and drops it when the test is over. */
export async function openTestPostgres(clock: Clock = systemClock): Promise<TestPostgres> {
  const server = await createTestDatabase();
  const database = await openPostgres({ url: server.url, clock, store: STORE });
  onTestFinished(async () => {
    await database.close();
    await server[Symbol.asyncDispose]();
  });
  const leases = createLeases({
    database,
    clock,
    scope: "store 1",
    monotonicMs: () => clock.now(),
  });
  return { database, leases, server };
}
