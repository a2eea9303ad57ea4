/** Tells a release by a person from one that the engine makes once more is known. */

import type { Cause } from "../row/cause.ts";
import type { RowEvent } from "../row/row-event.ts";

/** Cause of the moves of a row that is held only until the unit of listed prices is known. */
export const PRICE_UNIT_CAUSE: Cause = "price-unit";

/** Says whether a person released a held row with this move. */
export const isManualRelease = ({ from, to, cause }: RowEvent): boolean =>
  from === "held" && to === "ready" && cause !== PRICE_UNIT_CAUSE;
