/** Tells what a person has let go from what was let go because more is known by now. */

import { type Cause } from "../row/cause.ts";
import { type RowEvent } from "../row/row-event.ts";

/** Cause of the moves of a row that waits for nothing but the unit of the listing's prices. */
export const PRICE_UNIT_CAUSE: Cause = "price-unit";

/** Whether a person has let a held row go with this move. */
export const isPersonRelease = ({ from, to, cause }: RowEvent): boolean =>
  from === "held" && to === "ready" && cause !== PRICE_UNIT_CAUSE;
