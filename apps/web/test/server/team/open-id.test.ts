/** Signing in by a real identity provider. */

import { expect, it } from "vitest";

import { startOpenIdProvider } from "../../helpers/openid-provider.ts";
import { type Answer, ORIGIN, startTeamServer } from "../../helpers/team-server.ts";

const BACK = `${ORIGIN}/api/openid/back`;

/** The cookies that an answer sets, as a browser sends them from then on. */
const cookiesOf = ({ headers }: Answer): string =>
  [headers["set-cookie"] ?? []]
    .flat()
    .map((text) => text.split(";")[0])
    .join("; ");

async function setUp() {
  const provider = await startOpenIdProvider(BACK);
  const { issuer, clientId, clientSecret } = provider;
  const server = await startTeamServer({
    openId: { issuer, clientId, clientSecret, name: "Firma" },
  });
  await server.addPerson("ayse@firma.com", "viewer", "mutfak");
  /** What the browser is led back to, after a person has signed in at the provider. */
  const goThere = async () => {
    const begun = await server.send("GET /api/openid");
    const address = await provider.signIn(String(begun.headers["location"]));
    return { cookie: cookiesOf(begun), address };
  };
  const comeBack = async (address: URL, cookie: string) =>
    await server.send(`GET ${address.pathname}${address.search}`, {
      headers: {
        cookie,
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
      },
    });
  return { provider, server, goThere, comeBack };
}

it("lets in a person who was invited with the address that the provider has verified", async () => {
  const { provider, server, goThere, comeBack } = await setUp();
  provider.setPerson({ email: "Ayse@firma.com", isVerified: true });

  const { address, cookie } = await goThere();
  const back = await comeBack(address, cookie);
  const headers = { cookie: cookiesOf(back) };
  const opened = await server.send("POST /api/session", { headers, body: { key: "openid" } });
  const account = await server.send("GET /api/account", { headers });

  expect([back.status, back.headers["location"]]).toEqual([302, "/#k=openid"]);
  expect([opened.status, JSON.parse(opened.body)]).toEqual([200, { writeKey: expect.any(String) }]);
  expect(JSON.parse(account.body)).toMatchObject({ person: { login: "ayse@firma.com" } });
  expect(JSON.parse((await server.send("GET /api/sign-in")).body)).toEqual({ openId: "Firma" });
  expect(server.bugs).toEqual([]);
});

it.each([
  ["nobody has invited", { email: "baska@firma.com", isVerified: true }],
  ["the provider has not verified", { email: "ayse@firma.com", isVerified: false }],
])("refuses an address that %s, and writes it down", async (_, person) => {
  const { provider, server, goThere, comeBack } = await setUp();
  provider.setPerson(person);

  const { address, cookie } = await goThere();
  const back = await comeBack(address, cookie);

  const [entry] = await server.team.audit.list({ limit: 1 });
  expect(back.headers["location"]).toBe("/#e=E_OPENID_REFUSED");
  expect(cookiesOf(back)).not.toContain("__Host-catalog=");
  expect(entry).toMatchObject({ action: "session.refused", after: { by: "openid" } });
});

it("knows a person by the account, whoever has the address later, until there is a new invitation", async () => {
  const { provider, server, goThere, comeBack } = await setUp();
  const signIn = async (account: string, email: string): Promise<boolean> => {
    provider.setPerson({ account, email, isVerified: true });
    const { address, cookie } = await goThere();
    return cookiesOf(await comeBack(address, cookie)).includes("__Host-catalog=");
  };
  const invited = "ayse@firma.com";

  const first = await signIn("1", invited);
  const renamed = await signIn("1", "ayse.kaya@firma.com");
  const successor = await signIn("2", invited);
  const person = await server.team.people.find(invited);
  const by = { person: null, key: null, address: null };
  await server.team.invitations.create(person?.id ?? 0, by);
  const invitedAgain = await signIn("2", invited);

  expect({ first, renamed, successor, invitedAgain }).toEqual({
    first: true,
    renamed: true,
    successor: false,
    invitedAgain: true,
  });
  expect(await signIn("1", invited)).toBe(false);
});

it("refuses an answer that this browser has not asked for, or that was changed", async () => {
  const { provider, goThere, comeBack } = await setUp();
  provider.setPerson({ email: "ayse@firma.com", isVerified: true });
  const mine = await goThere();
  const other = await goThere();
  const changed = new URL(mine.address);
  changed.searchParams.set("state", "x".repeat(43));

  const answers = [
    await comeBack(mine.address, ""),
    await comeBack(mine.address, other.cookie),
    await comeBack(mine.address, "__Host-catalog-openid=bozuk"),
    await comeBack(changed, mine.cookie),
  ];

  expect(answers.map(({ headers }) => headers["location"])).toEqual(
    answers.map(() => "/#e=E_OPENID_REFUSED"),
  );
});

it("refuses a token that the provider's published key has not signed", async () => {
  const { provider, goThere, comeBack } = await setUp();
  provider.setPerson({ email: "ayse@firma.com", isVerified: true });
  provider.publishOtherKey();
  const { address, cookie } = await goThere();

  const back = await comeBack(address, cookie);

  expect(back.headers["location"]).toBe("/#e=E_OPENID_REFUSED");
});

it("is begun by the page, and by no link or image of another site", async () => {
  const { server } = await setUp();
  const statusOf = async (dest: string): Promise<number> => {
    const mode = dest === "document" ? "navigate" : "no-cors";
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": mode };
    const sent = { headers: { ...headers, "sec-fetch-dest": dest } };
    return (await server.send("GET /api/openid", sent)).status;
  };

  expect([await statusOf("document"), await statusOf("image")]).toEqual([403, 403]);
});

it("says that the provider cannot be reached", async () => {
  const server = await startTeamServer({
    openId: { issuer: "http://127.0.0.1:9", clientId: "a", clientSecret: "b", name: "Firma" },
  });

  const { status, headers } = await server.send("GET /api/openid");

  expect([status, headers["location"]]).toEqual([302, "/#e=E_OPENID_AWAY"]);
});
