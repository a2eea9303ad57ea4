/** Takes the lock of a store and keeps it until the process ends. */

import { lockFile } from "../../src/locks/store-locks.ts";
import { argument, waitForGo } from "./script-lines.ts";

const holder = { command: argument(1), pid: process.pid, sinceMs: 0 };
using lock = lockFile({ path: argument(0), holder });
lock.nameRun(argument(2));
await waitForGo();
