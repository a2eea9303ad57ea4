/** Rules of drafts that are made of the store's products, each switched off. */

import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import { type Mutant, mutant } from "./mutant.ts";

export const DRAFT_MUTANTS: readonly Mutant[] = [
  mutant("sends-unedited-cells", "a cell that nobody edited overwrites the store's value", {
    file: SOURCE_PATHS.rowBasis,
    from: "filter(([field]) => fields.has(field))",
    to: "filter(([field]) => field !== '' && fields.size >= 0)",
  }),
  mutant(
    "overwrites-since-opening",
    "a value is overwritten that changed since the draft was opened",
    {
      file: SOURCE_PATHS.decideRow,
      from: "overtaken: overtakenFields(found),",
      to: "overtaken: overtakenFields(found).slice(0, 0),",
    },
  ),
  mutant(
    "forgets-its-own-edit",
    "a cell with its first value again is not sent after another one",
    {
      file: SOURCE_PATHS.rowBasis,
      from: ", ...Object.keys(sent)]",
      to: ", ...Object.keys(sent).slice(0, 0)]",
    },
  ),
  mutant("takes-its-own-for-others", "a row is held for what its own draft has sent", {
    file: SOURCE_PATHS.rowBasis,
    from: "if (sent === undefined) return product;",
    to: "if (sent === undefined || now !== product) return product;",
  }),
  mutant("takes-others-for-its-own", "a field that was sent once may be overwritten ever after", {
    file: SOURCE_PATHS.rowBasis,
    from: "filter((field) => !others.has(field))",
    to: "filter((field) => others.size >= 0 && field !== '')",
  }),
  mutant("retries-every-cell", "a retry sends fields that its request had not", {
    file: SOURCE_PATHS.rowBasis,
    from: "if (fields !== undefined) return new Set(fields);",
    to: "if (fields?.length === 0) return new Set(fields);",
  }),
];
