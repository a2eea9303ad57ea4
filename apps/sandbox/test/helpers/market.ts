/** Finds things in a sandbox over HTTP, and checks its answers with the contract. */

import {
  type Endpoint,
  endpoints,
  type Order,
  type OrderPackage,
  toOrders,
} from "@catalog/contract";

import type { Answer, TestClient } from "./test-client.ts";

type Texts = Readonly<Record<string, string>>;

/** The path of an endpoint under its first version, for the store that granted everything. */
export function pathOf(
  { path, versions }: Pick<Endpoint<unknown, unknown>, "path" | "versions">,
  { sandbox }: TestClient,
): string {
  return `/${versions[0]}${path.replace(":storeId", sandbox.storeId)}`;
}

/** GET of an endpoint: its data, checked with the contract. */
export async function read<Data>(
  visitor: TestClient,
  endpoint: Pick<Endpoint<unknown, Data>, "path" | "versions" | "data">,
  query: Texts = {},
): Promise<Data> {
  const { data } = await visitor.get(pathOf(endpoint, visitor), query);
  return endpoint.data.parse(data);
}

export async function readOrders(visitor: TestClient, query: Texts): Promise<readonly Order[]> {
  return toOrders(await read(visitor, endpoints.order.list, query));
}

/** The package in this status with the oldest order. */
export async function findPackage(visitor: TestClient, status: number): Promise<OrderPackage> {
  const orders = await readOrders(visitor, { days: "400", status: String(status) });
  const found = orders.flatMap(({ packages }) => packages).findLast((one) => one.status === status);
  if (found === undefined) throw new Error(`no package has the status ${status}`);
  return found;
}

/** POST to an endpoint of the store. */
export function send(
  visitor: TestClient,
  endpoint: Pick<Endpoint<unknown, unknown>, "path" | "versions">,
  body: unknown,
): Promise<Answer> {
  return visitor.post(pathOf(endpoint, visitor), body);
}
