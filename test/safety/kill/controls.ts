/**
 * Lets orders remove the guards against adding twice: a test that then finds no duplicate could
 * never find one.
 */

import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import type { Replacement } from "../mutants/mutant.ts";

export const CONTROLS: readonly Replacement[] = [
  {
    file: SOURCE_PATHS.ledger,
    from: 'const UNKNOWN: RowOutcome = { to: "ambiguous", cause: "recovery" };',
    to: `const UNKNOWN: RowOutcome = globalThis.isControl
      ? { to: "ready", cause: "recovery-unsent" }
      : { to: "ambiguous", cause: "recovery" };`,
  },
  {
    file: SOURCE_PATHS.holdAppeared,
    from: "if (waiting === undefined) return 0;",
    to: "if (waiting === undefined || globalThis.isControl) return 0;",
  },
];
