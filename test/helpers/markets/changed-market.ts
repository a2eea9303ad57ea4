/** A marketplace that answers some calls with given data; a sandbox answers everything else. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import type { Sandbox } from "@catalog/sandbox";

const HOST = "127.0.0.1";

/** The `data` of an answer, by the query of its call. */
export type ChangedAnswer = (query: URLSearchParams) => unknown;

interface ChangedMarket extends AsyncDisposable {
  readonly baseUrl: string;
  /** Paths of the calls that were answered with given data. */
  readonly calls: readonly string[];
}

/** Answers the calls whose path contains one of these texts. */
export async function openChangedMarket(
  sandbox: Sandbox,
  answers: Readonly<Record<string, ChangedAnswer>>,
): Promise<ChangedMarket> {
  const calls: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", sandbox.baseUrl);
    const changed = Object.entries(answers).find(([path]) => url.pathname.includes(path))?.[1];
    if (changed === undefined) return await passOn(url, request, response);
    calls.push(url.pathname);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: changed(url.searchParams) }));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, HOST, resolve);
  await promise;
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    baseUrl: `http://${HOST}:${port}`,
    calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A page of these records, as listings answer with it. */
export const toPage =
  (records: readonly unknown[]): ChangedAnswer =>
  (query) => {
    const limit = Number(query.get("limit") ?? 20);
    const start = (Number(query.get("page") ?? 1) - 1) * limit;
    return { total: records.length, result: records.slice(start, start + limit) };
  };

async function passOn(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync<Buffer>(request));
  const kept = ["authorization", "content-type", "accept"].flatMap((name) => {
    const value = request.headers[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  const answer = await fetch(url, {
    method: request.method ?? "GET",
    headers: Object.fromEntries(kept),
    ...(body.length > 0 ? { body } : {}),
  });
  response.statusCode = answer.status;
  response.setHeader("content-type", answer.headers.get("content-type") ?? "application/json");
  response.end(await answer.text());
}
