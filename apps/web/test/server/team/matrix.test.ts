/**
 * Every route of a server of several people, as the server itself lists them, asked by everybody: who
 * is answered stands in the table below and nowhere else.
 */

import { allows, type Role, ROLES } from "@catalog/team";
import { describe, expect, it } from "vitest";

import {
  type Answer,
  openSession,
  type SessionHeaders,
  startTeamServer,
  type TeamServer,
} from "../../helpers/team-server.ts";

/** `server` is an administrator of all stores; a store's own routes name the role in it. */
const TABLE = {
  open: ["POST /invitations/accept", "POST /invitations/find", "GET /sign-in", "POST /sign-in"],
  person: [
    "GET /account",
    "PUT /account",
    "PUT /password",
    "DELETE /session",
    "GET /sessions",
    "GET /shared-files",
    "POST /shared-files",
    "GET /shared-files/:shared",
    "GET /shared-files/:shared/order",
    "GET /shared-files/:shared/rows",
    "DELETE /sessions/:session",
  ],
  server: [
    "GET /audit",
    "GET /audit/file",
    "GET /people",
    "POST /people",
    "PUT /people/:person/active",
    "POST /people/:person/invitation",
    "PUT /people/:person/role",
    "GET /people/:person/sessions",
    "DELETE /people/:person/sessions/:session",
    "POST /stores",
  ],
  // Of a store, for an administrator of all stores.
  everyStore: ["POST /rules/share", "POST /rules/unshare"],
  viewer: [
    "GET /drafts",
    "GET /drafts/:draft",
    "GET /drafts/:draft/files/:name",
    "GET /drafts/:draft/image",
    "GET /drafts/:draft/lookup",
    "GET /drafts/:draft/names",
    "GET /drafts/:draft/names/below",
    "GET /drafts/:draft/order",
    "GET /drafts/:draft/rows",
    "GET /events",
    "GET /exports",
    "GET /exports/kinds",
    "GET /feeds",
    "GET /feeds/alarm",
    "GET /files/:file/:name",
    "GET /four-eyes",
    "GET /lookup/categories",
    "GET /me",
    "GET /members",
    "GET /products",
    "GET /products/:product",
    "GET /products/:product/image",
    "GET /products/:product/talk",
    "GET /products/order",
    "GET /products/rows",
    "GET /products/views",
    "GET /questions",
    "GET /questions/answers",
    "GET /questions/order",
    "GET /questions/replies",
    "GET /questions/rows",
    "GET /requests",
    "GET /rules",
    "GET /rules/file",
    "GET /rules/prices/file",
    "GET /runs",
    "GET /runs/:run",
    "GET /runs/:run/approval",
    "GET /runs/:run/comments",
    "GET /runs/:run/files/:name",
    "GET /runs/:run/image",
    "GET /runs/:run/order",
    "GET /runs/:run/progress",
    "GET /runs/:run/rows",
    "GET /schedules/:schedule/history",
    "GET /schedules/:schedule/shadow",
    "GET /schedules/:schedule/shadow/file",
    "GET /settings",
  ],
  editor: [
    "DELETE /drafts/:draft",
    "POST /drafts/:draft/bulk",
    "POST /drafts/:draft/columns",
    "PUT /drafts/:draft/columns",
    "POST /drafts/:draft/edits",
    "POST /drafts/:draft/exclude",
    "POST /drafts/:draft/names",
    "POST /drafts/:draft/names/search",
    "POST /drafts/:draft/period",
    "POST /drafts/:draft/plan",
    "PATCH /drafts/:draft/reading",
    "POST /drafts/:draft/redo",
    "POST /drafts/:draft/undo",
    "POST /exports",
    "DELETE /exports/:export",
    "GET /exports/:export/file",
    "POST /feeds/check",
    "POST /feeds/times",
    "POST /products/:product/read",
    "POST /products/draft",
    "POST /products/export",
    "DELETE /products/read",
    "POST /products/read",
    "PUT /products/views",
    "PUT /questions/answers",
    "POST /questions/plan",
    "DELETE /questions/read",
    "POST /questions/read",
    "PUT /questions/replies",
    "POST /rules",
    "POST /rules/default/remove",
    "POST /rules/file",
    "POST /rules/forget",
    "POST /rules/prices/try",
    "POST /rules/remove",
    "POST /runs/:run/comments",
    "POST /runs/:run/retry",
    "POST /schedules/:schedule/check",
    "POST /schedules/:schedule/run",
    "POST /templates",
    "POST /uploads",
    "POST /uploads/cells",
    "POST /uploads/link",
  ],
  approver: [
    "GET /feeds/folder",
    "POST /products/:product/undo",
    "POST /rules/costs/file",
    "POST /rules/prices/file",
    "POST /rules/prices/remove",
    "POST /runs/:run/cancel-rest",
    "POST /runs/:run/period",
    "POST /runs/:run/release",
    "POST /runs/:run/resume",
    "POST /runs/:run/send",
    "POST /runs/:run/stop",
    "POST /runs/:run/undo",
    "POST /runs/:run/unqueue",
    "POST /schedules",
    "DELETE /schedules/:schedule",
    "PUT /schedules/:schedule",
    "POST /schedules/:schedule/live",
    "PUT /schedules/:schedule/owner",
    "POST /schedules/:schedule/pause",
    "POST /schedules/:schedule/resume",
  ],
  administrator: [
    "GET /alerts",
    "POST /alerts",
    "POST /alerts/remove",
    "POST /alerts/test",
    "GET /audit",
    "GET /audit/file",
    "PUT /four-eyes",
    "GET /keys",
    "POST /keys",
    "DELETE /keys/:key",
    "POST /settings/check",
    "PUT /settings/limits",
    "PUT /settings/price-unit",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const OF_SERVER = ["open", "person", "server"] as const;

interface Route {
  /** As the server lists it. */
  readonly listed: string;
  readonly needs: keyof typeof TABLE;
}

const ROUTES: readonly Route[] = [
  ...OF_SERVER.flatMap((needs) =>
    TABLE[needs].map((route) => ({ listed: route.replace(" ", " /api"), needs })),
  ),
  ...(["everyStore", ...ROLES] as const).flatMap((needs) =>
    TABLE[needs].map((route) => ({ listed: route.replace(" ", " /s/:store/api"), needs })),
  ),
];

/** Ids that have the right form; nothing has them. */
const IDS: Readonly<Record<string, string>> = {
  draft: "d-260101-0000-0123456789ab",
  export: "00000000-0000-0000-0000-000000000000",
  file: "00000000-0000-0000-0000-000000000000",
  key: "999",
  name: "result.xlsx",
  person: "999",
  product: "1",
  run: "r-260101-0000-abcd",
  schedule: "0123456789abcdef01234567",
  session: "999",
  shared: "999",
  store: "mutfak",
};

const toAddress = (listed: string, store = "mutfak"): string =>
  listed.replace(/:([a-z]+)/gu, (_, name: string) =>
    name === "store" ? store : (IDS[name] ?? "?"),
  );

const codeOf = ({ body }: Answer): unknown => {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null && "code" in parsed ? parsed.code : null;
  } catch {
    return null;
  }
};

/** What refuses a request before its route is reached. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  "E_HOST",
  "E_NOT_SECURE",
  "E_ORIGIN",
  "E_ROLE",
  "E_SIGN_IN_NEEDED",
  "E_STORE_UNKNOWN",
  "E_WRITE_KEY",
]);

/** `ok` for a request that its route has answered, in whatever way. */
const toOutcome = (answer: Answer): unknown => {
  const code = codeOf(answer);
  if (answer.status >= 500) return `${answer.status} ${String(code)}`;
  return REFUSALS.has(code) ? `${answer.status} ${String(code)}` : "ok";
};

interface Who {
  readonly name: string;
  /** What the request is sent with, from the headers of a session that was just opened. */
  readonly headers: (session: SessionHeaders) => Readonly<Record<string, string>>;
  readonly role?: Role;
  /** The store of the role; `null` for all. */
  readonly store?: string | null;
  readonly expected: (route: Route) => string;
}

const isOfStore = ({ listed }: Route): boolean => listed.includes("/s/:store");

const byRole =
  (role: Role | undefined, isOverAll: boolean) =>
  (route: Route): string => {
    const { needs } = route;
    if (needs === "open" || needs === "person") return "ok";
    if (needs === "server") {
      return isOverAll && role === "administrator" ? "ok" : "403 E_ROLE";
    }
    if (role === undefined) return "404 E_STORE_UNKNOWN";
    if (needs === "everyStore") {
      return isOverAll && role === "administrator" ? "ok" : "403 E_ROLE";
    }
    return allows(role, needs) ? "ok" : "403 E_ROLE";
  };

const same = (session: SessionHeaders): SessionHeaders => session;
const isChange = ({ listed }: Route): boolean => !listed.startsWith("GET ");

const EVERYBODY: readonly Who[] = [
  ...ROLES.map((role) => ({
    name: `${role} of the store`,
    headers: same,
    role,
    store: "mutfak",
    expected: byRole(role, false),
  })),
  ...ROLES.map((role) => ({
    name: `${role} of all stores`,
    headers: same,
    role,
    store: null,
    expected: byRole(role, true),
  })),
  { name: "a person without a role", headers: same, expected: byRole(undefined, false) },
  {
    name: "an administrator of another store",
    headers: same,
    role: "administrator",
    store: "bahce",
    expected: byRole(undefined, false),
  },
  {
    name: "nobody",
    headers: () => ({}),
    expected: ({ needs }) => (needs === "open" ? "ok" : "401 E_SIGN_IN_NEEDED"),
  },
  {
    name: "a cookie that nobody has",
    headers: (session) => ({ ...session, cookie: "__Host-catalog=wrong" }),
    role: "administrator",
    store: null,
    expected: ({ needs }) => (needs === "open" ? "ok" : "401 E_SIGN_IN_NEEDED"),
  },
  {
    name: "an administrator at another site",
    headers: (session) => ({ ...session, origin: "https://kotu.example.com" }),
    role: "administrator",
    store: null,
    expected: () => "403 E_ORIGIN",
  },
  {
    name: "an administrator whose browser comes from another site",
    headers: (session) => ({ ...session, "sec-fetch-site": "cross-site" }),
    role: "administrator",
    store: null,
    expected: () => "403 E_ORIGIN",
  },
  {
    name: "an administrator at another host",
    headers: (session) => ({ ...session, host: "katalog.example.net" }),
    role: "administrator",
    store: null,
    expected: () => "421 E_HOST",
  },
  {
    name: "an administrator over a connection that is not secure",
    headers: (session) => ({ ...session, "x-forwarded-proto": "https, http" }),
    role: "administrator",
    store: null,
    expected: () => "403 E_NOT_SECURE",
  },
  {
    name: "an administrator without the write key",
    headers: ({ cookie }) => ({ cookie }),
    role: "administrator",
    store: null,
    expected: (route) => (isChange(route) && route.needs !== "open" ? "403 E_WRITE_KEY" : "ok"),
  },
  {
    name: "an administrator with the write key of another session",
    headers: ({ cookie }) => ({ cookie, "x-catalog": "wrong" }),
    role: "administrator",
    store: null,
    expected: (route) => (isChange(route) && route.needs !== "open" ? "403 E_WRITE_KEY" : "ok"),
  },
];

async function addPerson(server: TeamServer, { role, store }: Who): Promise<number> {
  await server.addPerson("kisi", role, store ?? undefined);
  return (await server.team.people.find("kisi"))?.id ?? 0;
}

const ask = async (
  server: TeamServer,
  person: number,
  { headers }: Pick<Who, "headers">,
): Promise<Readonly<Record<string, unknown>>> => {
  const outcomes: Record<string, unknown> = {};
  for (const { listed } of ROUTES) {
    // Signing out and the like end the session of the request before.
    const session = await openSession(server.team, person);
    const sent = { headers: headers(session) };
    outcomes[listed] = toOutcome(await server.send(toAddress(listed), sent));
  }
  return outcomes;
};

describe("every route", () => {
  it("is in the table", async () => {
    const server = await startTeamServer();
    const headers = await server.addPerson("kisi", "viewer", "mutfak");
    await server.send("GET /s/mutfak/api/me", { headers });

    const listed = server.endpoints.filter(
      (route) => /^(?:GET|POST|PUT|PATCH|DELETE) .*\/api\//u.test(route) && !route.includes("*"),
    );

    expect(listed.toSorted()).toEqual(ROUTES.map((route) => route.listed).toSorted());
  });

  it.each(EVERYBODY)("answers $name as the table says", { timeout: 120_000 }, async (who) => {
    const server = await startTeamServer();
    const person = await addPerson(server, who);

    const outcomes = await ask(server, person, who);

    expect(outcomes).toEqual(
      Object.fromEntries(ROUTES.map((route) => [route.listed, who.expected(route)])),
    );
    expect(server.bugs).toEqual([]);
  });

  it("answers nobody whose session is too old", { timeout: 120_000 }, async () => {
    const server = await startTeamServer();
    const headers = await server.addPerson("kisi", "administrator");
    await server.clock.advance(8 * 60 * 60_000);

    const outcomes = new Set<unknown>();
    for (const { listed, needs } of ROUTES) {
      if (needs === "open") continue;
      outcomes.add(toOutcome(await server.send(toAddress(listed), { headers })));
    }

    expect([...outcomes]).toEqual(["401 E_SIGN_IN_NEEDED"]);
  });

  it("writes down who was refused, and what", { timeout: 120_000 }, async () => {
    const server = await startTeamServer();
    const headers = await server.addPerson("ali", "viewer", "mutfak");
    const id = (await server.team.people.find("ali"))?.id;
    const refused = ROUTES.filter(
      (route) => byRole("viewer", false)(route) === "403 E_ROLE" && isOfStore(route),
    );

    for (const { listed } of refused) await server.send(toAddress(listed), { headers });
    await server.send("GET /s/bahce/api/runs", { headers });

    const entries = await server.team.audit.list({ limit: 200 });
    const own = entries.filter(({ actor }) => actor.person === id);
    expect(own.filter(({ action }) => action.endsWith(".refused"))).toHaveLength(
      refused.length + 1,
    );
    expect(own[0]).toMatchObject({ action: "store.refused", subject: "bahce" });
    expect(await server.team.audit.findBreak()).toBeUndefined();
  });
});
