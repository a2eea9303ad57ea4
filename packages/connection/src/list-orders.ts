/** Lists the orders of a period, which has no pages and may be too large for one answer. */

import { type CallOptions, type Client, ShapeError } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import { type InputOf, type Order, toOrders } from "@catalog/contract";

type OrderQuery = InputOf<"order.list">;

interface ListOrders {
  readonly query: OrderQuery;
  readonly options: CallOptions;
  readonly clock: Pick<Clock, "now">;
  /** Called before each call. @default nobody counts */
  readonly onCall?: () => void;
}

const DAY_S = 86_400;

/** A listing of so few seconds that is too large is not cut any further. */
const SHORTEST_S = 3_600;

/**
 * The orders of a query, in halves of its period where one answer is too large, newest half first. A
 * caller that has enough leaves the loop. Halves overlap by a second, as their ends may be exclusive,
 * so that an order can come twice. Orders by their changes (`updates_only`) are counted in days, and
 * are not cut.
 */
export async function* listOrders(
  order: Pick<Client["order"], "list">,
  { query, options, clock, onCall }: ListOrders,
): AsyncGenerator<readonly Order[]> {
  const { days, start_date: start, end_date: end, ...others } = query;
  const nowS = Math.ceil(clock.now() / 1_000);
  async function* read(asked: OrderQuery, from: number, to: number): ReturnType<typeof listOrders> {
    onCall?.();
    const listed = await order.list(asked, options).catch(returnTooLarge);
    if (!(listed instanceof ShapeError)) {
      yield toOrders(listed);
      return;
    }
    if (others.updates_only === 1 || to - from <= SHORTEST_S) throw listed;
    const middle = Math.floor((from + to) / 2);
    const ask = (first: number, last: number): ReturnType<typeof listOrders> =>
      read({ ...others, start_date: first, end_date: last + 1 }, first, last);
    yield* ask(middle, to);
    yield* ask(from, middle);
  }
  const to = days === undefined ? (end ?? nowS) : nowS;
  const from = days === undefined ? (start ?? 0) : nowS - days * DAY_S;
  yield* read(query, from, to);
}

function returnTooLarge(error: unknown): ShapeError {
  if (error instanceof ShapeError && error.reason === "too-large") return error;
  throw error;
}
