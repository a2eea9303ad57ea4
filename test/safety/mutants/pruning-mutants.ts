/** Rules of what is never pruned, each switched off together with the trigger that holds it. */

import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import { type Mutant, mutant } from "./mutant.ts";

export const PRUNING_MUTANTS: readonly Mutant[] = [
  mutant(
    "prunes-adds",
    "an add that takes its code is deleted with its run",
    {
      file: SOURCE_PATHS.lastSentRequests,
      from: `kind === "add" && CODE_TAKING_STATES.includes(state);`,
      to: `kind === "update" && !CODE_TAKING_STATES.includes(state);`,
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
      from: "rows > 0 && !FINAL_STATES.includes(state)",
      to: 'rows > 0 && state !== "held" && !FINAL_STATES.includes(state)',
    },
    {
      file: SOURCE_PATHS.databaseRules,
      from: "OR (OLD.state NOT IN (${inList(FINAL_STATES)}) AND (",
      to: "OR (OLD.state IN ('none') AND (",
    },
  ),
];
