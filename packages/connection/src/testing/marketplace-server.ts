/** A marketplace over HTTP that lists two products and a few names, and takes every update. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { onTestFinished } from "vitest";

/** A running server and its requests so far. */
export interface MarketplaceServer {
  readonly baseUrl: string;
  /**
   * Paths that were called, without version and store, in order; a listing once for all its pages.
   */
  readonly log: readonly string[];
  /** Number of requests so far, counting each page of a listing. */
  readonly calls: () => number;
}

const PRODUCTS = [
  { id: "p-1", product_code: "KOD-1", title: "Fincan", stock: 5, has_discount: false },
  {
    id: "p-2",
    product_code: "KOD-2",
    title: "Tabak",
    stock: 9,
    has_discount: false,
    images: ["https://cdn.example/old.jpg"],
  },
];
const CATEGORIES = [{ id: "c-1", name: "Fincan", category_path: "Ev > Fincan" }];
const TEMPLATES = [{ id: "t-1", template_name: "Standart" }];
const COLOUR = {
  id: "pr-1",
  name: "Renk",
  property_options: [{ id: "o-1", display_name: "Mavi" }],
};

const pageOf = (result: readonly object[]): object => ({ total: result.length, result });

/** The token, which nothing but the token cache may hold. */
export const TOKEN = "canary-token:1f";

/** Starts the server; it closes when the test ends. */
export async function startMarketplaceServer(): Promise<MarketplaceServer> {
  const log: string[] = [];
  let calls = 0;
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? "/", "http://market");
    const path = url.pathname.replace(/^\/v1\.\d/u, "").replace(/\/store\/s-1$/u, "");
    calls += 1;
    if (Number(url.searchParams.get("page") ?? 1) === 1) log.push(path);
    request.resume();
    request.on("end", () => response.end(JSON.stringify({ data: answer(path, url) })));
  };
  const server = createServer(serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { baseUrl: `http://127.0.0.1:${address.port}`, log, calls: () => calls };
}

function answer(path: string, { searchParams }: URL): object {
  if (path === "/app/auth/access") return { access_token: TOKEN };
  if (path === "/product/update") return { status: true };
  if (path === "/category/") return pageOf(CATEGORIES);
  if (path.startsWith("/category/get-properties/")) return [COLOUR];
  if (path === "/city/") return [{ id: "35", name: "İzmir", districts: [] }];
  if (path === "/shipping-template") return pageOf(TEMPLATES);
  const isListed = path === "/product" && searchParams.get("status") === "approved";
  return pageOf(isListed ? PRODUCTS : []);
}
