/** Tells a release by a person from one that the engine makes once more is known. */

import type { Cause } from "../row/cause.ts";
import type { RowEvent } from "../row/row-event.ts";

/** Cause of the moves of a row that is held only until the unit of listed prices is known. */
export const PRICE_UNIT_CAUSE: Cause = "price-unit";

/** Cause of the moves of a row that is held for its price and sends its stock. */
export const STOCK_CAUSE: Cause = "stock-first";

/** The releases of the engine, which say nothing about what a person has seen. */
const ENGINE_CAUSES: ReadonlySet<string> = new Set([PRICE_UNIT_CAUSE, STOCK_CAUSE]);

/** Says whether a person released a held row with this move. */
export const isManualRelease = ({ from, to, cause }: RowEvent): boolean =>
  from === "held" && to === "ready" && !ENGINE_CAUSES.has(cause);
