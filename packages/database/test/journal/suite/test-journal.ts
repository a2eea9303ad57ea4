/**
 * Contract tests of the journal: each database runs them with a function that
 * opens an empty journal. Promises of one implementation are in its own tests.
 */

import { describe } from "vitest";

import type { CreateJournal } from "./journal-under-test.ts";
import { testEvents } from "./test-events.ts";
import { testListingCache } from "./test-listing-cache.ts";
import { testSettling } from "./test-outcomes.ts";
import { testRequests } from "./test-requests.ts";
import { testRowRepository } from "./test-row-repository.ts";
import { testSending } from "./test-sending.ts";
import { testShopBehavior } from "./test-shop-behavior.ts";

/** Adds the contract tests of a journal to the calling test file. */
export function testJournal(create: CreateJournal): void {
  describe("a journal", () => {
    testRowRepository(create);
    testSending(create);
    testSettling(create);
    testRequests(create);
    testEvents(create);
    testListingCache(create);
    testShopBehavior(create);
  });
}
