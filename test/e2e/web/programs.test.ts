/** `/v1` as programs use it: a real server, real keys, real commands, and a client made of its description. */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import openapi, { astToString } from "openapi-typescript";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { startReceiver } from "../../helpers/alert-receiver.ts";
import { DATABASE_PLACES } from "../../helpers/database-places.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { goodRows, formatCsv } from "../../helpers/product-sheet.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { openPrograms, type ProgramsServer } from "../../helpers/web/open-programs.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const CACHE = join(dirname(fileURLToPath(import.meta.url)), "../../node_modules/.cache");

const runSchema = z.object({
  id: z.string(),
  state: z.string(),
  planHash: z.string().nullable(),
  counts: z.record(z.string(), z.number()),
});

type Run = z.infer<typeof runSchema>;

interface Sent {
  readonly key: string;
  readonly body?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const STORE = "/v1/stores/mutfak";

async function send(
  { origin }: ProgramsServer,
  route: string,
  { key, body, type = "application/json", headers = {} }: Sent,
): Promise<{ readonly status: number; readonly body: unknown; readonly text: string }> {
  const [method = "", path = ""] = route.split(" ");
  const answer = await fetch(`${origin}${STORE}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": type }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: text === "" ? null : JSON.parse(text) };
}

/** The program that a seller's programmer would write with the generated types. */
const CLIENT = `
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

type Run = components["schemas"]["Run"];

export async function importFile(baseUrl: string, keys: { editor: string; approver: string }, csv: string): Promise<readonly Run[]> {
  const open = (key: string) =>
    createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } });
  const [editor, approver] = [open(keys.editor), open(keys.approver)];
  const path = { store: "mutfak" };
  const { data: begun, error } = await editor.POST("/v1/stores/{store}/plans", {
    params: { path, query: { name: "urunler.csv" }, header: { Prefer: "wait=60" } },
    body: csv as never,
    bodySerializer: (body: unknown) => String(body),
    headers: { "content-type": "text/csv" },
  });
  if (begun === undefined) throw new Error(error.code + ": " + error.detail);
  const run = { path: { ...path, run: begun.id } };
  let plan = begun;
  while (plan.state === "planning") {
    const { data } = await editor.GET("/v1/stores/{store}/plans/{run}", { params: run });
    if (data === undefined) throw new Error("the plan is gone");
    plan = data;
  }
  const { data: rows } = await editor.GET("/v1/stores/{store}/plans/{run}/rows", {
    params: { ...run, query: { limit: 2 } },
  });
  if (rows?.rows[0]?.changes[0]?.after === undefined) throw new Error("no row has a change");
  const refused = await editor.POST("/v1/stores/{store}/plans/{run}/approve", {
    params: run,
    body: { planHash: plan.planHash ?? "" },
  });
  if (refused.error?.code !== "E_ROLE") throw new Error("an editor has approved");
  await approver.POST("/v1/stores/{store}/plans/{run}/approve", {
    params: run,
    body: { planHash: plan.planHash ?? "" },
  });
  const events = await editor.GET("/v1/stores/{store}/runs/{run}/events", {
    params: run,
    parseAs: "stream",
  });
  const reader = events.data?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; !text.includes('"state":"finished"'); ) {
    const { value, done } = (await reader?.read()) ?? { value: "", done: true };
    if (done) throw new Error("the events have ended: " + text);
    text += value;
  }
  await reader?.cancel();
  const { data: end } = await editor.GET("/v1/stores/{store}/runs/{run}", { params: run });
  if (end === undefined) throw new Error("the run is gone");
  return [plan, end];
}
`;

/** Makes the client and compiles it; returns its module. */
async function makeClient(origin: string): Promise<unknown> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "programs-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const document = await (await fetch(`${origin}/v1/openapi.json`)).text();
  writeFileSync(join(folder, "schema.d.ts"), astToString(await openapi(document)));
  writeFileSync(join(folder, "client.ts"), CLIENT);
  const strict = { strict: true, noEmit: true, module: "nodenext", target: "es2024" };
  const types = {
    types: ["node"],
    allowImportingTsExtensions: true,
    lib: ["es2024", "dom", "dom.asynciterable"],
  };
  const config = { compilerOptions: { ...strict, ...types }, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiled = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder], {
    encoding: "utf8",
  });
  expect(compiled.stdout).toBe("");
  expect(compiled.status).toBe(0);
  return await import(pathToFileURL(join(folder, "client.ts")).href);
}

const approve = (hash: string | null): string => JSON.stringify({ planHash: hash ?? "" });

describe.each(DATABASE_PLACES)("programs at a server with $name", ({ isOn, make }) => {
  const openShop = async (
    options: Parameters<typeof openTestStore>[0] = {},
  ): Promise<TestStore> => {
    const { env } = await make();
    return (await openTestStore(options)).at(env);
  };

  describe("a client that is generated from the description", () => {
    it.skipIf(!isOn)(
      "compiles, plans a file, has it approved by another key, and follows it to its end",
      async () => {
        const shop = await openShop();
        const server = await openPrograms(shop);
        const keys = {
          editor: await server.makeKey("ayse", "editor"),
          approver: await server.makeKey("mehmet", "approver"),
        };
        const client = z
          .object({ importFile: z.custom<(...given: readonly unknown[]) => Promise<unknown>>() })
          .parse(await makeClient(server.origin));

        const runs = await client.importFile(server.origin, keys, formatCsv(goodRows(3)));

        const [plan, end] = z.array(runSchema).parse(runs);
        expect(plan).toMatchObject({ state: "planned", counts: { rows: 3, waiting: 3 } });
        expect(end).toMatchObject({ id: plan?.id, state: "finished", counts: { added: 3 } });
        expect(shop.sandbox.products()).toHaveLength(3);
        const record = await server.team.audit.list({ limit: 20 });
        expect(record.map(({ action }) => action)).toEqual(
          expect.arrayContaining(["plan.create", "run.approve", "request.refused"]),
        );
      },
    );
  });

  describe("a plan of a program", () => {
    it.skipIf(!isOn)(
      "comes once, whenever the server is killed, and is approved by another person",
      async () => {
        const shop = await openShop();
        const server = await openPrograms(shop);
        await server.team.stores.setFourEyes(
          1,
          { mode: "always", moreThanRows: null },
          { person: null, key: null, address: null },
        );
        const own = await server.makeKey("ayse", "approver");
        const other = await server.makeKey("mehmet", "approver");
        const rows = { rows: goodRows(2) };
        const asked = {
          key: own,
          body: JSON.stringify(rows),
          headers: { "idempotency-key": "42" },
        };

        const cut = await send(server, "POST /plans", asked);
        await server.restart();
        const again = await send(server, "POST /plans", asked);
        const { id } = runSchema.parse(again.body);
        const readRun = async (): Promise<Run> =>
          runSchema.parse((await send(server, `GET /plans/${id}`, { key: own })).body);
        await waitUntil(async () => (await readRun()).state === "planned");
        const { planHash } = await readRun();
        const refused = await send(server, `POST /plans/${id}/approve`, {
          key: own,
          body: approve(planHash),
        });
        const stale = await send(server, `POST /plans/${id}/approve`, {
          key: other,
          body: approve("0"),
        });
        const approved = await send(server, `POST /plans/${id}/approve`, {
          key: other,
          body: approve(planHash),
        });
        await waitUntil(async () => (await readRun()).state === "finished");

        expect([cut.status, again.status, runSchema.parse(cut.body).id]).toEqual([202, 202, id]);
        expect((await shop.json("runs")).runs).toHaveLength(1);
        expect([refused.status, refused.body]).toMatchObject([403, { code: "E_FOUR_EYES" }]);
        expect([stale.status, stale.body]).toMatchObject([409, { code: "E_PLAN_STALE" }]);
        expect(approved.status).toBe(202);
        expect(shop.sandbox.products()).toHaveLength(2);
      },
    );
  });

  describe("a webhook", () => {
    it.skipIf(!isOn)("is told of a plan, at an address that the guard lets through", async () => {
      const shop = await openShop();
      const receiver = await startReceiver();
      await writeConfig(shop, { images: { allowHosts: [new URL(receiver.url).host] } });
      const server = await openPrograms(shop);
      const key = await server.makeKey("ayse", "administrator");
      const register = (url: string) =>
        send(server, "POST /webhooks", { key, body: JSON.stringify({ url }) });

      const privately = await register("https://127.0.0.1/hook");
      const added = await register(receiver.url);
      await send(server, "POST /plans?name=a.csv", {
        key,
        type: "text/csv",
        body: formatCsv(goodRows(1)),
      });
      await waitUntil(async () => receiver.bodies.length > 0);

      expect([privately.status, privately.body]).toMatchObject([400, { code: "E_URL_PRIVATE" }]);
      expect(added.body).toMatchObject({ secret: expect.stringMatching(/^whsec_/u) });
      expect(receiver.bodies[0]).toMatchObject({
        type: "plan.ready",
        data: { store: "mutfak", state: "planned", counts: { rows: 1 } },
      });
    });
  });

  it.skipIf(!isOn)("exports, looks up and schedules", async () => {
    const shop = await openShop({ products: 3 });
    const server = await openPrograms(shop);
    const key = await server.makeKey("ayse", "approver");
    const id = z.object({ id: z.string() });

    const found = await send(server, "GET /lookups?kind=categories&limit=1", { key });
    const begun = await send(server, "POST /exports", {
      key,
      body: JSON.stringify({ kind: "products" }),
    });
    const path = `/exports/${id.parse(begun.body).id}`;
    const isDone = async (): Promise<boolean> =>
      JSON.stringify((await send(server, `GET ${path}`, { key })).body).includes('"state":"done"');
    await waitUntil(isDone);
    const file = await fetch(`${server.origin}${STORE}${path}/file`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const times = { cron: "0 6 * * *", feed: "https://erp.example/stok.csv", isShadow: true };
    const added = await send(server, "POST /schedules", { key, body: JSON.stringify(times) });
    const schedule = `/schedules/${id.parse(added.body).id}`;
    const paused = await send(server, `PATCH ${schedule}`, {
      key,
      body: JSON.stringify({ state: "paused", cron: "0 7 * * *" }),
    });
    const local = await send(server, "POST /schedules", {
      key,
      body: JSON.stringify({ ...times, feed: "/etc/passwd" }),
    });
    const removed = await send(server, `DELETE ${schedule}`, { key });
    const listed = await send(server, "GET /schedules", { key });

    expect(found.body).toMatchObject({ results: [{ id: expect.any(String) }] });
    expect((await file.text()).split("\r\n").length).toBeGreaterThan(3);
    expect(added.body).toMatchObject({ state: "active", isShadow: true, cron: "0 6 * * *" });
    expect(paused.body).toMatchObject({ state: "paused", cron: "0 7 * * *", isShadow: true });
    expect([local.status, removed.status, listed.body]).toEqual([400, 204, { schedules: [] }]);
  });
});
