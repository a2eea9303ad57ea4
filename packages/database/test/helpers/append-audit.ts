/** Appends entries to the audit of a team, at the same moment as other processes. */

import { systemClock } from "@catalog/clock";

import { openTeam } from "../../src/team/open-team.ts";
import { argument, say, waitForGo } from "./script-lines.ts";

const [home, databaseUrl, self] = [argument(0), argument(1), argument(2)];
const database = databaseUrl === "" ? {} : { databaseUrl };
await using team = await openTeam({ home, ...database, clock: systemClock });
await waitForGo();
const entry = { action: "test.append", store: null, subject: self, before: null };
for (let after = 1; after <= Number(argument(3)); after += 1) {
  await team.audit.write({ ...entry, after }, { person: null, key: null, address: null });
}
say("done");
