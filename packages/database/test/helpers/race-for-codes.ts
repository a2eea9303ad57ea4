/** Starts to send every row of a run in the order of the sheet, and prints which it has started. */

import { systemClock } from "@catalog/clock";

import { createJournal } from "../../src/journal/journal.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { STORE } from "./runs-and-rows.ts";
import { argument, say, waitForGo } from "./script-lines.ts";

using database = await openDatabase(argument(0));
const journal = createJournal({ database, clock: systemClock, store: STORE });
const runId = argument(1);
const rows = await journal.readRows(runId, { states: ["ready"], limit: 1_000 });
await waitForGo();
const begun = rows.filter(({ row }) => journal.beginSending({ runId, row }) === "begun");
say(JSON.stringify(begun.map(({ row }) => row)));
