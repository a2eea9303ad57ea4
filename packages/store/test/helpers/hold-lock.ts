/** Takes the lock of a store and keeps it until it is ended. */

import { lockStore } from "../../src/index.ts";
import { argument, waitForGo } from "./script-lines.ts";

using _lock = lockStore({ path: argument(0), holder: argument(1) });
await waitForGo();
