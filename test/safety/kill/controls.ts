/**
 * Removes the guards against adding twice: a test that then finds no duplicate could never find
 * one.
 */

import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import type { Replacement } from "../mutants/replace-source.ts";

export const CONTROLS: readonly Replacement[] = [
  {
    file: SOURCE_PATHS.ledger,
    from: 'const UNKNOWN: RowOutcome = { to: "ambiguous", cause: "recovery" };',
    to: 'const UNKNOWN: RowOutcome = { to: "ready", cause: "recovery-unsent" };',
  },
  {
    file: SOURCE_PATHS.holdAppeared,
    from: "if (waiting === undefined) return 0;",
    to: "return 0;",
  },
];
