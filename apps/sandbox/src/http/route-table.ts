/** The routes of the server: the contract's table joined with the handlers, by name. */

import type { Endpoint } from "@catalog/contract";

import type { Behavior } from "../behavior/behavior-settings.ts";
import type { Handler } from "../handlers/handler-table.ts";

export interface Route {
  /** Group and name in the table, such as "product.add". */
  readonly name: string;
  readonly endpoint: Endpoint<unknown, unknown>;
  readonly handler: Handler<unknown, unknown>;
  /** One path per version, prefix included. */
  readonly paths: readonly string[];
}

type Table<Row> = Readonly<Record<string, Readonly<Record<string, Row>>>>;

/** Creates the routes in the order of the endpoints; throws when one has no handler. */
export function createRouteTable(
  endpoints: Table<Endpoint<unknown, unknown>>,
  handlers: Table<Handler<unknown, unknown>>,
  present: Behavior["versions"] = "both",
): readonly Route[] {
  return Object.entries(endpoints).flatMap(([group, rows]) =>
    Object.entries(rows).map(([row, endpoint]) => {
      const name = `${group}.${row}`;
      const handler = handlers[group]?.[row];
      if (handler === undefined) throw new TypeError(`the endpoint ${name} has no handler`);
      return { name, endpoint, handler, paths: listPaths(endpoint, present) };
    }),
  );
}

/**
 * An endpoint that is documented under one prefix only keeps it, whichever prefixes are present.
 */
function listPaths(
  { path, versions }: Endpoint<unknown, unknown>,
  present: Behavior["versions"],
): readonly string[] {
  if (versions.length === 0) return [path];
  const kept = versions.filter((version) => present === "both" || version === present);
  return (versions.length === 1 ? versions : kept).map((version) => `/${version}${path}`);
}

/** Copies a table that is declared as interfaces into plain objects. */
export function toTable<Group extends object>(
  table: Readonly<Record<string, Group>>,
): Readonly<Record<string, { [Row in keyof Group]: Group[Row] }>> {
  return Object.fromEntries(Object.entries(table).map(([name, group]) => [name, { ...group }]));
}
