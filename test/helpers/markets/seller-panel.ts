/** A person who changes products in the marketplace's panel while the program runs. */

import { endpoints, type ProductChanges } from "@catalog/contract";

import type { TestStore } from "./test-store.ts";

/** Why the sandbox must accept a second token; a test that opens a panel breaks this rule. */
export const PANEL_BREAKS = { "early-token": "the panel is a program of its own" } as const;

export interface SellerPanel {
  /** Sets these fields of the product with this code. */
  edit(code: string, changes: ProductChanges): Promise<void>;
  /** Accepts a package of an order; false where its status does not allow it. */
  acceptPackage(id: string): Promise<boolean>;
}

export async function openSellerPanel({
  sandbox,
}: Pick<TestStore, "sandbox">): Promise<SellerPanel> {
  const { baseUrl, clientKey, clientSecret, storeId } = sandbox;
  const send = async (path: string, body: unknown): Promise<Response> =>
    await fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const response = await send(path, body);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return await response.json();
  };
  const login = { client_key: clientKey, client_secret: clientSecret };
  const answer = await post("/app/auth/access", login);
  const token = endpoints.token.create.data.parse(dataOf(answer)).access_token ?? "";
  const query = new URLSearchParams({ access_token: token }).toString();
  return {
    async acceptPackage(id) {
      const path = `/v1.1/order/accept/store/${storeId}?${query}`;
      return (await send(path, { package_id: id })).ok;
    },
    async edit(code, changes) {
      const product = sandbox.products().find(({ product_code }) => product_code === code);
      if (product === undefined) throw new Error(`the store has no ${code}`);
      const path = `/v1.1/product/update/store/${storeId}?${query}`;
      await post(path, { ...changes, product_id: product.id });
    },
  };
}

const dataOf = (answer: unknown): unknown =>
  typeof answer === "object" && answer !== null && "data" in answer ? answer.data : undefined;
