/** What all parts of a team share. */

import type { Clock } from "@catalog/clock";

import type { NewAuditRecord } from "./chain.ts";
import type { PasswordHasher } from "./passwords.ts";
import type { TeamRecords } from "./records.ts";
import type { Actor, AuditEntry } from "./team.ts";

export interface TeamParts {
  readonly records: TeamRecords;
  readonly clock: Pick<Clock, "now">;
  readonly hasher: PasswordHasher;
  /** Makes an entry of what is done now; what it leaves out is `null`. */
  readonly entry: (
    entry: Partial<AuditEntry> & Pick<AuditEntry, "action">,
    by: Actor,
  ) => NewAuditRecord;
}
