/**
 * Odd ids and bodies on every route of the page and of programs, from an administrator of another
 * store: no answer is a failure of the server, and none has a byte of a store in which the person has
 * no role.
 */

import { request as sendRequest } from "node:http";

import { expect, it } from "vitest";

import { openSession, ORIGIN, startTeamServer } from "../../helpers/team-server.ts";

/** `npm run soak` asks more. */
const REQUESTS = Number(process.env["CATALOG_FUZZ_REQUESTS"] ?? "1500");
const SEED = Number(process.env["CATALOG_FUZZ_SEED"] ?? "1");

/** Stands in everything that belongs to the other store. */
const CANARY = "kanarya7f3a";

/** The same numbers for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = createRandom(SEED);
const below = (n: number): number => Math.floor(random() * n);

function pick<Item>(items: readonly Item[]): Item {
  const item = items[below(items.length)];
  if (item === undefined) throw new Error("there is nothing to pick");
  return item;
}

const ODD_TEXTS = [
  "",
  "0",
  "-1",
  "1",
  "9007199254740993",
  "1e309",
  "null",
  "true",
  "..",
  "../../etc/passwd",
  "%00",
  "\u0000",
  "\uD800",
  "__proto__",
  "constructor",
  "' OR 1=1 --",
  "'; DROP TABLE run; --",
  "<script>alert(1)</script>",
  "=cmd|' /C calc'!A0",
  "d-260101-0000-0123456789ab",
  "r-260101-0000-abcd",
  "0123456789abcdef01234567",
  "00000000-0000-0000-0000-000000000000",
  "result.xlsx",
  "İıŞşĞğ",
  "a".repeat(3_000),
];

const ODD_NUMBERS = [0, -1, 1, 0.5, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63)];

/** Names of members that bodies of routes have. */
const MEMBERS =
  "planHash row kinds limit name mode profile url cron feed isShadow state events text name id ids rows row run draft version mode cells edits col value before after columns reading period rule rules from to field feed cron login password role store person secret answers replies key keys url options saved filter sort limit offset q lang fields limits guards unit code codes product products priceUnit kind row_no __proto__".split(
    " ",
  );

function toOdd(ids: readonly string[], depth = 0): unknown {
  const kind = below(depth > 3 ? 4 : 7);
  if (kind === 0) return pick([...ODD_TEXTS, ...ids]);
  if (kind === 1) return pick(ODD_NUMBERS);
  if (kind === 2) return pick([true, false, null]);
  if (kind === 3) return pick(ids);
  if (kind === 4) return Array.from({ length: below(5) }, () => toOdd(ids, depth + 1));
  return Object.fromEntries(
    Array.from({ length: below(6) }, () => [pick(MEMBERS), toOdd(ids, depth + 1)]),
  );
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A request that is answered by nothing within this time hangs. */
const MAX_MS = 60_000;

interface Answered {
  readonly status: number;
  readonly text: string;
}

function ask(port: number, { method, path, headers, body }: Asked): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const request = sendRequest({
    port,
    host: "127.0.0.1",
    method,
    path,
    // A refused body ends its connection.
    agent: false,
    signal: AbortSignal.timeout(MAX_MS),
    headers: { host: new URL(ORIGIN).host, origin: ORIGIN, ...headers },
  });
  request.once("error", (error) => reject(new Error(`${method} ${path}`, { cause: error })));
  request.once("response", (response) => {
    const { statusCode: status = 0 } = response;
    const head = JSON.stringify(response.headers);
    if (response.headers["content-type"]?.startsWith("text/event-stream") === true) {
      response.destroy();
      resolve({ status, text: head });
      return;
    }
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.once("error", reject);
    response.once("end", () =>
      resolve({ status, text: head + Buffer.concat(chunks).toString("latin1") }),
    );
  });
  request.end(body);
  return promise;
}

type Server = Awaited<ReturnType<typeof startTeamServer>>;

const OTHER_FEED = `https://erp.example/${CANARY}.csv`;

/** Has the other store keep something with the canary wherever a person or a program can write; returns its ids. */
async function fillOtherStore(server: Server): Promise<readonly string[]> {
  const headers = await server.addPerson("bahceci", "administrator", "bahce");
  const sendWith =
    (base: string, more: Readonly<Record<string, string>>) =>
    async (route: string, body: unknown): Promise<string> => {
      const [method, path] = route.split(" ");
      const { status, body: text } = await server.send(`${method} ${base}${path}`, {
        headers: more,
        body,
      });
      expect([route, status, status < 300 ? "" : text]).toEqual([route, expect.any(Number), ""]);
      return text === "" ? "" : idOf(JSON.parse(text));
    };
  const send = sendWith("/s/bahce/api", headers);
  const draft = await send("POST /uploads/cells", {
    text: `Ürün Kodu\tBaşlık\tFiyat\n${CANARY}-1\t${CANARY} sandalye\t10\n`,
    name: `${CANARY}.csv`,
  });
  await send("PUT /questions/replies", { replies: [{ name: CANARY, text: CANARY }] });
  await send("POST /keys", { name: CANARY, role: "viewer" });
  const program = sendWith("/v1/stores/bahce", await openProgram(server, "bahceci", "bahce"));
  const rows = [{ "Ürün Kodu": `${CANARY}-1`, Başlık: CANARY }];
  const run = await program(`POST /plans?name=${CANARY}.csv`, { rows });
  const hook = await program("POST /webhooks", { url: `https://203.0.114.9/${CANARY}` });
  const times = { cron: "0 6 * * *", feed: OTHER_FEED, isShadow: true };
  return [draft, run, hook, await program("POST /schedules", times)];
}

const idOf = (value: unknown): string =>
  typeof value === "object" && value !== null && "id" in value ? String(value.id) : "";

/** What a program of the person sends; each has a key of its own. */
async function openProgram(
  { team }: Server,
  login: string,
  store: string,
): Promise<Readonly<Record<string, string>>> {
  const person = (await team.people.find(login))?.id ?? 0;
  const at = (await team.stores.find(store))?.id ?? 0;
  const asked = { name: "erp", role: "administrator", person, store: at } as const;
  const { secret } = await team.keys.create(asked, { person, key: null, address: null });
  return { authorization: `Bearer ${secret}` };
}

const OWN_AND_OTHER = ["mutfak", "mutfak", "mutfak", "bahce", "..", "", "MUTFAK", "%62ahce"];
/** These end the session that asks. */
const ENDING = new Set(["DELETE /api/session", "PUT /api/password"]);
/** A site answers a program at the address of the door that hands it on. */
const HANDED_ON = "/s/:store/v1/";

/** Who asks which routes. */
interface Door {
  readonly name: string;
  readonly isOf: (path: string) => boolean;
  readonly open: (server: Server) => Promise<Readonly<Record<string, string>>>;
  /** Headers that are sent now and then. */
  readonly oddHeaders: readonly Readonly<Record<string, string>>[];
}

const ATTACKER = "ali";

const DOORS: readonly Door[] = [
  {
    name: "the page",
    isOf: (path) => !path.startsWith("/v1/"),
    open: async ({ team }) => {
      const { id = 0 } = (await team.people.find(ATTACKER)) ?? {};
      return await openSession(team, id);
    },
    oddHeaders: [{}],
  },
  {
    name: "programs",
    isOf: (path) => path.startsWith("/v1/"),
    open: (server) => openProgram(server, ATTACKER, "mutfak"),
    oddHeaders: [
      {},
      {},
      { "idempotency-key": "again" },
      { "idempotency-key": "x".repeat(300) },
      { "last-event-id": "9007199254740993" },
      { prefer: "wait=-1, wait=1e9x" },
      { "accept-language": "tr, *;q=x" },
    ],
  },
];

/** A program may ask 600 times a minute, so it comes with another key before. */
const REQUESTS_OF_A_KEY = 500;

function toAsked(
  route: string,
  ids: readonly string[],
  session: Readonly<Record<string, string>>,
): Asked {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern
    .replace(/:([a-z]+)/gu, (_, name: string) => {
      const text = name === "store" ? pick(OWN_AND_OTHER) : pick([...ids, ...ODD_TEXTS]);
      return random() < 0.5
        ? encodeURIComponent(text.toWellFormed())
        : encodeURI(text.toWellFormed());
    })
    .replace("*", () => encodeURI(pick(ODD_TEXTS).toWellFormed()));
  const parameter = `${pick(MEMBERS)}=${encodeURIComponent(pick([...ids, ...ODD_TEXTS]).toWellFormed())}`;
  const query = pick(["", "", `?${parameter}`, `?${parameter}&${parameter}`]);
  const hasBody = method !== "GET" && method !== "HEAD";
  const type = pick([
    "application/json",
    "application/json",
    "application/octet-stream",
    "text/plain",
  ]);
  const json = JSON.stringify(toOdd(ids));
  const body = hasBody
    ? pick([json, json, json, json.slice(0, -1), `${CANARY.length}`, ""])
    : undefined;
  return {
    method,
    path: `${path}${query}`,
    headers: { ...session, ...(hasBody && { "content-type": type }) },
    body,
  };
}

it.each(DOORS)(
  "$name: odd requests are answered without failing, and without a byte of another store",
  { timeout: 900_000 },
  async ({ isOf, open, oddHeaders }) => {
    const server = await startTeamServer();
    const ids = await fillOtherStore(server);
    const attacker = await server.addPerson(ATTACKER, "administrator", "mutfak");
    await server.send("GET /s/mutfak/api/me", { headers: attacker });
    const routes = [...new Set(server.endpoints)]
      .filter((route) => !ENDING.has(route) && !route.startsWith("OPTIONS"))
      .map((route) => route.replace(HANDED_ON, "/v1/"))
      .filter((route) => isOf(route.split(" ")[1] ?? ""));
    const found: unknown[] = [];
    const statuses = new Map<number, number>();
    let session: Readonly<Record<string, string>> = {};

    for (let asked = 0; asked < REQUESTS; asked += 1) {
      if (asked % REQUESTS_OF_A_KEY === 0) session = await open(server);
      const request = toAsked(pick(routes), ids, { ...pick(oddHeaders), ...session });
      const { status, text } = await ask(server.port, request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // What was sent may come back in a message.
      const isOurs = request.path.includes(CANARY) || request.body?.includes(CANARY) === true;
      if (status >= 500 || (!isOurs && text.includes(CANARY))) {
        found.push([status, request.method, request.path, request.body, text.slice(-400)]);
      }
    }

    expect(found).toEqual([]);
    expect(server.bugs).toEqual([]);
    // Requests have come as far as the routes.
    expect(statuses.get(401) ?? 0).toBeLessThan(REQUESTS / 10);
    expect(statuses.get(429) ?? 0).toBeLessThan(REQUESTS / 10);
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 50);
  },
);
