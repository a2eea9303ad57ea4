/** Every route of the page by every malformed id, and by every malformed body. */

import { describe, expect, it } from "vitest";

import { needs } from "../../src/server/needs.ts";
import { openSession, startPageServer } from "../helpers/page-server.ts";
import { sendRaw } from "../helpers/raw-request.ts";
import { startWholePage, type WholePage } from "../helpers/whole-page.ts";

/** Ids of the right form that no store has. */
const IDS: Readonly<Record<string, string>> = {
  run: "r-260101-0000-0001",
  draft: "d-260101-0000-000000000001",
  schedule: "0123456789abcdef01234567",
  export: "01234567-89ab-cdef-0123-456789abcdef",
  file: "01234567-89ab-cdef-0123-456789abcdef",
  name: "result.xlsx",
  product: "4000000000",
};

/** Texts that are ids of no kind, as they stand in an address. */
const MALFORMED = [
  "",
  ".",
  "..",
  "../..",
  "-",
  "--",
  "--help",
  "-x",
  "--lang=en",
  "%2D%2Dhelp",
  "%2e%2e%2f%2e%2e",
  "..%5c..",
  "a%2Fb",
  "%00",
  "%zz",
  "%c3",
  "%20",
  "%F0%9F%99%82",
  "%EF%BC%91",
  "null",
  "undefined",
  "true",
  "1",
  "%5B%5D",
  "%7B%22id%22:1%7D",
  "__proto__",
  "constructor",
  "draft:d-1",
  "*",
  "x".repeat(10_000),
];

const WORD = /^[a-z]{1,80}$/u;

/** What turns each id into one that only looks like it. */
const spoil = (id: string): readonly string[] => [
  `${id}%00`,
  `${id}%0A`,
  `%20${id}`,
  `-${id}`,
  `${id}%2F..`,
  id.toUpperCase(),
  `${id}0`,
  id.slice(1),
];

/** Ids that are none of this kind: malformed ones, spoilt ones, and those of other kinds. */
const idsAgainst = (kind: string): readonly string[] => [
  ...MALFORMED,
  ...spoil(IDS[kind] ?? ""),
  ...Object.values(IDS).filter((id) => id !== IDS[kind]),
];

interface Answer {
  readonly status: number;
  readonly code: string;
}

/** Sends requests of one session as they are, without what a client would make of an address. */
async function openSender(
  server: WholePage,
): Promise<(endpoint: string, body: string) => Promise<Answer>> {
  const { origin, cookie, "x-catalog": key } = await openSession(server);
  return async (endpoint, body) => {
    const [method = ""] = endpoint.split(" ");
    const lines = [
      `${endpoint} HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      `Origin: ${origin}`,
      `Cookie: ${cookie}`,
      `x-catalog: ${key}`,
    ];
    const typed = [
      ...lines,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const isRead = method === "GET" || method === "HEAD";
    const answer = await (isRead ? sendRaw(server.port, lines) : sendRaw(server.port, typed, body));
    const [, code = ""] = /"code":"(E_[A-Z_]+)"/u.exec(answer.body) ?? [];
    return { status: answer.status, code };
  };
}

/** What is not a refusal in words; the answer to HEAD has none. */
const isRefusal = (endpoint: string, { status, code }: Answer): boolean =>
  status >= 400 && status < 500 && (endpoint.startsWith("HEAD ") || code !== "");

const fill = (endpoint: string, ids: Readonly<Record<string, string>>): string =>
  endpoint.replaceAll(/:([a-z]+)/gu, (_, kind: string) => ids[kind] ?? "");

const kindsOf = (endpoint: string): readonly string[] =>
  [...endpoint.matchAll(/:([a-z]+)/gu)].map(([, kind = ""]) => kind);

describe("an id of another form", { timeout: 60_000 }, () => {
  it("is refused by every route with an id, and nothing is started (#37)", async () => {
    const server = await startWholePage();
    const send = await openSender(server);
    const withIds = server.endpoints.filter((endpoint) => endpoint.includes(":"));
    const taken: string[] = [];

    for (const endpoint of withIds) {
      for (const kind of kindsOf(endpoint)) {
        for (const id of idsAgainst(kind)) {
          const request = fill(endpoint, { ...IDS, [kind]: id });
          const answer = await send(request, "{}");
          if (!isRefusal(endpoint, answer)) taken.push(`${request.slice(0, 200)} ${answer.status}`);
        }
      }
    }

    expect(withIds.length).toBeGreaterThan(40);
    expect(new Set(withIds.flatMap(kindsOf))).toEqual(new Set(Object.keys(IDS)));
    expect([taken, server.bugs, server.hasStarted()]).toEqual([[], [], false]);
  });

  it("is refused where it stands in a question or a body (#37)", async () => {
    const server = await startWholePage();
    const send = await openSender(server);
    const taken: string[] = [];
    const note = async (endpoint: string, body = "{}"): Promise<void> => {
      const answer = await send(endpoint, body);
      if (!isRefusal(endpoint, answer)) taken.push(`${endpoint} ${body} ${answer.status}`);
    };

    for (const [kind, address] of [
      ["run", "/api/runs?after="],
      ["run", "/api/events?run="],
      ["draft", "/api/events?draft="],
    ] as const) {
      // A query that holds nothing is no id, and a repeated one is a list.
      const texts = idsAgainst(kind).filter(
        (id) => !/^[%]zz$/u.test(id) && id !== "x".repeat(10_000),
      );
      for (const id of [...texts, `${IDS[kind]}&${address.split("?")[1]}${IDS[kind]}`]) {
        await note(`GET ${address}${id}`);
      }
    }
    for (const path of ["/api/rules/forget", "/api/rules/default/remove"]) {
      // The key of a field is a word; one that no field has is no default, and nothing is removed.
      const texts = path.endsWith("/remove")
        ? MALFORMED.filter((text) => !WORD.test(text))
        : MALFORMED;
      for (const id of [...texts, null, 1, true, [], {}]) {
        await note(`POST ${path}`, JSON.stringify({ id }));
      }
    }

    expect([taken, server.bugs, server.hasStarted()]).toEqual([[], [], false]);
  });

  it("cannot be forgotten: a route whose parameter names no kind of ids is not added (#37)", async () => {
    const start = startPageServer({
      routes: [(app) => app.get("/things/:thing", needs("viewer"), async () => ({}))],
    });

    await expect(start).rejects.toThrow('/api/things/:thing: no kind of ids is named "thing"');
  });

  it("cannot be open by mistake: a route that does not state what it needs is not added", async () => {
    const start = startPageServer({ routes: [(app) => app.get("/things", async () => ({}))] });

    await expect(start).rejects.toThrow("GET /api/things does not state what it needs");
  });
});

/** Routes that do something without being told anything, and so read no body. */
const WITHOUT_BODY = new Set([
  "POST /api/close",
  "POST /api/products/read",
  "POST /api/sandbox",
  "POST /api/settings/check",
]);

const DEEP = 100_000;

const BODIES: readonly string[] = [
  "",
  "{",
  "null",
  "true",
  "1",
  '"text"',
  "[]",
  "[{}]",
  '{"__proto__":{"planHash":"a"}}',
  '{"constructor":{"prototype":{"planHash":"a"}}}',
  '{"version":{"__proto__":{"a":1}}}',
  `${"[".repeat(DEEP)}${"]".repeat(DEEP)}`,
  `${'{"options":'.repeat(DEEP)}1${"}".repeat(DEEP)}`,
  '{"a":1}trailing',
  "\u0000",
  '{"key":1,"key":[]}',
];

it(
  "refuses every body of another form in words, and nothing is started (#37)",
  { timeout: 60_000 },
  async () => {
    const server = await startWholePage();
    const send = await openSender(server);
    const writing = server.endpoints.filter(
      (endpoint) => /^(?:POST|PUT|PATCH) /u.test(endpoint) && !WITHOUT_BODY.has(endpoint),
    );
    const taken: string[] = [];

    for (const endpoint of writing) {
      const request = fill(endpoint, IDS);
      for (const body of BODIES) {
        const answer = await send(request, body);
        if (!isRefusal(endpoint, answer))
          taken.push(`${request} ${body.slice(0, 50)} ${answer.status}`);
      }
    }

    expect(writing.length).toBeGreaterThan(30);
    expect([taken, server.bugs, server.hasStarted()]).toEqual([[], [], false]);
  },
);
