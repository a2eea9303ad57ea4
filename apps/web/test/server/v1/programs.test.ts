/** Who may ask `/v1`, what comes again, and what is described. */

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { toOpenApi } from "../../../src/server/v1/describe-api.ts";
import { PROGRAM_ROUTES as ROUTES } from "../../../src/server/v1/program-routes.ts";
import { readWait } from "../../../src/server/v1/run-resources.ts";
import {
  BAD_KEYS,
  keyOf,
  LESSER_KEY,
  OTHER_STORE_KEY,
  startProgramServer,
} from "../../helpers/program-server.ts";

const PLANS = "/stores/mutfak/plans";
const RUN = "r-261121-0930-4f2a";

const RANK = ["viewer", "editor", "approver", "administrator"] as const;

/** The address of a route with ids that nothing has. */
const addressOf = (path: string): string =>
  path
    .replace("{store}", "mutfak")
    .replace("{run}", RUN)
    .replace("{name}", "result.xlsx")
    .replace("{schedule}", "0123456789abcdef01234567")
    .replace("{export}", "00000000-0000-4000-8000-000000000000")
    .replace("{webhook}", "wh_none");

describe("a key", () => {
  it("is needed for every route, and nothing else lets a request in", async () => {
    const { send, commands } = await startProgramServer({ refusalsPerMinute: 1_000 });

    for (const { method, path } of ROUTES) {
      const address = addressOf(path);
      for (const key of [null, ...BAD_KEYS]) {
        const headers = { cookie: `catalog_1=x; __Host-catalog=x; key=${keyOf("administrator")}` };
        const { status, body } = await send(method.toUpperCase(), address, { key, headers });

        expect([address, key, status, body]).toMatchObject([address, key, 401, { code: "E_KEY" }]);
      }
    }
    expect(commands).toEqual([]);
  });

  it("may do what its role may, in its own store alone", async () => {
    const { send, audit, bugs } = await startProgramServer();

    for (const { method, path, needs } of ROUTES) {
      const address = addressOf(path);
      const verb = method.toUpperCase();
      // An event stream does not end by itself.
      for (const role of path.endsWith("/events") ? [] : RANK) {
        const { status, text } = await send(verb, address, { key: keyOf(role) });
        const isAllowed = RANK.indexOf(role) >= RANK.indexOf(needs);

        expect([address, role, status === 403], text).toEqual([address, role, !isAllowed]);
      }
      const other = await send(verb, address, { key: OTHER_STORE_KEY });
      expect([address, other.status, other.body]).toMatchObject([
        address,
        404,
        { code: "E_STORE_UNKNOWN" },
      ]);
    }
    expect(audit.some(({ action }) => action === "request.refused")).toBe(true);
    expect(bugs).toEqual([]);
  });

  it("says what it may do", async () => {
    const { send } = await startProgramServer();

    const { body } = await send("GET", "/key", { key: keyOf("viewer") });

    expect(body).toEqual({ name: "viewer", person: "Ayşe", store: "mutfak", role: "viewer" });
  });

  it("may do no more than its person may by now", async () => {
    const { send } = await startProgramServer();

    const own = await send("GET", "/key", { key: LESSER_KEY });
    const plan = await send("POST", PLANS, { key: LESSER_KEY, file: "A\n1\n" });

    expect([own.body, plan.status]).toEqual([expect.objectContaining({ role: "viewer" }), 403]);
  });

  it("that lets nobody in is written down with its address, which is told to wait where it goes on", async () => {
    const { send, audit } = await startProgramServer({ refusalsPerMinute: 2 });
    const [key = null] = BAD_KEYS;
    const path = "/stores/mutfak/runs";

    const answers = [];
    for (let at = 0; at < 3; at += 1) answers.push(await send("GET", path, { key }));
    const own = await send("GET", "/key");
    const other = await send("GET", path, { key: OTHER_STORE_KEY });

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect(answers[2]?.body).toMatchObject({ code: "E_TOO_MANY_REQUESTS" });
    expect([own.status, other.status]).toEqual([200, 404]);
    expect(audit.map(({ action, subject }) => [action, subject])).toEqual([
      ["key.refused", "mutfak"],
      ["key.refused", "mutfak"],
      ["store.refused", "mutfak"],
    ]);
  });

  it("is told when to come again where it asks too often", async () => {
    const { send } = await startProgramServer({ requestsPerMinute: 2 });

    const answers = [];
    for (let at = 0; at < 3; at += 1) answers.push(await send("GET", "/key"));
    const other = await send("GET", "/key", { key: keyOf("viewer") });

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.body).toMatchObject({ code: "E_TOO_MANY_REQUESTS", status: 429 });
    expect(Number(answers[2]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(other.status).toBe(200);
  });
});

describe("another site's page", () => {
  it("is given no permission", async () => {
    const { send } = await startProgramServer();
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };

    const preflight = await send("OPTIONS", PLANS, { headers, key: null });
    const asked = await send("GET", "/key", { headers });

    expect(preflight.status).toBe(401);
    for (const answer of [preflight, asked]) {
      expect(
        [...answer.headers.keys()].filter((name) => name.startsWith("access-control")),
      ).toEqual([]);
    }
  });
});

describe("a plan", () => {
  it("is made of a file or of rows, by the command with the id that was answered", async () => {
    const { send, commands, audit } = await startProgramServer();
    const prefer = { prefer: "wait=10" };

    const file = await send("POST", `${PLANS}?name=stok.csv&mode=update&profile=erp`, {
      file: "Ürün Kodu;Stok\nA;1\n",
      headers: prefer,
    });
    const rows = await send("POST", PLANS, {
      body: { rows: [{ "Ürün Kodu": "A", Stok: 1 }] },
      headers: prefer,
    });

    expect([file.status, rows.status]).toEqual([201, 201]);
    expect(file.body).toMatchObject({ state: "planned", planHash: expect.any(String) });
    const { id = "" }: { id?: string } = JSON.parse(file.text);
    expect(file.headers.get("location")).toBe(`/v1${PLANS}/${id}`);
    expect(commands[0]).toEqual([
      "plan",
      `--run-id=${id}`,
      "--lang=en",
      "--mode=update",
      expect.stringMatching(/^--report=.*results/u),
      "--profile=erp",
      "--",
      expect.stringMatching(/stok\.csv$/u),
    ]);
    expect(commands[1]?.at(-1)).toMatch(/rows\.json$/u);
    expect(audit.map(({ action, subject }) => [action, subject])[0]).toEqual(["plan.create", id]);
  });

  it("is answered at once where nobody waits, and read later", async () => {
    const { send, held, store } = await startProgramServer();
    held.isHeld = true;

    const begun = await send("POST", PLANS, { file: "A;B\n1;2\n" });
    const { id }: { id: string } = JSON.parse(begun.text);
    held.isHeld = false;
    await expect.poll(() => (held.release(), store.plans.read(id)?.isEnded)).toBe(true);

    expect([begun.status, begun.body]).toMatchObject([202, { state: "planning", planHash: null }]);
    expect((await send("GET", `${PLANS}/${id}`)).body).toMatchObject({ state: "planned" });
  });

  it("of an empty or wrong body is refused", async () => {
    const { send, commands, folder } = await startProgramServer();

    const answers = [
      await send("POST", PLANS),
      await send("POST", PLANS, { body: { rows: [] } }),
      await send("POST", PLANS, { body: { rows: [{ a: { b: 1 } }] } }),
      await send("POST", PLANS, { file: "", headers: { "content-length": "0" } }),
      await send("POST", `${PLANS}?mode=delete`, { file: "A\n1\n" }),
      await send("POST", `${PLANS}?profile=--yes`, { file: "A\n1\n" }),
      await send("POST", `${PLANS}/${RUN}/approve`, { file: "A\n1\n", key: keyOf("approver") }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 415]);
    for (const { headers } of answers) {
      expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    }
    expect(commands).toEqual([]);
    expect(readdirSync(join(folder, "web", "programs", "incoming"))).toEqual([]);
  });
});

describe("a request that comes again", () => {
  const again = { "idempotency-key": "order-42" };

  it("gets the same answer, and another body under the same key is refused", async () => {
    const { send, commands, clock } = await startProgramServer();
    const path = `${PLANS}?name=a.csv`;
    const headers = { ...again, prefer: "wait=10" };

    const first = await send("POST", path, { file: "A\n1\n", headers });
    const second = await send("POST", path, { file: "A\n1\n", headers });
    const other = await send("POST", path, { file: "A\n2\n", headers });
    const renamed = await send("POST", `${PLANS}?name=b.csv`, { file: "A\n1\n", headers });
    const another = await send("POST", path, {
      file: "A\n1\n",
      headers: { ...headers, "idempotency-key": "43" },
    });
    const stranger = await send("POST", path, { file: "A\n1\n", headers, key: keyOf("approver") });
    await clock.advance(24 * 60 * 60_000);
    const late = await send("POST", path, { file: "A\n1\n", headers });

    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect([other.status, renamed.status]).toEqual([422, 422]);
    expect(new Set([first, another, stranger, late].map(({ text }) => text)).size).toBe(4);
    expect(commands).toHaveLength(4);
  });

  it("is refused while the first one is carried out", async () => {
    const { send, held, commands } = await startProgramServer();
    held.isHeld = true;
    const headers = { ...again, prefer: "wait=60" };

    const first = send("POST", PLANS, { file: "A\n1\n", headers });
    await expect.poll(() => commands.length).toBe(1);
    const second = await send("POST", PLANS, { file: "A\n1\n", headers });
    held.isHeld = false;
    held.release();

    expect([second.status, second.body]).toMatchObject([409, { code: "E_IDEMPOTENCY_RUNNING" }]);
    expect((await first).status).toBe(201);
    expect(commands).toHaveLength(1);
  });

  it("makes no second plan where the server was killed before it answered", async () => {
    const first = await startProgramServer();
    first.held.isHeld = true;
    const headers = { ...again, prefer: "wait=60" };
    const cut = first.send("POST", PLANS, { file: "A\n1\n", headers }).catch(() => undefined);
    await expect.poll(() => first.commands.length).toBe(1);
    const [asked = ""] = first.commands[0]?.filter((word) => word.startsWith("--run-id=")) ?? [];
    await first.kill();
    await cut;

    const { connection, folder } = first;
    const second = await startProgramServer({ connection, folder });
    const answer = await second.send("POST", PLANS, { file: "A\n1\n", headers });
    // The command of the killed server ends later.
    first.held.isHeld = false;
    first.held.release();

    expect(answer.status).toBe(201);
    expect(`--run-id=${JSON.parse(answer.text).id}`).toBe(asked);
    expect(second.commands.map((words) => words[1])).toEqual([asked]);
    expect((await connection.runs.list(10)).length).toBe(1);
  });

  it("is carried out anew where it was refused before", async () => {
    const { send } = await startProgramServer();
    const approve = { key: keyOf("approver"), body: { planHash: "x" }, headers: again };

    const first = await send("POST", `${PLANS}/${RUN}/approve`, approve);
    const second = await send("POST", `${PLANS}/${RUN}/approve`, approve);

    expect([first.status, second.status]).toEqual([404, 404]);
    expect(second.headers.get("idempotent-replayed")).toBeNull();
  });
});

it("goes on with the plans that a killed server was asked for", async () => {
  const first = await startProgramServer();
  first.held.isHeld = true;
  await first.send("POST", PLANS, { file: "A\n1\n" });
  await first.kill();
  mkdirSync(join(first.folder, "web", "programs", "plans", "not-an-id"));

  const second = await startProgramServer(first);

  await expect.poll(() => second.commands.length).toBe(1);
  expect(second.commands[0]?.[1]).toBe(first.commands[0]?.[1]);
});

describe("the description", () => {
  it("says of every route what it takes and answers, and needs no key", async () => {
    const { send } = await startProgramServer();

    const json = await send("GET", "/openapi.json", { key: null });
    const page = await send("GET", "/docs", { key: null });

    expect(json.body).toEqual(
      JSON.parse(JSON.stringify(toOpenApi({ routes: ROUTES, version: "1.0.0" }))),
    );
    expect(json.text).not.toMatch(/"\$ref":"(?!#\/components\/schemas\/)/u);
    expect(page.text).not.toMatch(/<script|(?:src|href)="(?!\/v1\/|#)/iu);
    for (const { id, path } of ROUTES) {
      expect(json.text).toContain(`"operationId":"${id}"`);
      expect(page.text).toContain(`/v1${path}`);
    }
  });
});

it.each([
  ["wait=10", 10],
  ["respond-async, wait=5", 5],
  ["wait=9999", 60],
  ["waits=3", 0],
  [undefined, 0],
])("waits as a program prefers: %s", (header, seconds) => {
  expect(readWait(header)).toBe(seconds);
});
