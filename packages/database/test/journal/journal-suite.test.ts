import { testJournal } from "@catalog/runs/testing/journal-suite";

import { openStore } from "../helpers/open-test-journal.ts";

testJournal(() => openStore({ runs: ["run-1", "run-2", "run-3"] }));
