/**
 * What every journal promises, as tests: the memory journal and each database call it with a
 * function that opens an empty journal. What one of them alone promises, its own tests say.
 */

import { describe } from "vitest";

import { type CreateJournal } from "./journal-under-test.ts";
import { testEvents } from "./test-events.ts";
import { testListingCache } from "./test-listing-cache.ts";
import { testSettling } from "./test-outcomes.ts";
import { testRequests } from "./test-requests.ts";
import { testRowRepository } from "./test-row-repository.ts";
import { testSending } from "./test-sending.ts";
import { testShopBehavior } from "./test-shop-behavior.ts";

/** Adds the tests of a journal to the test file that calls it. */
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
