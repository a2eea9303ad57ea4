/**
 * A marketplace whose names and refusals contain control characters; a sandbox answers everything
 * else.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import type { Sandbox } from "@catalog/sandbox";
import { onTestFinished } from "vitest";

/** Invisible characters that a comparison of names ignores and a terminal interprets. */
export const UNSEEN = "\u001b\u009b\u0007\u202e\u200f";

/**
 * Clears the screen, sets the window's title, makes text blink, reverses its direction and begins a
 * line.
 */
export const COMMANDS =
  "\u001b[2J\u001b]0;başlık\u0007\u001b[5m\u009b3A\r\u202e\u2028\u0085\u007f\nSAHTE satır";

/** The product with this code is refused, and the call for cities fails. */
const REFUSED_CODE = "TST-00003";
const FAILING = "/city";

const HOST = "127.0.0.1";
const NAMES: ReadonlySet<string> = new Set([
  "name",
  "title",
  "sub_title",
  "category_path",
  "template_name",
  "brand_name",
]);

export interface HostileTexts {
  /** Follows every name. @default `UNSEEN` */
  readonly suffix?: string;
  /** Ends every refusal. @default `COMMANDS` */
  readonly refusal?: string;
}

/**
 * Answers as the sandbox does, with a text after every name. Returns its address; closed when the
 * test ends.
 */
export async function openHostileMarket(
  sandbox: Sandbox,
  { suffix = UNSEEN, refusal = COMMANDS }: HostileTexts = {},
): Promise<string> {
  const market = { sandbox, suffix, refusal };
  const server = createServer((request, response) => {
    answer(market, request, response).catch(() => response.destroy());
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, HOST, resolve);
  await promise;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://${HOST}:${typeof address === "object" ? address?.port : ""}`;
}

interface HostileMarket extends Required<HostileTexts> {
  readonly sandbox: Sandbox;
}

async function answer(
  { sandbox, suffix, refusal: words }: HostileMarket,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request);
  const { method = "GET", headers } = request;
  const url = new URL(request.url ?? "/", sandbox.baseUrl);
  const refusal = refusalOf(url, body);
  if (refusal !== undefined) {
    const message = `Olmadı${words}`;
    response.writeHead(refusal, { "content-type": "application/json" });
    response.end(JSON.stringify({ message, message_tr: message }));
    return;
  }
  const type = headers["content-type"];
  const passed = await fetch(url, {
    method,
    headers: { accept: "application/json", ...(type !== undefined && { "content-type": type }) },
    ...(method === "POST" && { body }),
  });
  const answered = await passed.text();
  const document = answered === "" ? "" : JSON.stringify(makeStrange(JSON.parse(answered), suffix));
  response.writeHead(passed.status, { "content-type": "application/json" });
  response.end(document);
}

function refusalOf({ pathname }: URL, body: string): number | undefined {
  if (body.includes(REFUSED_CODE)) return 422;
  return pathname.includes(FAILING) ? 500 : undefined;
}

function makeStrange(value: unknown, suffix: string, key = ""): unknown {
  if (typeof value === "string") return NAMES.has(key) ? value + suffix : value;
  if (Array.isArray(value)) return value.map((each) => makeStrange(each, suffix));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, makeStrange(each, suffix, name)]),
  );
}
