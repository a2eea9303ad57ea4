/** Rules of what is never pruned, each switched off together with the trigger that holds it. */

import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import { type Mutant, mutant } from "./mutant.ts";

export const PRUNING_MUTANTS: readonly Mutant[] = [
  mutant(
    "prunes-adds",
    "an add that takes its code is deleted with its run",
    {
      file: SOURCE_PATHS.lastSentRequests,
      from: `kind === "add" && STATE_TABLE.takingCode.includes(state);`,
      to: `kind === "update" && !STATE_TABLE.takingCode.includes(state);`,
    },
    {
      file: SOURCE_PATHS.lastSentRequests,
      from: "if (productId === null) continue;",
      to: "if (productId !== undefined) continue;",
    },
    {
      file: SOURCE_PATHS.databaseRules,
      from: "OLD.kind = 'add' AND OLD.state IN",
      to: "OLD.kind = 'none' AND OLD.state IN",
    },
  ),
  mutant(
    "prunes-held",
    "a run is pruned while a row of it waits for a person",
    {
      file: SOURCE_PATHS.archiveIsOver,
      from: "rows > 0 && !STATE_TABLE.final.includes(state)",
      to: 'rows > 0 && state !== "held" && !STATE_TABLE.final.includes(state)',
    },
    {
      file: SOURCE_PATHS.databaseRules,
      from: "OR (OLD.state NOT IN (${inList(STATE_TABLE.final)}) AND (",
      to: "OR (OLD.state IN ('none') AND (",
    },
  ),
];
