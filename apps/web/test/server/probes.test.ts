/** What a hostile program of this computer, or a page of another site, tries against the server. */

import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";

import { describe, expect, it, onTestFinished } from "vitest";

import { needs } from "../../src/server/needs.ts";
import { openSession, type PageServer, startPageServer } from "../helpers/page-server.ts";
import { type RawAnswer, sendRaw } from "../helpers/raw-request.ts";
import { startWholePage } from "../helpers/whole-page.ts";

/** What everybody may read. */
const PAGE = "<!doctype html><title>page</title>";

/** A server with a route that counts its calls. */
async function startCounting(): Promise<{ readonly server: PageServer; readonly calls: string[] }> {
  const calls: string[] = [];
  const server = await startPageServer({
    routes: [
      (app) => {
        app.post("/count", needs("editor"), async ({ body }) => {
          calls.push(JSON.stringify(body));
          return {};
        });
      },
    ],
  });
  return { server, calls };
}

describe("the target of a request", () => {
  it.each([
    "http://evil.example/api/me",
    "http://127.0.0.1:1/api/me",
    "https://127.0.0.1/api/me",
    "//evil.example/api/me",
    "/api/me@evil.example",
    "/api/../api/me",
    "/api/%2e%2e/me",
    "/api\\me",
    "/api;/me",
    "/API/me",
    "*",
  ])(
    "opens nothing but the page without a session, and nothing for another host: %s",
    async (target) => {
      const { port, bugs } = await startPageServer();
      const get = (host: string): Promise<RawAnswer> =>
        sendRaw(port, [`GET ${target} HTTP/1.1`, `Host: ${host}:${port}`]);

      const [own, foreign] = [await get("127.0.0.1"), await get("evil.example")];

      expect(own.status >= 400 || own.body === PAGE).toBe(true);
      expect([foreign.status, bugs]).toEqual([421, []]);
    },
  );

  it.each(["CONNECT", "TRACE", "PROPFIND", "OPTIONS", "G%45T"])(
    "takes no other method: %s",
    async (method) => {
      const { port, bugs } = await startPageServer();
      const lines = [`${method} /api/me HTTP/1.1`, `Host: 127.0.0.1:${port}`];

      const { status, body } = await sendRaw(port, lines);

      // The connection of CONNECT is closed without an answer.
      expect(Number.isNaN(status) ? body : status >= 400).toBe(method === "CONNECT" ? "" : true);
      expect(bugs).toEqual([]);
    },
  );

  it.each([
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2fetc/passwd",
    "/assets/..%5c..%5cindex.html",
    "/assets/%00",
    "/assets/....//....//etc/passwd",
    "/file:///etc/passwd",
  ])("leads to no file besides the page's: %s", async (path) => {
    const { port, bugs } = await startPageServer();

    const { body } = await sendRaw(port, [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`]);

    expect(body === PAGE || /"code":"E_/u.test(body)).toBe(true);
    expect(bugs).toEqual([]);
  });
});

/** Sends bytes as they are, and returns all that comes back until the connection ends. */
function sendBytes(port: number, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = "";
  const socket = connect(port, "127.0.0.1", () => socket.end(text));
  socket.on("data", (chunk) => {
    answer += chunk.toString();
  });
  socket.on("error", reject);
  socket.on("close", () => resolve(answer));
  return promise;
}

const CRLF = "\r\n";

const hidden = (port: number): string =>
  [`POST /api/count HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Content-Length: 0", "", ""].join(CRLF);

describe("a request that hides another one", () => {
  it.each([
    ["two lengths", ["Content-Length: 2", "Content-Length: 60"]],
    ["a length and chunks", ["Content-Length: 60", "Transfer-Encoding: chunked"]],
    ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 60"]],
    ["chunks of another spelling", ["Transfer-Encoding: xchunked"]],
    ["chunks twice", ["Transfer-Encoding: chunked, identity"]],
    ["a length that is no number", ["Content-Length: +2"]],
    ["a negative length", ["Content-Length: -2"]],
    ["a length in hexadecimal", ["Content-Length: 0x2"]],
    ["a header that is folded", ["X-A: b", " Content-Length: 2"]],
    ["a blank before the colon", ["Content-Length : 2"]],
    ["a line feed alone", ["X-A: b\nContent-Length: 60"]],
    ["a carriage return in a header", ["X-A: b\rX-B: c"]],
    ["a NUL in a header", ["X-A: b\0"]],
  ])("runs neither: %s", async (_, lengths) => {
    const { server, calls } = await startCounting();
    const { origin, cookie, "x-catalog": key } = await openSession(server);
    const head = [
      "POST /api/count HTTP/1.1",
      `Host: 127.0.0.1:${server.port}`,
      `Origin: ${origin}`,
      `Cookie: ${cookie}`,
      `x-catalog: ${key}`,
      "Content-Type: application/json",
      ...lengths,
      "",
      "",
    ].join(CRLF);

    const answer = await sendBytes(server.port, `${head}0${CRLF}${CRLF}${hidden(server.port)}`);

    expect([answer.startsWith("HTTP/1.1 400"), answer.match(/HTTP\/1\.1/gu)?.length]).toEqual([
      true,
      1,
    ]);
    expect([calls, server.bugs]).toEqual([[], []]);
  });

  it("has the rights of its own headers only, where two come in one piece", async () => {
    const { server, calls } = await startCounting();
    const { origin, cookie, "x-catalog": key } = await openSession(server);
    const own = [
      "POST /api/count HTTP/1.1",
      `Host: 127.0.0.1:${server.port}`,
      `Origin: ${origin}`,
      `Cookie: ${cookie}`,
      `x-catalog: ${key}`,
      "Content-Type: application/json",
      "Content-Length: 7",
      "",
      '{"a":1}',
    ].join(CRLF);

    const answer = await sendBytes(server.port, own + hidden(server.port));

    expect(answer.match(/HTTP\/1\.1 \d+/gu)).toEqual(["HTTP/1.1 200", "HTTP/1.1 403"]);
    expect(calls).toEqual(['{"a":1}']);
  });
});

/** Ways to write this computer, a private network, and the place of a cloud's secrets. */
const PRIVATE_HOSTS = [
  "127.0.0.1",
  "127.1",
  "0x7f.1",
  "2130706433",
  "017700000001",
  "localhost",
  "a.localhost",
  "LOCALHOST.",
  "0.0.0.0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "[fd00::1]",
  "[fe80::1]",
  "169.254.169.254",
  "[fd00:ec2::254]",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "user:pass@127.0.0.1",
  "%31%32%37.0.0.1",
  "①②⑦.0.0.1",
];

const OTHER_PLACES = [
  "file:///etc/passwd",
  "ftp://127.0.0.1/a.csv",
  "gopher://127.0.0.1/",
  "data:text/csv,a",
  "http://",
  "http://:80/",
  "relative/path.csv",
  "",
];

const OPTIONS = {
  sheet: "",
  encoding: "",
  columns: {},
  decimal: "",
  priceUnit: "",
  maxAgeHours: 0,
  record: "",
  allowHost: "",
  isShadow: false,
};

it("reads no feed and no table of this computer or a private network, however it is written (#37)", async () => {
  const asked: string[] = [];
  const inner = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("Ürün Kodu;Stok\nA;1\n");
  });
  onTestFinished(() => void inner.close());
  await once(inner.listen(0, "127.0.0.1"), "listening");
  const address = inner.address();
  const port = typeof address === "object" ? address?.port : 0;
  const server = await startWholePage();
  const headers = { ...(await openSession(server)), "content-type": "application/json" };
  const taken: string[] = [];
  const places = [...PRIVATE_HOSTS.map((host) => `http://${host}:${port}/a.csv`), ...OTHER_PLACES];

  for (const place of places) {
    for (const [path, body] of [
      ["/feeds/check", { feed: place, options: OPTIONS }],
      ["/uploads/link", { url: place }],
    ] as const) {
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      const answer = await fetch(`${server.origin}/api${path}`, init);
      const text = await answer.text();
      const isRefused = answer.status >= 400 && answer.status < 500 && /"code":"E_/u.test(text);
      if (!isRefused) taken.push(`${path} ${place} ${answer.status} ${text}`);
    }
  }

  expect([taken, asked, server.bugs, server.hasStarted()]).toEqual([[], [], [], false]);
});
