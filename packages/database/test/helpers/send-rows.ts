/** Sends rows one after the other until it is killed, and prints each step once it is written. */

import { systemClock } from "@catalog/clock";

import { createJournal } from "../../src/journal/journal.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { planToSend, STORE } from "./runs-and-rows.ts";
import { argument, say } from "./script-lines.ts";

using database = await openDatabase(argument(0));
const journal = createJournal({ database, clock: systemClock, store: STORE });
const runId = argument(1);
for (let row = 1; ; row += 1) {
  const key = await planToSend(journal, { runId, row });
  say(`ready ${row}`);
  journal.beginSending(key);
  say(`sending ${row}`);
  await journal.recordOutcome({ ...key, from: "sending" }, { to: "done", cause: "answer" });
  say(`done ${row}`);
}
