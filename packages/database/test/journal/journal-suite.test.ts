import { testJournal } from "@catalog/runs/testing/journal-suite";

import { openTestJournal } from "../helpers/open-test-journal.ts";

testJournal(() => openTestJournal({ runs: ["run-1", "run-2", "run-3"] }));
