/** Every rule of access, checked on the wire. */

import { describe, expect, it } from "vitest";

import { needs } from "../../src/server/needs.ts";
import {
  LINK_SECRET,
  openSession,
  type PageServer,
  startPageServer,
} from "../helpers/page-server.ts";
import { type RawAnswer, sendRaw } from "../helpers/raw-request.ts";
import { startWholePage } from "../helpers/whole-page.ts";

const codeOf = (body: string): string => {
  const { code }: { code: string } = JSON.parse(body.slice(body.indexOf("{")));
  return code;
};

/** Adds a route that answers with the body, and one that fails. */
const start = (): Promise<PageServer> =>
  startPageServer({
    routes: [
      (app) => {
        app.post("/echo", needs("editor"), async ({ body }) => ({ body }));
        app.get("/bug", needs("viewer"), async () => {
          throw new Error("inner words");
        });
      },
    ],
  });

describe("the host of a request", () => {
  it.each(["/", "/assets/a-1.js", "/api/me", "/api/session", "/api/events", "/metrics", "/none"])(
    "must be this computer for %s",
    async (path) => {
      const { port } = await start();

      for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1:1`]) {
        const answer = await sendRaw(port, [`GET ${path} HTTP/1.1`, `Host: ${host}`]);

        expect([host, answer.status, codeOf(answer.body)]).toEqual([host, 421, "E_HOST"]);
      }
    },
  );

  it("must be given once", async () => {
    const { port } = await start();

    const none = await sendRaw(port, ["GET / HTTP/1.0"]);
    const two = await sendRaw(port, [
      "GET / HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Host: evil.example",
    ]);

    expect([none.status, two.status]).toEqual([421, 421]);
  });

  it.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])("may be %s", async (name) => {
    const { port } = await start();

    const { status } = await sendRaw(port, ["GET / HTTP/1.1", `Host: ${name}:${port}`]);

    expect(status).toBe(200);
  });
});

describe("the origin of a request", () => {
  it.each([
    "Origin: http://evil.example",
    "Origin: null",
    "Origin: http://127.0.0.1:1",
    "Sec-Fetch-Site: cross-site",
    "Sec-Fetch-Site: same-site",
  ])("may not be another site: %s", async (header) => {
    const { port } = await start();
    const host = `Host: 127.0.0.1:${port}`;

    const page = await sendRaw(port, ["GET / HTTP/1.1", host, header]);
    const api = await sendRaw(port, ["GET /api/me HTTP/1.1", host, header]);
    const asked = await sendRaw(port, ["OPTIONS /api/me HTTP/1.1", host, header]);

    expect([page.status, api.status, asked.status]).toEqual([403, 403, 403]);
    expect(Object.keys(api.headers).join()).not.toContain("access-control");
  });

  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "must be given with %s, in one of two types",
    async (method) => {
      const server = await start();
      const { cookie, "x-catalog": key, origin } = await openSession(server);
      const send = async (...headers: readonly string[]): Promise<number> => {
        const lines = [`Host: 127.0.0.1:${server.port}`, `Cookie: ${cookie}`, `x-catalog: ${key}`];
        const first = `${method} /api/echo HTTP/1.1`;
        const rest = [...headers, "Content-Length: 2"];
        return (await sendRaw(server.port, [first, ...lines, ...rest], "{}")).status;
      };
      const own = `Origin: ${origin}`;

      expect(await send("Content-Type: application/json")).toBe(403);
      expect(await send(own)).toBe(403);
      for (const type of ["text/plain", "multipart/form-data", "text/plain;application/json"]) {
        expect(await send(own, `Content-Type: ${type}`)).toBe(403);
      }
      expect(await send(own, "Content-Type: application/x-www-form-urlencoded")).toBe(403);
      expect(await send(own, "Content-Type: application/json; charset=utf-8")).toBe(
        method === "POST" ? 200 : 404,
      );
    },
  );
});

describe("the metrics", () => {
  it("need no session, tell no page of another site, and hold nothing that is secret", async () => {
    const { port } = await start();
    const own = `Host: 127.0.0.1:${port}`;

    const told = await sendRaw(port, ["GET /metrics HTTP/1.1", own]);
    const foreign = await sendRaw(port, [
      "GET /metrics HTTP/1.1",
      own,
      "Sec-Fetch-Site: cross-site",
    ]);
    const changed = await sendRaw(port, ["POST /metrics HTTP/1.1", own, "Content-Length: 0"]);

    expect([told.status, foreign.status, changed.status]).toEqual([200, 403, 403]);
    expect(told.headers).toMatchObject({
      "cache-control": "no-store",
      "content-type": "application/openmetrics-text; version=1.0.0; charset=utf-8",
    });
    expect(told.body).toContain('catalog_open_runs{store="0123456789abcdef01234567"} 0');
    expect(told.body).not.toMatch(/127\.0\.0\.1|secret|key="/u);
  });
});

describe("a session", () => {
  it.each(["/api/me", "/api/events", "/api/none", "/%61pi/me", "/api//me"])(
    "is needed for %s",
    async (path) => {
      const { port } = await start();

      const answer = await sendRaw(port, [`GET ${path} HTTP/1.1`, `Host: localhost:${port}`]);

      expect([answer.status, answer.headers["cache-control"]]).toEqual([401, "no-store"]);
    },
  );

  it("is not enough to change something without the write key", async () => {
    const server = await start();
    const { origin, cookie, "x-catalog": key } = await openSession(server);
    const other = await openSession(server);
    const send = async (headers: Record<string, string>): Promise<number> => {
      const init = { method: "POST", body: "{}", headers: { ...headers, ...JSON_TYPE } };
      return (await fetch(`${origin}/api/echo`, init)).status;
    };

    expect(await send({ origin, cookie })).toBe(403);
    expect(await send({ origin, cookie, "x-catalog": `${key}a` })).toBe(403);
    expect(await send({ origin, cookie, "x-catalog": other["x-catalog"] })).toBe(403);
    expect(await send({ origin, "x-catalog": key })).toBe(401);
    expect(await send({ origin, cookie, "x-catalog": key })).toBe(200);
  });

  it("is opened by a link once, within five minutes", async () => {
    const server = await start();
    const { origin, links, clock } = server;
    const open = async (key: string): Promise<number> => {
      const init = {
        method: "POST",
        body: JSON.stringify({ key }),
        headers: { origin, ...JSON_TYPE },
      };
      return (await fetch(`${origin}/api/session`, init)).status;
    };

    const key = links.create();
    expect(await open(`${key.slice(1)}a`)).toBe(403);
    expect(await open(key)).toBe(200);
    expect(await open(key)).toBe(403);

    const late = links.create();
    await clock.advance(5 * 60_000);
    expect(await open(late)).toBe(403);
  });

  it("is opened by the right link after any number of wrong ones, which any program can try (#37)", async () => {
    const server = await start();
    const key = server.links.create();
    const guesses = Array.from({ length: 200 }, (_, n) => `${key.slice(0, -3)}${n}`);
    const open = async (guess: string): Promise<number> => {
      const headers = { origin: server.origin, ...JSON_TYPE };
      const init = { method: "POST", body: JSON.stringify({ key: guess }), headers };
      return (await fetch(`${server.origin}/api/session`, init)).status;
    };

    const statuses = new Set(await Promise.all(guesses.map(open)));

    expect([...statuses]).toEqual([403]);
    expect(await open(key)).toBe(200);
    expect(key).toMatch(/^[\w-]{43}$/u);
    expect(server.bugs).toEqual([]);
  });

  it("has a cookie that no script and no other site can use", async () => {
    const { origin, links, port } = await start();

    const response = await fetch(`${origin}/api/session`, {
      method: "POST",
      headers: { origin, ...JSON_TYPE },
      body: JSON.stringify({ key: links.create() }),
    });

    const [pair, ...attributes] = (response.headers.get("set-cookie") ?? "").split("; ");
    expect(pair).toMatch(new RegExp(`^catalog_${port}=[\\w-]{43}$`, "u"));
    expect(attributes).toEqual(["Max-Age=604800", "Path=/", "HttpOnly", "SameSite=Strict"]);
  });

  it("ends when it is closed", async () => {
    const server = await start();
    const headers = await openSession(server);

    const closed = await fetch(`${server.origin}/api/session`, { method: "DELETE", headers });
    const after = await fetch(`${server.origin}/api/events`, { headers });

    expect([closed.status, after.status]).toEqual([204, 401]);
  });
});

describe("every answer", () => {
  it.each(["/", "/assets/a-1.js", "/api/me", "/d/1/rows", "/metrics"])(
    "allows nothing from elsewhere: %s",
    async (path) => {
      const { port } = await start();

      const { headers } = await sendRaw(port, [`GET ${path} HTTP/1.1`, `Host: localhost:${port}`]);

      expect(headers["content-security-policy"]).toBe(
        "default-src 'none';script-src 'self';" +
          "style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=';" +
          "img-src 'self' data:;connect-src 'self';form-action 'none';base-uri 'none';" +
          "frame-ancestors 'none'",
      );
      expect(headers).toMatchObject({
        "cross-origin-resource-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      });
      expect(Object.keys(headers).join()).not.toMatch(/access-control|server|powered/u);
    },
  );

  it.each(["/../package.json", "/%2e%2e/package.json", "/assets/..%2f..%2fpackage.json"])(
    "has nothing of another folder: %s",
    async (path) => {
      const { port } = await start();

      const { body } = await sendRaw(port, [`GET ${path} HTTP/1.1`, `Host: localhost:${port}`]);

      expect(body).not.toContain("dependencies");
    },
  );

  it("tells nothing of an error that nobody expected", async () => {
    const server = await start();
    const headers = await openSession(server);

    const response = await fetch(`${server.origin}/api/bug?lang=en`, { headers });

    const body = await response.text();
    expect(response.status).toBe(500);
    expect(body).toContain("this is a bug");
    expect(body).not.toContain("inner");
    expect(server.bugs).toEqual([new Error("inner words")]);
  });

  it.each([
    [413, JSON.stringify("x".repeat(1024 * 1024)), "Bu, bir kerede"],
    [400, "{", "İstek anlaşılamadı"],
    [400, '{"__proto__":{"a":1}}', "İstek anlaşılamadı"],
  ])("%s is a sentence in the person's language", async (status, body, sentence) => {
    const server = await start();
    const headers = { ...(await openSession(server)), ...JSON_TYPE };

    const response = await fetch(`${server.origin}/api/echo`, { method: "POST", headers, body });

    expect(response.status).toBe(status);
    expect(await response.text()).toContain(sentence);
    expect(server.bugs).toEqual([]);
  });
});

const JSON_TYPE = { "content-type": "application/json" };

const ask = (port: number, body: string, ...headers: readonly string[]): Promise<RawAnswer> =>
  sendRaw(
    port,
    [
      "POST /api/links HTTP/1.1",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      ...headers,
    ],
    body,
  );
const ownOf = (port: number): readonly string[] => [
  `Host: 127.0.0.1:${port}`,
  `Origin: http://127.0.0.1:${port}`,
];

describe("a link for the command that is started again", () => {
  it("is given for the secret of the server only, and works once", async () => {
    const { port, links } = await start();
    const body = JSON.stringify({ secret: LINK_SECRET });

    const given = await ask(port, body, ...ownOf(port));
    const { key }: { key: string } = JSON.parse(given.body.slice(given.body.indexOf("{")));

    expect(given.status).toBe(200);
    expect(given.headers["cache-control"]).toBe("no-store");
    expect([links.use(key), links.use(key)]).toEqual([true, false]);
  });

  it.each(["", "wrong", `${LINK_SECRET}x`, LINK_SECRET.slice(1)])(
    "is refused for the secret '%s', and leaves the link as it is",
    async (secret) => {
      const { port, links } = await start();
      const open = links.create();

      const answer = await ask(port, JSON.stringify({ secret }), ...ownOf(port));

      expect([answer.status, codeOf(answer.body)]).toEqual(
        secret === "" ? [400, "E_REQUEST"] : [403, "E_LINK_SECRET"],
      );
      expect(links.use(open)).toBe(true);
    },
  );

  it("is refused to another host and origin, whatever the secret", async () => {
    const { port } = await start();
    const body = JSON.stringify({ secret: LINK_SECRET });
    const [host = "", origin = ""] = ownOf(port);

    const otherHost = await ask(port, body, "Host: evil.example", origin);
    const otherOrigin = await ask(port, body, host, "Origin: http://evil.example");
    const noOrigin = await ask(port, body, host);

    expect([otherHost.status, otherOrigin.status, noOrigin.status]).toEqual([421, 403, 403]);
  });

  it("is given for the secret after any number of wrong ones (#37)", async () => {
    const { port } = await start();
    const wrong = JSON.stringify({ secret: "wrong" });

    const refused = await Promise.all(
      Array.from({ length: 200 }, () => ask(port, wrong, ...ownOf(port))),
    );
    const given = await ask(port, JSON.stringify({ secret: LINK_SECRET }), ...ownOf(port));

    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]));
    expect(given.status).toBe(200);
  });
});

it("counts logins for each session, and none without one (#37)", async () => {
  const server = await startWholePage();
  const [own, other] = [await openSession(server), await openSession(server)];
  const logIn = async (headers: Readonly<Record<string, string>>): Promise<number> => {
    const init = { method: "POST", headers: { ...headers, ...JSON_TYPE }, body: "{}" };
    return (await fetch(`${server.origin}/api/login`, init)).status;
  };
  const logInOften = async (
    headers: Readonly<Record<string, string>>,
  ): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push(await logIn(headers));
    return [...new Set(statuses)];
  };

  const strange = await logInOften({ origin: server.origin, cookie: "catalog_1=guess" });
  const first = await logInOften(own);
  const second = await logIn(other);

  expect([strange, first, second]).toEqual([[401], [409, 429], 409]);
});
