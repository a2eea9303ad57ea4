/** Opens a database as a command does, and stays in the middle of a transaction. */

import { DatabaseSync } from "node:sqlite";

import { lockFile } from "../../src/locks/store-locks.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { argument, waitForGo } from "./script-lines.ts";

const [path, command, run] = [argument(0), argument(1), argument(2)];
const sinceMs = new Date(2026, 10, 21, 9, 30).getTime();
using database = await openDatabase(path, { command, sinceMs });
const holder = { command, pid: process.pid, sinceMs };
using lock = lockFile({ path: `${path}.store.lock`, holder });
if (run !== "") lock.nameRun(run);
const writer = new DatabaseSync(database.path);
writer.exec("BEGIN IMMEDIATE");
await waitForGo();
writer.close();
