/** A marketplace of one listed product over HTTP, enough to plan and send an update. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { onTestFinished } from "vitest";

export interface MarketplaceServer {
  readonly baseUrl: string;
  /** Bodies of the received updates. */
  readonly updates: readonly unknown[];
  /** Changes the stock of the product, as another program would. */
  readonly setStock: (stock: number) => void;
}

const PRODUCT = {
  id: "p-1",
  product_code: "KOD-1",
  title: "Fincan",
  stock: 5,
  images: ["https://cdn.example/old.jpg"],
};

export interface MarketplaceServerOptions {
  /** Updates that are refused before one is accepted. @default 0 */
  readonly refusals?: number;
}

/** Closes itself when the test ends. */
export async function startMarketplaceServer({
  refusals = 0,
}: MarketplaceServerOptions = {}): Promise<MarketplaceServer> {
  const updates: unknown[] = [];
  const product = { ...PRODUCT };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const url = new URL(request.url ?? "/", "http://market");
    if (url.pathname.includes("/product/update/")) updates.push(JSON.parse(body));
    response.setHeader("content-type", "application/json");
    const isUpdate = url.pathname.includes("/product/update/");
    const isRefused = isUpdate && updates.length <= refusals;
    if (isUpdate && !isRefused) product.stock = JSON.parse(body).stock_count ?? product.stock;
    response.end(JSON.stringify({ data: isRefused ? REFUSAL : answer(url, product) }));
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const setStock = (stock: number): void => {
    product.stock = stock;
  };
  return { baseUrl: `http://127.0.0.1:${address.port}`, updates, setStock };
}

const REFUSAL = { status: false, message: "Stok güncellenemedi" };

function answer({ pathname, searchParams }: URL, product: typeof PRODUCT): object {
  if (pathname === "/app/auth/access") return { access_token: "token", expires_at: null };
  if (pathname.includes("/product/update/")) return { status: true };
  const isListed = searchParams.get("status") === "approved" && searchParams.get("page") !== "2";
  const result = isListed ? [product] : [];
  return { total: result.length, result };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of request) chunks.push(String(chunk));
  return chunks.join("");
}
