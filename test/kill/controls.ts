/** Takes the guards away: a test that finds no double then cannot find any. */

import { type Replacement } from "../mutants/replace-source.ts";

export const CONTROLS: readonly Replacement[] = [
  {
    file: "packages/store/src/journal/ledger.ts",
    from: 'const UNKNOWN: Settlement = { to: "ambiguous", cause: "recovery" };',
    to: 'const UNKNOWN: Settlement = { to: "ready", cause: "recovery-unsent" };',
  },
  {
    file: "packages/runs/src/plan-run.ts",
    from: "if (waiting === undefined) return 0;",
    to: "return 0;",
  },
];
