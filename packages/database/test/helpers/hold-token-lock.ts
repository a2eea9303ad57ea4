/** Takes the token lock of a key and keeps it until the process ends. */

import { systemClock } from "@catalog/clock";

import { createTokenLock } from "../../src/repositories/tokens.ts";
import { argument, waitForGo } from "./script-lines.ts";

const lock = createTokenLock({ databasePath: argument(0), clock: systemClock });
await lock(argument(1), waitForGo);
