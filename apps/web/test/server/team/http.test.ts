/** What every answer of a server of several people says to browsers, and which requests are none. */

import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

import { expect, it } from "vitest";

import { type Answer, ORIGIN, startTeamServer } from "../../helpers/team-server.ts";

const HOST = new URL(ORIGIN).host;

const IDS: Readonly<Record<string, string>> = {
  file: "00000000-0000-4000-8000-000000000000",
  export: "00000000-0000-4000-8000-000000000000",
  name: "result.xlsx",
  draft: "d-260101-0000-0123456789ab",
  run: "r-260101-0000-abcd",
  schedule: "0123456789abcdef01234567",
  store: "mutfak",
};

/** What is wrong with the headers of an answer. */
function faultsOf({ headers }: Answer, isOfPage: boolean): readonly string[] {
  const header = (name: string): string => String(headers[name] ?? "");
  const policy = header("content-security-policy");
  const directives = ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"];
  const type = header("content-type");
  return [
    header("x-content-type-options") === "nosniff" ? [] : "it may be sniffed",
    header("strict-transport-security") === "max-age=31536000; includeSubDomains" ? [] : "no HSTS",
    header("referrer-policy") === "no-referrer" ? [] : "a referrer",
    header("cross-origin-resource-policy") === "same-origin" ? [] : "other sites may embed it",
    directives.every((directive) => policy.includes(directive)) ? [] : `policy ${policy}`,
    /unsafe|https?:|\*/u.test(policy) ? `policy ${policy}` : [],
    /^(?:text|application\/(?:problem\+)?json)/u.test(type) && !/charset=utf-8/iu.test(type)
      ? `type ${type}`
      : [],
    isOfPage || header("cache-control").includes("no-store") ? [] : "it may be kept",
    Object.keys(headers)
      .filter((name) => /^(?:access-control-|server$|x-powered-by$)/u.test(name))
      .map((name) => `it has ${name}`),
  ].flat();
}

it("tells browsers with every answer to load nothing from elsewhere, and to keep nothing", async () => {
  const server = await startTeamServer();
  const headers = await server.addPerson("ayse", "administrator");
  // A store has no route before it is opened.
  await server.send("GET /s/mutfak/api/me", { headers });
  const paths = new Set(
    server.endpoints.flatMap((route) => {
      const [method, path = ""] = route.split(" ");
      const isAsked = method === "GET" && !path.startsWith("/s/:store/v1/");
      return isAsked ? path.replace(/:([a-z]+)/gu, (_, name: string) => IDS[name] ?? "1") : [];
    }),
  );
  const others = ["/api/nothing", "/v1/nothing", "/s/nobody/api/me", "/%", "/assets/nothing"];

  const found: unknown[] = [];
  for (const path of [...paths, ...others]) {
    for (const sent of [{ headers }, {}]) {
      const answer = await server.send(`GET ${path}`, sent);
      const isOfPage = !/^\/(?:api|v1|s\/)/u.test(path);
      const faults = faultsOf(answer, isOfPage);
      if (faults.length > 0) found.push([path, answer.status, ...faults]);
    }
  }

  expect(paths.size).toBeGreaterThan(60);
  expect(found).toEqual([]);
});

/** Sends bytes, and returns the status line of the answer. */
async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port });
  await once(socket, "connect");
  socket.write(bytes);
  socket.setTimeout(20_000, () => socket.destroy());
  return (await text(socket)).split("\r\n", 1)[0] ?? "";
}

const HEAD = `POST /api/sign-in HTTP/1.1\r\nHost: ${HOST}\r\nOrigin: ${ORIGIN}\r\nConnection: close\r\nContent-Type: application/json\r\n`;

it.each([
  ["has two ends", `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["has two lengths", `${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`],
  ["goes on in a line of its own", `${HEAD}X-A: b\r\n c: d\r\nContent-Length: x\r\n\r\n{}`],
  ["has a blank before the colon", `${HEAD}Content-Length : 2\r\n\r\n{}`],
  ["has a name with a line break", `${HEAD}X-A\nb: c\r\nContent-Length: 2\r\n\r\n{}`],
])("refuses a request whose head %s", async (_, bytes) => {
  const { port } = await startTeamServer();

  expect(await sendBytes(port, bytes)).toBe("HTTP/1.1 400 Bad Request");
});

it("gives back no request (TRACE), and sends nobody from http to https", async () => {
  const server = await startTeamServer();
  const trace = `TRACE / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nX-Secret: a\r\n\r\n`;

  const plain = await server.send("GET /v1/key", { headers: { "x-forwarded-proto": "http" } });

  expect(await sendBytes(server.port, trace)).toMatch(/^HTTP\/1\.1 40[0345]/u);
  expect([plain.status, plain.headers["location"]]).toEqual([403, undefined]);
  expect(plain.body).toContain("E_NOT_SECURE");
});

it("takes a body however deep it is nested", async () => {
  const server = await startTeamServer();
  const headers = await server.addPerson("ayse", "administrator");
  let body: unknown = [];
  for (let depth = 0; depth < 2_000; depth += 1) body = [body];

  const answers = [
    await server.send("POST /api/sign-in", { body }),
    await server.send("POST /api/people", { headers, body }),
    await server.send("PUT /s/mutfak/api/questions/replies", { headers, body: { replies: body } }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  expect(server.bugs).toEqual([]);
});
