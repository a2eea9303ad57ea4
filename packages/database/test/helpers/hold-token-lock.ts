/** Takes the token lock of a key and keeps it until the process ends. */

import { systemClock } from "@catalog/clock";

import { createTokenTurn } from "../../src/locks/token-lock.ts";
import { argument, waitForGo } from "./script-lines.ts";

const turn = createTokenTurn({ databasePath: argument(0), clock: systemClock });
await turn(argument(1), waitForGo);
