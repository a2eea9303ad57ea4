/** The orders of the store, and the status changes of their packages. */

import type { Clock } from "@catalog/clock";

import { createMissingRefusal } from "../http/refusal.ts";
import { lazy } from "../lazy.ts";
import type { SoldOrder, SoldPackage } from "./seed-orders.ts";
import { type Move, statusAfter } from "./statuses.ts";

export interface Orders {
  /** Oldest first, with the current status of each package. */
  orders(): readonly SoldOrder[];
  /** Throws a refusal for an unknown package. */
  package(id: string): SoldPackage;
  /** Throws a refusal for an unknown package, or one whose status does not allow the move. */
  move(id: string, move: Move): SoldPackage;
  /** Packages that were moved, with their current status. */
  save(): readonly MovedPackage[];
}

/** A package that was moved since the start. */
export interface MovedPackage extends Pick<SoldPackage, "status" | "changedAtMs"> {
  readonly id: string;
}

export interface OrdersOptions {
  readonly clock: Clock;
  /** Called once, on first use. */
  readonly fill: () => readonly SoldOrder[];
  /** Throws a `RangeError` for an unknown package. @default none */
  readonly moved?: readonly MovedPackage[];
}

export function createOrders({ clock, fill, moved = [] }: OrdersOptions): Orders {
  const filled = lazy(fill);
  const moves = new Map(moved.map((one) => [one.id, one]));
  let current: readonly SoldOrder[] | undefined;
  if (moved.length > 0) current = replay(filled(), moves);

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
      moves.set(id, { id, status, changedAtMs: after.changedAtMs });
      return after;
    },
    save: () => [...moves.values()],
  };
}

function replay(
  orders: readonly SoldOrder[],
  moves: ReadonlyMap<string, MovedPackage>,
): readonly SoldOrder[] {
  const known = new Set<string>(orders.flatMap(({ packages }) => packages.map(({ id }) => id)));
  for (const id of moves.keys()) {
    if (!known.has(id)) throw new RangeError(`not a snapshot: there is no package ${id}`);
  }
  return orders.map((order) => ({
    ...order,
    packages: order.packages.map((one) => {
      const { status, changedAtMs } = moves.get(one.id) ?? one;
      return { ...one, status, changedAtMs };
    }),
  }));
}

function replacePackage(order: SoldOrder, before: SoldPackage, after: SoldPackage): SoldOrder {
  if (!order.packages.includes(before)) return order;
  const packages = order.packages.map((one) => (one === before ? after : one));
  return { ...order, packages };
}
