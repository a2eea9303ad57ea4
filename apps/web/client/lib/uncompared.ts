/** Rows whose new price was not compared with the old one, as the unit of the store is unknown. */

import type { RunRowView, RunView } from "../../src/api/index.ts";

const CODE = "E_GUARD_PRICE_UNIT";

/** Whether the row waits for the unit; it cannot be sent before, as its price may be 100 times off. */
export const isUncompared = ({ issues }: Pick<RunRowView, "issues">): boolean =>
  issues.some(({ code }) => code === CODE);

/** How many rows of a run wait for the unit; their reasons may differ in their texts. */
export const countUncompared = ({ reasons }: Pick<RunView, "reasons">): number =>
  reasons.filter(({ code }) => code === CODE).reduce((sum, { rows }) => sum + rows, 0);
