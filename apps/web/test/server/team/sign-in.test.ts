/** Signing in, invitations, passwords and sessions of a server of several people. */

import { expect, it } from "vitest";

import { type Answer, openSession, startTeamServer } from "../../helpers/team-server.ts";

const PASSWORD = "mavi kapi sessiz nehir";
const TERMINAL = { person: null, key: null, address: null } as const;

const codeOf = ({ status, body }: Answer): string => `${status} ${JSON.parse(body).code ?? "ok"}`;

const cookieOf = ({ headers }: Answer): string => String(headers["set-cookie"]).split(";")[0] ?? "";

/** A server with one person, who has a password. */
async function setUp(options: Parameters<typeof startTeamServer>[0] = {}) {
  const server = await startTeamServer(options);
  await server.addPerson("ayse", "viewer", "mutfak");
  const id = (await server.team.people.find("ayse"))?.id ?? 0;
  await server.team.people.setPassword(id, PASSWORD, TERMINAL);
  const signIn = async (password: string, login = "ayse", headers = {}): Promise<Answer> =>
    await server.send("POST /api/sign-in", { body: { login, password }, headers });
  return { server, id, signIn };
}

it("gives a cookie that only this host sees, over TLS, and a key for changes", async () => {
  const { server, signIn } = await setUp();

  const signedIn = await signIn(PASSWORD);
  const { writeKey } = JSON.parse(signedIn.body);
  const headers = { cookie: cookieOf(signedIn), "x-catalog": writeKey };
  const account = await server.send("GET /api/account", { headers });
  const ended = await server.send("DELETE /api/session", { headers });
  const after = await server.send("GET /api/account", { headers });

  expect(String(signedIn.headers["set-cookie"])).toMatch(
    /^__Host-catalog=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/u,
  );
  expect(signedIn.headers["strict-transport-security"]).toBe("max-age=31536000; includeSubDomains");
  expect(JSON.parse(account.body)).toMatchObject({
    person: { login: "ayse" },
    isAdministrator: false,
    stores: [{ name: "mutfak", role: "viewer" }],
  });
  expect(ended.headers["clear-site-data"]).toBe('"cache"');
  expect([ended.status, codeOf(after)]).toEqual([204, "401 E_SIGN_IN_NEEDED"]);
});

it("says the same of a wrong password and of nobody, and refuses the right one after five", async () => {
  const { signIn } = await setUp();

  const outcomes = [codeOf(await signIn(PASSWORD, "kimse"))];
  for (let tried = 0; tried < 5; tried += 1) outcomes.push(codeOf(await signIn("yanlis parola")));
  outcomes.push(codeOf(await signIn(PASSWORD)));

  expect(outcomes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => "403 E_SIGN_IN"));
  expect(outcomes.at(-1)).toBe("429 E_TOO_MANY_TRIES");
});

it("lets an invitation be used once", async () => {
  const { server, id } = await setUp();
  const secret = await server.team.invitations.create(id, TERMINAL);
  const find = async (given: string): Promise<Answer> =>
    await server.send("POST /api/invitations/find", { body: { secret: given } });
  const accept = async (password: string): Promise<Answer> =>
    await server.send("POST /api/invitations/accept", { body: { secret, password } });

  const found = await find(secret);
  const weak = await accept("kisa");
  const accepted = await accept("baska bir uzun parola");
  const again = await accept("ucuncu bir uzun parola");
  const opened = await server.send("GET /api/account", {
    headers: { cookie: cookieOf(accepted) },
  });

  expect(JSON.parse(found.body)).toEqual({ login: "ayse", name: "ayse" });
  expect([weak, accepted, again, await find(secret), await find("yok")].map(codeOf)).toEqual([
    "400 E_PASSWORD_WEAK",
    "200 ok",
    "404 E_INVITATION_USED",
    "404 E_INVITATION_USED",
    "404 E_INVITATION_USED",
  ]);
  expect(opened.status).toBe(200);
});

it("ends all other sessions with a new password", async () => {
  const { server, id, signIn } = await setUp();
  const other = await openSession(server.team, id);
  const headers = await openSession(server.team, id);
  const change = async (current: string): Promise<Answer> =>
    await server.send("PUT /api/password", {
      headers,
      body: { current, next: "yepyeni uzun bir parola" },
    });

  const wrong = await change("yanlis parola");
  const changed = await change(PASSWORD);

  const account = async (cookie: string): Promise<number> =>
    (await server.send("GET /api/account", { headers: { cookie } })).status;
  expect([codeOf(wrong), codeOf(changed)]).toEqual(["403 E_SIGN_IN", "200 ok"]);
  expect([await account(other.cookie), await account(cookieOf(changed))]).toEqual([401, 200]);
  expect(codeOf(await signIn(PASSWORD))).toBe("403 E_SIGN_IN");
});

it("lists a person's own sessions, and ends those only", async () => {
  const { server, id } = await setUp();
  const stranger = await server.addPerson("ali", "viewer");
  const lost = await openSession(server.team, id);
  const headers = await openSession(server.team, id);

  const listed = JSON.parse((await server.send("GET /api/sessions", { headers })).body);
  const [{ id: lostId }] = listed
    .filter((each: { isCurrent: boolean }) => !each.isCurrent)
    .slice(-1);
  const foreign = await server.send(`DELETE /api/sessions/${lostId}`, { headers: stranger });
  const ended = await server.send(`DELETE /api/sessions/${lostId}`, { headers });

  expect(listed.filter((each: { isCurrent: boolean }) => each.isCurrent)).toHaveLength(1);
  expect([codeOf(foreign), ended.status]).toEqual(["404 E_RECORD_UNKNOWN", 204]);
  expect([lost, headers]).not.toContainEqual(stranger);
});

it.each([
  ["behind a proxy, by its last word", true, "203.0.113.9"],
  ["without one, whatever is said", false, "127.0.0.1"],
])("knows where somebody comes from %s", async (_, isBehindProxy, address) => {
  const { server, id, signIn } = await setUp({ isBehindProxy });

  await signIn(PASSWORD, "ayse", { "x-forwarded-for": "198.51.100.1, 203.0.113.9" });

  const sessions = await server.team.sessions.list(id);
  expect(sessions.map((session) => session.address)).toContain(address);
});

it("opens the page by a link in an e-mail, and answers nothing else to it", async () => {
  const { server, id } = await setUp();
  const { cookie } = await openSession(server.team, id);
  const headers = {
    cookie,
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  };
  const statusOf = async (route: string, more = {}): Promise<number> =>
    (await server.send(route, { headers: { ...headers, ...more } })).status;

  expect([
    await statusOf("GET /"),
    await statusOf("GET /s/mutfak/runs"),
    await statusOf("GET /", { "sec-fetch-dest": "iframe" }),
    await statusOf("GET /api/account"),
    await statusOf("GET /s/mutfak/api/runs"),
  ]).toEqual([200, 200, 403, 403, 403]);
});
