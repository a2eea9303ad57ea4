import { createFakeClock } from "@catalog/clock/testing";

import { createMemoryJournal } from "../../src/testing.ts";
import { testJournal } from "../../src/testing/journal-suite/test-journal.ts";

testJournal(async () => {
  const clock = createFakeClock(1_000);
  return { journal: createMemoryJournal({ clock }), clock };
});
