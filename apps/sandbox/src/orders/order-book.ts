/** The orders of the one store, and the moves that their packages make. */

import { type Clock } from "@catalog/clock";

import { once } from "../once.ts";
import { createMissingRefusal } from "../refusal.ts";
import { type SoldOrder, type SoldPackage } from "./filled-orders.ts";
import { type Move, statusAfter } from "./statuses.ts";

export interface OrderBook {
  /** Oldest first, each package as it stands now. */
  orders(): readonly SoldOrder[];
  /** Throws a refusal for an unknown package. */
  package(id: string): SoldPackage;
  /** Throws a refusal for an unknown package, or one whose status does not allow the move. */
  move(id: string, move: Move): SoldPackage;
  reset(): void;
}

export interface OrderBookOptions {
  readonly clock: Clock;
  /** Called once, when somebody first asks. */
  readonly fill: () => readonly SoldOrder[];
}

export function createOrderBook({ clock, fill }: OrderBookOptions): OrderBook {
  const filled = once(fill);
  let current: readonly SoldOrder[] | undefined;

  const orders = (): readonly SoldOrder[] => current ?? filled();
  const find = (id: string): SoldPackage => {
    const found = orders()
      .flatMap(({ packages }) => packages)
      .find((one) => one.id === id);
    if (found === undefined) throw createMissingRefusal({ en: "Package", tr: "Paket" });
    return found;
  };

  return {
    orders,
    package: find,
    move(id, move) {
      const before = find(id);
      const status = statusAfter(move, before.status);
      if (status === before.status) return before;
      const after = { ...before, status, changedAtMs: clock.now() };
      current = orders().map((order) => replacePackage(order, before, after));
      return after;
    },
    reset() {
      current = undefined;
    },
  };
}

function replacePackage(order: SoldOrder, before: SoldPackage, after: SoldPackage): SoldOrder {
  if (!order.packages.includes(before)) return order;
  const packages = order.packages.map((one) => (one === before ? after : one));
  return { ...order, packages };
}
