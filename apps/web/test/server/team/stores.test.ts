/** A store's page on a server of several people. */

import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { storeRun } from "@catalog/connection/testing";
import { expect, it } from "vitest";

import { openSession, startTeamServer } from "../../helpers/team-server.ts";

const TERMINAL = { person: null, key: null, address: null } as const;

it("says who asks, and what the person may do in the store", async () => {
  const server = await startTeamServer();
  const headers = await server.addPerson("ayse", "editor", "mutfak");

  const { status, body } = await server.send("GET /s/mutfak/api/me", { headers });

  expect([status, JSON.parse(body), server.bugs]).toMatchObject([
    200,
    { user: "ayse", role: "editor", store: { storeId: "0123456789abcdef01234560" } },
    [],
  ]);
});

const OPTIONS = {
  sheet: "",
  encoding: "",
  columns: {},
  decimal: "",
  priceUnit: "",
  maxAgeHours: 0,
  allowHost: "",
};

it.each([
  ["/etc/passwd", ""],
  ["file:///etc/passwd", ""],
  ["http://169.254.169.254/latest", "169.254.169.254"],
])("reads nothing of the server and its network as a feed: %s", async (feed, allowHost) => {
  const server = await startTeamServer();
  const headers = await server.addPerson("ayse", "approver", "mutfak");

  const body = { feed, options: { ...OPTIONS, allowHost }, login: null };
  const times = { cron: "0 * * * *", timeZone: "Europe/Istanbul", dropped: [] };
  const answers = [
    await server.send("POST /s/mutfak/api/feeds/check", { headers, body }),
    await server.send("POST /s/mutfak/api/schedules", { headers, body: { ...body, ...times } }),
    await server.send("GET /s/mutfak/api/feeds/folder", { headers }),
  ];

  expect(answers.map(({ status, body: text }) => [status, JSON.parse(text).code])).toEqual(
    answers.map(() => [403, "E_FEED_FILE"]),
  );
});

it("removes old files of a store that nobody opens", async () => {
  const server = await startTeamServer({ stores: ["mutfak"] });
  await using connection = await server.openStore("mutfak");
  const id = "r-250101-0000-aaaa";
  await storeRun(connection, { id, header: ["Ürün Kodu"], rows: [] });
  await connection.runs.update(id, { state: "finished" });
  const results = join(server.folder, "stores", "1", "results", id);
  mkdirSync(results, { recursive: true });
  const DAY_MS = 24 * 60 * 60_000;
  const ageDays = async (days: number): Promise<void> => {
    const seconds = (server.clock.now() + DAY_MS - days * DAY_MS) / 1_000;
    utimesSync(results, seconds, seconds);
    await server.clock.advance(DAY_MS);
    await server.sweep();
  };

  await ageDays(364);
  const isKept = existsSync(results);
  await ageDays(366);

  expect(isKept).toBe(true);
  await expect.poll(() => existsSync(results), { timeout: 20_000 }).toBe(false);
  expect(server.bugs).toEqual([]);
});

it("closes the site of a store that nobody uses, and opens it for the next request", async () => {
  const server = await startTeamServer();
  const headers = await server.addPerson("ayse", "viewer", "mutfak");
  const ask = async (): Promise<number> =>
    (await server.send("GET /s/mutfak/api/me", { headers })).status;
  const countOpened = (): number =>
    server.endpoints.filter((route) => route === "GET /s/:store/api/me").length;

  const first = [await ask(), await ask()];
  const opened = countOpened();
  await server.clock.advance(14 * 60_000);
  await server.sweep();
  const used = [await ask(), countOpened()];
  await server.clock.advance(17 * 60_000);
  await server.sweep();
  const later = [await ask(), countOpened()];

  expect([first, opened, used, later, server.bugs]).toEqual([
    [200, 200],
    1,
    [200, 1],
    [200, 2],
    [],
  ]);
});

it("shows an administrator of a store its own record only", async () => {
  const server = await startTeamServer();
  const headers = await server.addPerson("ayse", "administrator", "mutfak");
  const other = await server.addPerson("ali", "administrator", "bahce");
  const value = { mode: "always", moreThanRows: null };
  await server.send("PUT /s/mutfak/api/four-eyes", { headers, body: value });
  await server.send("PUT /s/bahce/api/four-eyes", { headers: other, body: value });
  await server.send("PUT /s/mutfak/api/settings/limits", {
    headers,
    body: { guards: { priceDropPercent: 20 }, callsPerHour: null },
  });

  const { body } = await server.send("GET /s/mutfak/api/audit", { headers });

  const entries: readonly Record<string, unknown>[] = JSON.parse(body).entries;
  expect(new Set(entries.map(({ store }) => store))).toEqual(new Set(["mutfak"]));
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: "four-eyes.set", person: "ayse", after: value }),
      expect.objectContaining({
        action: "settings.limits.change",
        before: { guards: {} },
        after: { guards: { priceDropPercent: 20 }, requestsPerHour: null },
      }),
    ]),
  );
});

it.each(["session", "role"] as const)(
  "ends a stream whose person has no %s any more",
  async (gone) => {
    const server = await startTeamServer();
    await server.addPerson("ayse", "viewer", "mutfak");
    const { team } = server;
    const person = (await team.people.find("ayse"))?.id ?? 0;
    const store = (await team.stores.find("mutfak"))?.id ?? 0;
    const headers = await openSession(team, person);
    const stream = await server.openStream("/s/mutfak/api/events", headers);

    await server.sweep();
    const before = stream.isOpen();
    if (gone === "role") await team.people.setRole({ person, store }, undefined, TERMINAL);
    else await server.send("DELETE /api/session", { headers });
    await server.sweep();
    await stream.closed;

    expect([before, stream.isOpen()]).toEqual([true, false]);
  },
);

it.each(["key", "role", "person"] as const)(
  "ends a stream of a program whose %s is gone",
  async (gone) => {
    const server = await startTeamServer();
    await server.addPerson("ayse", "viewer", "mutfak");
    const { team } = server;
    const person = (await team.people.find("ayse"))?.id ?? 0;
    const store = (await team.stores.find("mutfak"))?.id ?? 0;
    const made = { name: "erp", person, store, role: "viewer" } as const;
    const { key, secret } = await team.keys.create(made, TERMINAL);
    const run = "r-260101-0000-abcd";
    await using connection = await server.openStore("mutfak");
    await storeRun(connection, { id: run, header: ["Ürün Kodu"], rows: [] });
    const path = `/v1/stores/mutfak/runs/${run}/events`;
    const stream = await server.openStream(path, { authorization: `Bearer ${secret}` });

    await server.sweep();
    const before = stream.isOpen();
    if (gone === "key") await team.keys.end(key.id, TERMINAL);
    else if (gone === "role") await team.people.setRole({ person, store }, undefined, TERMINAL);
    else await team.people.setActive(person, false, TERMINAL);
    await server.sweep();
    await stream.closed;

    expect([before, stream.isOpen(), server.bugs]).toEqual([true, false, []]);
  },
);

it("keeps who answers for a schedule, says when nobody does, and lets it be handed over", async () => {
  const server = await startTeamServer();
  const { team } = server;
  const ayse = await server.addPerson("ayse", "approver", "mutfak");
  const headers = await server.addPerson("ali", "administrator", "mutfak");
  await server.addPerson("izleyici", "viewer", "mutfak");
  await server.addPerson("baska", "approver", "bahce");
  const idOf = async (login: string): Promise<number> => (await team.people.find(login))?.id ?? 0;
  const store = (await team.stores.find("mutfak"))?.id ?? 0;
  const body = {
    feed: "https://bayi.example/stok.csv",
    options: OPTIONS,
    login: null,
    cron: "0 * * * *",
    timeZone: "Europe/Istanbul",
    dropped: [],
  };
  const readOwner = async (): Promise<unknown> => {
    const { body: text } = await server.send("GET /s/mutfak/api/feeds", { headers });
    return JSON.parse(text)[0].schedule.owner;
  };

  const added = await server.send("POST /s/mutfak/api/schedules", { headers: ayse, body });
  const [{ schedule }] = JSON.parse(added.body);
  const mine = await readOwner();
  await team.people.setRole({ person: await idOf("ayse"), store }, "editor", TERMINAL);
  await server.sweep();
  const gone = await readOwner();
  const handOver = async (login: string): Promise<number> => {
    const path = `PUT /s/mutfak/api/schedules/${schedule.id}/owner`;
    return (await server.send(path, { headers, body: { person: await idOf(login) } })).status;
  };
  const statuses = [await handOver("izleyici"), await handOver("baska"), await handOver("ali")];

  const owner = { person: await idOf("ayse"), name: "ayse", isGone: false };
  expect([mine, gone]).toEqual([owner, { ...owner, isGone: true }]);
  expect(statuses).toEqual([404, 404, 204]);
  expect(await readOwner()).toEqual({ person: await idOf("ali"), name: "ali", isGone: false });
  const [entry] = await team.audit.list({ limit: 1 });
  expect(entry).toMatchObject({
    action: "schedules.owner",
    subject: schedule.id,
    before: await idOf("ayse"),
    after: await idOf("ali"),
  });
  expect(server.bugs).toEqual([]);
});

it("works with credentials that were renewed at the terminal within a minute", async () => {
  const server = await startTeamServer();
  const headers = await server.addPerson("ayse", "viewer", "mutfak");
  const stream = await server.openStream("/s/mutfak/api/events", headers);
  const id = (await server.team.stores.find("mutfak"))?.id ?? 0;
  const countOpened = (): number =>
    server.endpoints.filter((route) => route === "GET /s/:store/api/me").length;

  await server.sweep();
  const before = [countOpened(), stream.isOpen()];
  const { baseUrl, storeId, clientKey } = await server.team.stores.credentials(id);
  const renewed = { name: "mutfak", baseUrl, storeId, clientKey, clientSecret: "another" };
  await server.team.stores.save(renewed, TERMINAL);
  await server.sweep();
  await stream.closed;
  await server.send("GET /s/mutfak/api/me", { headers });

  expect([before, countOpened(), server.bugs]).toEqual([[1, true], 2, []]);
});
