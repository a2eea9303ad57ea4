/** A marketplace whose comments have given texts; a sandbox answers everything else. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import type { Sandbox } from "@catalog/sandbox";

export interface CommentMarket extends AsyncDisposable {
  readonly baseUrl: string;
}

const HOST = "127.0.0.1";
const MINUTE_MS = 60_000;
const BEGAN_MS = Date.UTC(2026, 0, 1);

/** Each text as a comment with a time of its own, in order. */
const toComments = (texts: readonly string[]): readonly Readonly<Record<string, unknown>>[] =>
  texts.map((message, index) => ({
    id: `${index}`.padStart(24, "0"),
    status: "approved",
    full_name: "Ayşe Yılmaz",
    satisfaction: "happy",
    message,
    rate: 5,
    comment_type: "order",
    created_at: new Date(BEGAN_MS + index * MINUTE_MS).toISOString(),
  }));

/** Answers the listing of the whole store's comments with these texts. */
export async function startCommentMarket(
  sandbox: Sandbox,
  texts: readonly string[],
): Promise<CommentMarket> {
  const comments = toComments(texts);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", sandbox.baseUrl);
    const answer = url.pathname.includes("/store-comments/")
      ? answerPage(url.searchParams, comments, response)
      : passOn(url, request, response);
    answer.catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, HOST, resolve);
  await promise;
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    baseUrl: `http://${HOST}:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function answerPage(
  query: URLSearchParams,
  comments: ReturnType<typeof toComments>,
  response: ServerResponse,
): Promise<void> {
  const limit = Number(query.get("limit") ?? 20);
  const start = (Number(query.get("page") ?? 1) - 1) * limit;
  const data = { total: comments.length, result: comments.slice(start, start + limit) };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data }));
}

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
