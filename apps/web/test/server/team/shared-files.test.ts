/** One file for several stores: who may share it, and who sees what of it. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { expect, it } from "vitest";

import {
  type SessionHeaders,
  startTeamServer,
  type TeamServer,
} from "../../helpers/team-server.ts";

const TERMINAL = { person: null, key: null, address: null } as const;
const STORES = ["bahce", "mutfak", "salon"] as const;
const CSV = "Ürün Kodu;Fiyat\r\nA-1;120,00\r\nA-2;130,00\r\n";

/** Gives the person another role. */
async function addRole(
  { team }: TeamServer,
  login: string,
  store: string,
  role: "viewer" | "editor" | "approver",
): Promise<void> {
  const person = (await team.people.find(login))?.id ?? 0;
  const found = await team.stores.find(store);
  await team.people.setRole({ person, store: found?.id ?? 0 }, role, TERMINAL);
}

interface Prepared {
  readonly server: TeamServer;
  /** Editor of the stores `bahce` and `mutfak`, and of no other one. */
  readonly ayse: SessionHeaders;
  /** A draft of `mutfak`. */
  readonly draft: string;
}

async function prepare(): Promise<Prepared> {
  const server = await startTeamServer({ stores: STORES });
  const ayse = await server.addPerson("ayse", "editor", "mutfak");
  await addRole(server, "ayse", "bahce", "editor");
  const body = { text: CSV.replaceAll(";", "\t"), name: "liste.csv" };
  const sent = await server.send("POST /s/mutfak/api/uploads/cells", { headers: ayse, body });
  expect(sent.status, sent.body).toBe(201);
  return { server, ayse, draft: JSON.parse(sent.body).id };
}

interface Given {
  readonly headers: SessionHeaders;
  readonly draft: string;
  readonly stores?: readonly string[];
}

async function share(
  server: TeamServer,
  { headers, draft, stores = ["bahce"] }: Given,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const body = { store: "mutfak", draft, stores };
  const { status, body: text } = await server.send("POST /api/shared-files", { headers, body });
  return { status, body: JSON.parse(text) };
}

async function read(server: TeamServer, headers: SessionHeaders, path: string): Promise<unknown> {
  const { status, body } = await server.send(`GET /api/shared-files${path}`, { headers });
  return status === 200 ? JSON.parse(body) : [status, JSON.parse(body).code];
}

it("gives each store a draft of a copy of its own", async () => {
  const { server, ayse, draft } = await prepare();

  const shared = await share(server, { headers: ayse, draft });

  expect(shared).toEqual({ status: 201, body: { id: 1, refused: [] } });
  const view = await read(server, ayse, "/1");
  expect(view).toMatchObject({ id: 1, name: "liste.csv", by: "ayse", rows: null, calls: 0 });
  expect(view).toMatchObject({
    stores: [
      { store: "bahce", role: "editor", run: null },
      { store: "mutfak", role: "editor", draft, run: null },
    ],
  });
  const files: string[] = [];
  for (const name of ["bahce", "mutfak"]) {
    await using connection = await server.openStore(name);
    const [own] = await connection.memory.drafts.list();
    expect(own).toMatchObject({ name: "liste.csv", createdBy: { name: "ayse" } });
    files.push(own?.path ?? "");
  }
  expect(new Set(files).size).toBe(2);
  expect(new Set(files.map((path) => readFileSync(path, "utf8"))).size).toBe(1);
  expect(await read(server, ayse, "")).toMatchObject([
    { id: 1, drafts: [{ store: "bahce" }, { store: "mutfak", draft }] },
  ]);
  const bahce = await server.team.stores.find("bahce");
  const [entry] = await server.team.audit.list({ store: bahce?.id, limit: 1 });
  expect(entry).toMatchObject({ action: "shared-file.add", after: { file: 1 } });
  expect(server.bugs).toEqual([]);
});

it("shows a person only the stores in which they have a role, and no file without one", async () => {
  const { server, ayse, draft } = await prepare();
  await share(server, { headers: ayse, draft });
  const ofBahce = await server.addPerson("ali", "viewer", "bahce");
  const ofSalon = await server.addPerson("can", "administrator", "salon");
  const ofAll = await server.addPerson("ece", "administrator");

  const seen = await server.send("GET /api/shared-files/1", { headers: ofBahce });
  const listed = await server.send("GET /api/shared-files", { headers: ofBahce });

  expect(JSON.parse(seen.body).stores).toMatchObject([{ store: "bahce", role: "viewer" }]);
  expect(seen.body + listed.body).not.toContain("mutfak");
  for (const path of ["/1", "/1/order?show=all", "/1/rows?n=2", "/99", "/x"]) {
    expect(await read(server, ofSalon, path), path).toEqual([404, "E_SHARED_FILE_UNKNOWN"]);
  }
  expect(await read(server, ofSalon, "")).toEqual([]);
  expect(await read(server, ofAll, "/1")).toMatchObject({
    stores: [{ store: "bahce" }, { store: "mutfak" }],
  });
});

it.each([
  ["a store without a role", ["salon"], 404, "E_STORE_UNKNOWN"],
  ["a store that is not there", ["yok"], 404, "E_STORE_UNKNOWN"],
  ["the same store", ["mutfak"], 400, "E_SHARED_FILE_STORES"],
  ["no store", [], 400, "E_REQUEST"],
] as const)("takes no file to %s", async (_, stores, status, code) => {
  const { server, ayse, draft } = await prepare();

  const refused = await share(server, { headers: ayse, draft, stores });

  expect(refused).toMatchObject({ status, body: { code } });
  expect(await read(server, ayse, "")).toEqual([]);
});

it("takes no file to a store in which the person may not upload, and writes down the try", async () => {
  const { server, ayse, draft } = await prepare();
  await addRole(server, "ayse", "bahce", "viewer");

  const refused = await share(server, { headers: ayse, draft });

  expect(refused).toMatchObject({ status: 403, body: { code: "E_ROLE" } });
  const [entry] = await server.team.audit.list({ limit: 1 });
  expect(entry).toMatchObject({ action: "shared-files.add.refused" });
});

it("takes a draft to other stores once, and no draft of another store", async () => {
  const { server, ayse, draft } = await prepare();
  await share(server, { headers: ayse, draft });
  const { body } = await server.send("GET /s/bahce/api/drafts", { headers: ayse });
  const [other] = JSON.parse(body);

  const again = await share(server, { headers: ayse, draft });
  const wrong = await share(server, { headers: ayse, draft: other.id });

  expect(again).toMatchObject({ status: 409, body: { code: "E_NOT_SHAREABLE" } });
  expect(wrong).toMatchObject({ status: 404, body: { code: "E_DRAFT_UNKNOWN" } });
});

it("says which stores have not taken the file, and goes on with the others", async () => {
  const { server, ayse, draft } = await prepare();
  await addRole(server, "ayse", "salon", "editor");
  await blockUploads(server, "bahce");

  const shared = await share(server, { headers: ayse, draft, stores: ["bahce", "salon"] });

  expect(shared).toMatchObject({
    status: 201,
    body: { id: 1, refused: [{ store: "bahce", problem: { code: expect.any(String) } }] },
  });
  expect(await read(server, ayse, "/1")).toMatchObject({
    stores: [{ store: "mutfak" }, { store: "salon" }],
  });
});

/** Puts a file where the folder of the store's uploads would be. */
async function blockUploads(server: TeamServer, store: string): Promise<void> {
  await using connection = await server.openStore("mutfak");
  const [own] = await connection.memory.drafts.list();
  const id = String((await server.team.stores.find(store))?.id);
  const mutfak = String((await server.team.stores.find("mutfak"))?.id);
  const uploads = dirname(own?.path ?? "").replace(`/${mutfak}/`, `/${id}/`);
  mkdirSync(dirname(uploads), { recursive: true });
  writeFileSync(uploads, "");
}

it("goes on without a store whose draft was deleted, and ends with the last one", async () => {
  const { server, ayse, draft } = await prepare();
  await share(server, { headers: ayse, draft });

  await server.send(`DELETE /s/mutfak/api/drafts/${draft}`, { headers: ayse });
  const left = await read(server, ayse, "/1");
  const { body } = await server.send("GET /s/bahce/api/drafts", { headers: ayse });
  for (const { id } of JSON.parse(body)) {
    await server.send(`DELETE /s/bahce/api/drafts/${id}`, { headers: ayse });
  }

  expect(left).toMatchObject({ stores: [{ store: "bahce" }] });
  expect(await read(server, ayse, "/1")).toEqual([404, "E_SHARED_FILE_UNKNOWN"]);
});
