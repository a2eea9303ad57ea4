/** The page's server, in this process or one of its own, and requests with a session of their own. */

import { once } from "node:events";

import type { OpenedSession } from "@catalog/web";
import { expect, onTestFinished } from "vitest";

import { callCatalog } from "../call-catalog.ts";
import { findCanaries } from "../canaries.ts";
import type { TestStore } from "../markets/test-store.ts";
import { type CatalogProcess, PROCESS_ENV } from "../processes/catalog-process.ts";

export interface WebServer {
  readonly origin: string;
  /** The link that opens the page once. */
  readonly url: string;
  /** Opens a session with the link, and returns what sends requests in it. */
  openSession(): Promise<WebSession>;
  /** Goes on with a session of an earlier start, as an open tab does. */
  resumeSession(session: WebSession): WebSession;
  /** Ends it as Ctrl-C does. */
  readonly close: () => Promise<void>;
}

/** A server that a test can kill or suspend, or whose words it reads. */
export interface WebProcess extends WebServer {
  readonly process: CatalogProcess;
}

/** Requests of one session. */
export interface WebSession {
  /** What each request sends. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends a request and returns status and body. */
  call(method: string, path: string, body?: unknown): Promise<WebAnswer>;
  /** Uploads a file. */
  upload(name: string, bytes: Uint8Array): Promise<WebAnswer>;
}

export interface WebAnswer {
  readonly status: number;
  /** The document of a JSON answer; any other body as text. */
  readonly body: unknown;
  readonly text: string;
}

/** Where the page's server finds its store. */
type WebPlace = Pick<TestStore, "env" | "folder">;

/**
 * Runs `catalog web` in this process, which takes a tenth of the time of a process of its own; it is
 * ended when the test ends. The commands that the page starts are processes all the same.
 */
export async function openWeb(store: WebPlace, ...args: readonly string[]): Promise<WebServer> {
  const web = await callWeb(store, ...args);
  onTestFinished(web.close);
  return web;
}

/** Does the same; the caller ends it. */
export async function callWeb(
  { env, folder }: WebPlace,
  ...args: readonly string[]
): Promise<WebServer> {
  const stop = new AbortController();
  const printed = Promise.withResolvers<string>();
  const finished = callCatalog(toWords(args), {
    env: { ...PROCESS_ENV, ...env },
    cwd: folder,
    stop: stop.signal,
    onText: printed.resolve,
  });
  const ended = finished.then(({ err }) => Promise.reject(new Error(err)));
  ended.catch(() => undefined);
  const web = toServer(await Promise.race([printed.promise, ended]));
  return {
    ...web,
    async close() {
      stop.abort(new Error("interrupted"));
      await finished;
    },
  };
}

/** Starts `catalog web` as a process; it is ended when the test ends. */
export async function startWeb(
  { start }: Pick<TestStore, "start">,
  ...args: readonly string[]
): Promise<WebProcess> {
  const started = start(...toWords(args));
  const web = toServer(await readLine(started));
  const close = async (): Promise<void> => {
    if (started.child.exitCode === null) started.child.kill("SIGINT");
    await started.finished;
  };
  onTestFinished(close);
  return { ...web, process: started, close };
}

const toWords = (args: readonly string[]): readonly string[] => [
  "web",
  "--json",
  "--lang",
  "tr",
  ...args,
];

function toServer(line: string): Omit<WebServer, "close"> {
  const url = String(JSON.parse(line).url);
  const { origin } = new URL(url);
  return {
    origin,
    url,
    openSession: () => openSession(origin, url),
    resumeSession: ({ headers }) => createSession(origin, headers),
  };
}

async function readLine({ child, finished }: CatalogProcess): Promise<string> {
  const ended = finished.then(({ err }) => Promise.reject(new Error(err)));
  let text = "";
  while (!text.includes("\n")) {
    const [chunk] = await Promise.race([once(child.stdout ?? child, "data"), ended]);
    text += String(chunk);
  }
  ended.catch(() => undefined);
  return text;
}

async function openSession(origin: string, url: string): Promise<WebSession> {
  const key = new URL(url).hash.replace("#k=", "");
  const opened = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ key }),
  });
  expect(opened.status).toBe(200);
  const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const { writeKey }: OpenedSession = JSON.parse(await opened.text());
  const headers = { origin, cookie, "x-catalog": writeKey, "x-catalog-lang": "tr" };
  return createSession(origin, headers);
}

function createSession(origin: string, headers: WebSession["headers"]): WebSession {
  const send = async (path: string, init: RequestInit): Promise<WebAnswer> => {
    const answer = await fetch(`${origin}/api${path}`, init);
    const text = await answer.text();
    expect(findCanaries(text)).toEqual([]);
    const isJson = answer.headers.get("content-type")?.includes("json") === true;
    return { status: answer.status, body: isJson ? JSON.parse(text) : text, text };
  };
  return {
    headers,
    call: (method, path, body) =>
      send(path, {
        method,
        headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    upload: (name, bytes) =>
      send("/uploads", {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/octet-stream",
          "x-file-name": encodeURIComponent(name),
        },
        body: Uint8Array.from(bytes),
      }),
  };
}
