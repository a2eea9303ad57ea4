import { once } from "node:events";
import { createServer } from "node:http";

import { describe, expect, it, onTestFinished } from "vitest";

import { serveSftp } from "../../../../packages/images/test/helpers/sftp-server.ts";
import { createCliHarness } from "../helpers/cli-harness.ts";

/** A server that knows one token. */
async function serveToken(): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.headers.authorization === "Bearer t0ken" ? 200 : 401).end("Kod\n");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const bound = server.address();
  return `127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
}

describe("catalog feed login on a terminal", () => {
  it("asks for the secret without showing it, tries it, and stores it in the keyring", async () => {
    const host = await serveToken();
    const harness = createCliHarness({ answers: ["wrong", "t0ken"] });
    const login = [
      "feed",
      "login",
      `http://${host}/a.csv`,
      "--auth",
      "bearer",
      "--allow-host",
      host,
    ];

    const refused = await harness.run(...login);
    const stored = await harness.run(...login);
    const listed = await harness.run("feed", "logins");

    expect([refused.exit, stored.exit]).toEqual([4, 0]);
    expect(refused.err).toContain("Hiçbir şey saklanmadı.");
    expect(harness.questions).toEqual(["* Anahtar", "* Anahtar"]);
    expect(stored.out).toContain("Tamam: adres açıldı, giriş saklandı.");
    expect([...harness.keyring.secrets.values()]).toEqual(["t0ken"]);
    expect(listed.out).toContain(`http://${host}/…  bearer  (sistem anahtarlığında)`);
  });

  it("stores nothing where the person gives up or does not know the server's key", async () => {
    const server = await serveSftp();
    const address = `sftp://${server.host}/out/`;
    const words = ["feed", "login", address, "--allow-host", server.host, "--lang", "en"];
    const doubting = createCliHarness({ answers: ["No"] });
    const leaving = createCliHarness({ answers: ["Yes", undefined] });

    const ended = [await doubting.run(...words), await leaving.run(...words)];

    expect(ended.map(({ exit }) => exit)).toEqual([130, 130]);
    expect(doubting.questions).toEqual([expect.stringContaining(server.hostKey)]);
    expect(server.logins).toEqual([]);
    expect((await doubting.run("feed", "logins", "--json")).out).toContain('"logins":[]');
  });

  it.each([
    [["add", "a.csv", "--auth", "bearer"], "--auth", "feed login"],
    [["add", "a.csv", "--user", "x"], "--user", "feed login"],
    [["list", "--cron", "0 5 * * *"], "--cron", "feed add"],
    [["login", "https://a.example/", "--cron", "0 5 * * *"], "--cron", "feed add"],
    [["logout", "https://a.example/", "--user", "x"], "--user", "feed login"],
    [["logins", "--stores", "a.json"], "--stores", "feed list"],
  ])("refuses a flag of another action: feed %j", async (words, flag, owner) => {
    const { exit, err } = await createCliHarness().run("feed", ...words, "--lang", "en");

    expect(exit).toBe(2);
    expect(err).toContain(`${flag} does not go with “feed ${words[0]}”; it is for “${owner}”.`);
  });

  it("helps with the flags of each action", async () => {
    const harness = createCliHarness();
    const help = async (action: string): Promise<string> =>
      (await harness.run("feed", action, "--help", "--lang", "en")).out;

    const [add, list, login] = [await help("add"), await help("list"), await help("login")];

    expect(add).toMatch(/--cron[^-]*minute.*every 30 minutes/su);
    expect(add).toMatch(/--allow .*Allowed at each sync/su);
    expect(list).toContain("--stores");
    expect([list, login].filter((text) => text.includes("--cron"))).toEqual([]);
    expect(add).not.toContain("--user");
  });

  it.each([
    [["feed", "login"], "https://…"],
    [["feed", "login", "https://a.example/", "--auth", "bearer:SECRET-CANARY"], "--auth"],
    [["feed", "login", "https://a.example/", "--key-file", "id"], "--key-file"],
    [["feed", "login", "ftps://a.example/", "--auth", "bearer"], "--auth basic"],
    [["feed", "login", "https://a.example/"], "--user"],
    [["feed", "login", "https://a.example/", "--user", "u"], "--secret-stdin"],
    [["feed", "login", "sftp://a.example/", "--unchecked"], "--host-key"],
  ])("refuses %j", async (words, named) => {
    const { exit, err } = await createCliHarness().run(...words);

    expect([exit, err]).toEqual([2, expect.stringContaining(named)]);
    expect(err).not.toContain("CANARY");
  });
});
