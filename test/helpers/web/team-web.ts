/** The page's server for a team, with real people, and requests as a proxy in front hands them on. */

import { request as sendRequest } from "node:http";

import type { OpenedSession } from "@catalog/web";
import { expect, onTestFinished } from "vitest";

import { callCatalog } from "../call-catalog.ts";
import { findCanaries } from "../canaries.ts";
import type { TestStore } from "../markets/test-store.ts";
import { PROCESS_ENV } from "../processes/catalog-process.ts";
import type { WebAnswer, WebSession } from "./open-web.ts";

const ORIGIN = "https://katalog.example.com";
/** A key of credentials that is used in tests only. */
export const SECRET_KEY: string = Buffer.alloc(32, 5).toString("base64");

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

interface TeamAnswer extends WebAnswer {
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface TeamWeb {
  /** Sends a request of the page to the server, without a session. */
  send(sent: Sent): Promise<TeamAnswer>;
  /** Adds a person on the terminal, who accepts the invitation; returns a session at the store's page. */
  join(login: string, ...words: readonly string[]): Promise<WebSession>;
  /** The same session at the routes of the whole server. */
  ofServer(session: WebSession): WebSession;
  /** The same session at the page of another store. */
  ofStore(session: WebSession, name: string): WebSession;
}

/**
 * Puts the store on a server, under the name `mutfak`, with others by their names, and serves its page
 * until the test ends.
 */
export async function openTeamWeb(
  shop: TestStore,
  others: Readonly<Record<string, TestStore>> = {},
): Promise<TeamWeb> {
  const store = shop.at({ CATALOG_SECRET_KEY: SECRET_KEY });
  const added = await store.run("stores", "add", "mutfak");
  expect(added.err, added.out).toBe("");
  const { CATALOG_HOME = "" } = shop.env;
  for (const [name, other] of Object.entries(others)) {
    const at = other.at({ CATALOG_HOME, CATALOG_SECRET_KEY: SECRET_KEY });
    expect((await at.run("stores", "add", name)).err).toBe("");
  }
  const port = await serve(store);
  const sendTo = (sent: Sent): Promise<TeamAnswer> => send(port, sent);
  const sessionOf = (headers: WebSession["headers"], prefix: string): WebSession => ({
    headers,
    call: (method, path, body) =>
      sendTo({
        method,
        path: prefix + path,
        headers: body === undefined ? headers : { ...headers, ...JSON_TYPE },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    upload: (name, bytes) =>
      sendTo({
        method: "POST",
        path: `${prefix}/uploads`,
        headers: {
          ...headers,
          "content-type": "application/octet-stream",
          "x-file-name": encodeURIComponent(name),
        },
        body: bytes,
      }),
  });
  return {
    send: sendTo,
    async join(login, ...words) {
      const invited = await store.json("users", "add", login, "--url", ORIGIN, ...words);
      const secret = /#i=([\w-]+)/u.exec(JSON.stringify(invited))?.[1];
      const { status, text, headers } = await sendTo({
        method: "POST",
        path: "/api/invitations/accept",
        headers: JSON_TYPE,
        body: JSON.stringify({ secret, password: `uzun ve guclu parola ${login}` }),
      });
      expect(status, text).toBe(200);
      const { writeKey }: OpenedSession = JSON.parse(text);
      const cookie = /__Host-catalog=[^;]+/u.exec(String(headers["set-cookie"]))?.[0] ?? "";
      const own = { cookie, "x-catalog": writeKey, "x-catalog-lang": "tr" };
      return sessionOf(own, "/s/mutfak/api");
    },
    ofServer: ({ headers }) => sessionOf(headers, "/api"),
    ofStore: ({ headers }, name) => sessionOf(headers, `/s/${name}/api`),
  };
}

const JSON_TYPE = { "content-type": "application/json" } as const;

/** Starts the server, and returns its port. */
async function serve({ env, folder }: TestStore): Promise<number> {
  const stop = new AbortController();
  const printed = Promise.withResolvers<string>();
  const words = ["web", "--server", "--behind-proxy", "--url", ORIGIN, "--port", "0", "--json"];
  const finished = callCatalog(words, {
    env: { ...PROCESS_ENV, ...env },
    cwd: folder,
    stop: stop.signal,
    onText: printed.resolve,
  });
  const ended = finished.then(({ err }) => Promise.reject(new Error(err)));
  ended.catch(() => undefined);
  onTestFinished(async () => {
    stop.abort(new Error("interrupted"));
    await finished;
  });
  return Number(JSON.parse(await Promise.race([printed.promise, ended])).port);
}

function send(port: number, { method, path, headers, body }: Sent): Promise<TeamAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<TeamAnswer>();
  const request = sendRequest({
    host: "127.0.0.1",
    port,
    method,
    path,
    agent: false,
    headers: {
      host: new URL(ORIGIN).host,
      origin: ORIGIN,
      "x-forwarded-for": "198.51.100.7",
      "x-forwarded-proto": "https",
      ...headers,
    },
  });
  request.once("error", reject);
  request.once("response", (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.once("error", reject);
    response.once("end", () => {
      const text = Buffer.concat(chunks).toString();
      expect(findCanaries(text)).toEqual([]);
      const isJson = response.headers["content-type"]?.includes("json") === true;
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: isJson ? JSON.parse(text) : text,
        text,
      });
    });
  });
  request.end(body);
  return promise;
}
