import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { LOGIN_TEXTS, maskKey } from "../../src/commands/login/run.ts";
import { createLoginStore } from "../../src/settings/login-store.ts";
import { answersOf, createCliHarness, openSandbox, settingsOf } from "../helpers/cli-harness.ts";

describe("catalog login on a terminal", () => {
  it("asks for four settings, checks them and stores them, the secret in the keyring", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({ answers: answersOf(sandbox) });

    const { exit, out, err } = await harness.run("login");

    expect({ exit, err }).toEqual({
      exit: 0,
      err: "\nŞimdi dosyanızı deneyin, hiçbir şey gönderilmez: catalog plan DOSYA\n",
    });
    expect(out).toContain("Tamam: bağlantı denendi, bilgiler saklandı.\n");
    expect(harness.questions).toEqual([
      "Pazaryerinin adresi []",
      "Uygulama anahtarı (client_key) []",
      "Mağaza kimliği []",
      "* Gizli anahtar (client_secret)",
    ]);
    expect(out).toContain(`Adres          ${sandbox.baseUrl}\n`);
    expect(out).toContain("Gizli anahtar  sistem anahtarlığında\n");
    expect([...harness.keyring.secrets.values()]).toEqual([sandbox.clientSecret]);
    expect(sandbox.stats().byEndpoint).toEqual({ "token.create": 1, "product.list": 1 });
  });

  it("writes English too", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({ answers: answersOf(sandbox), keyring: "missing" });

    const { out, err } = await harness.run("login", "--lang", "en");

    expect(harness.questions[0]).toBe("Address of the marketplace []");
    expect(err).toContain(
      "Warning: the system's keyring cannot be used; the secret is in the file named below, which only you can read.\n",
    );
    expect(out).toContain(`Secret         ${harness.logins.path}\n`);
  });

  it("asks again for a store id that looks like a secret, and repeats none of it", async () => {
    const sandbox = await openSandbox();
    const [address = "", key = "", ...rest] = answersOf(sandbox);
    const secret = "CANARY/9dTq+Zk2vX7mB4nR8wL1yH6cJ3fG5sA0";
    const harness = createCliHarness({ answers: [address, key, secret, ...rest] });

    const { exit, out, err } = await harness.run("login");
    const flagged = await harness.run("login", "--store-id", secret);

    expect(exit).toBe(0);
    expect(harness.questions.filter((question) => question.includes("Mağaza"))).toHaveLength(2);
    expect(err).toContain("Bu bir mağaza kimliğine benzemiyor.");
    expect(flagged.exit).toBe(2);
    expect(out + err + flagged.out + flagged.err).not.toContain("CANARY");
  });

  it("proposes known values, and asks for nothing that a flag gives", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({
      answers: [sandbox.baseUrl, sandbox.clientKey, sandbox.clientSecret],
      files: { "catalog.config.json": JSON.stringify({ clientKey: "key-of-file" }) },
    });
    await harness.run("trust", "--yes");

    await harness.run("login", "--store-id", sandbox.storeId);

    expect(harness.questions.map((question) => question.replace(/^.*\[/u, "["))).toEqual([
      "[]",
      "[key-of-file]",
      "* Gizli anahtar (client_secret)",
    ]);
  });

  it("proposes no address of a file that was not trusted, and works without it", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({
      answers: answersOf(sandbox),
      files: { "catalog.config.json": JSON.stringify({ baseUrl: "https://kotu.example" }) },
    });

    const { exit } = await harness.run("login");

    expect(exit).toBe(0);
    expect(harness.questions[0]).toBe("Pazaryerinin adresi []");
  });

  it("stores no refused credentials, and shows no secret", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({ answers: answersOf(sandbox, "SECRET-CANARY") });

    const { exit, out, err } = await harness.run("login", "--json");

    expect(exit).toBe(4);
    expect(out + err).not.toContain("SECRET-CANARY");
    expect(existsSync(harness.logins.path)).toBe(false);
    expect(harness.keyring.secrets.size).toBe(0);
  });

  it("stores nothing when the store denies access", async () => {
    const sandbox = await openSandbox();
    const [baseUrl, key, , secret] = answersOf(sandbox);
    const harness = createCliHarness({ answers: [baseUrl, key, "5".repeat(24), secret] });

    const { exit, err } = await harness.run("login");

    expect(exit).toBe(4);
    expect(err).toContain("Bu anahtarın bu mağazaya izni yok");
    expect(err).not.toContain("CATALOG_STORE_ID");
    expect(existsSync(harness.logins.path)).toBe(false);
  });

  it("asks again only for the answer that was wrong, and keeps the others", async () => {
    const sandbox = await openSandbox();
    const [baseUrl, key, store, secret] = answersOf(sandbox);
    const harness = createCliHarness({ answers: [baseUrl, key, "5".repeat(24), secret, store] });

    const { exit, out } = await harness.run("login");

    expect(exit).toBe(0);
    expect(harness.questions.slice(4)).toEqual([`Mağaza kimliği [${"5".repeat(24)}]`]);
    expect(out).toContain(`Mağaza         ${store}\n`);
  });

  it("asks again for key and secret, of which either may be wrong", async () => {
    const sandbox = await openSandbox();
    const [baseUrl, key, store, secret] = answersOf(sandbox);
    const harness = createCliHarness({ answers: [baseUrl, key, store, "wrong", key, secret] });

    const { exit } = await harness.run("login");

    expect(exit).toBe(0);
    expect(harness.questions.slice(4)).toEqual([
      `Uygulama anahtarı (client_key) [${key}]`,
      "* Gizli anahtar (client_secret)",
    ]);
  });

  it.each(["ornek", "http//yanlis", "http://api.example", "ftp://a.example"])(
    "asks again at once for the address %s, and says what is wrong",
    async (wrong) => {
      const sandbox = await openSandbox();
      const harness = createCliHarness({ answers: [wrong, ...answersOf(sandbox)] });

      const { exit, err } = await harness.run("login");

      expect(exit).toBe(0);
      expect(harness.questions.slice(0, 2)).toEqual([
        "Pazaryerinin adresi []",
        "Pazaryerinin adresi []",
      ]);
      expect(err).toMatch(/^Pazaryerinin adresi .*https:\/\//u);
    },
  );

  it("asks again at once where an answer is empty", async () => {
    const sandbox = await openSandbox();
    const [baseUrl, ...rest] = answersOf(sandbox);
    const harness = createCliHarness({ answers: ["", baseUrl, ...rest] });

    const { exit, err } = await harness.run("login");

    expect(exit).toBe(0);
    expect(err).toContain("Boş bırakılamaz; vazgeçmek için Ctrl-C.\n");
  });

  it("checks with a new token even where one is stored", async () => {
    const sandbox = await openSandbox();
    const wrong = [...answersOf(sandbox), ...answersOf(sandbox, "wrong")];
    const harness = createCliHarness({ answers: wrong });
    await harness.run("login");

    const { exit } = await harness.run("login");

    expect(exit).toBe(4);
    const kept = (await harness.logins.read()).stores[0];
    expect(await kept?.readSecret()).toBe(sandbox.clientSecret);
  });

  it.each([
    [0, []],
    [3, ["http://127.0.0.1:9", "key", "s-1"]],
  ])("stores nothing when a person cancels after %i answers", async (_count, answers) => {
    const harness = createCliHarness({ answers: [...answers, undefined] });

    const { exit, err } = await harness.run("login");

    expect({ exit, err }).toEqual({ exit: 130, err: "Vazgeçildi; hiçbir şey saklanmadı.\n" });
    expect(existsSync(harness.logins.path)).toBe(false);
  });
});

/** All flags but the secret. */
const ALL = {
  env: {
    CATALOG_BASE_URL: "http://127.0.0.1:9",
    CATALOG_CLIENT_KEY: "key",
    CATALOG_STORE_ID: "s-1",
  },
} as const;

describe("catalog login without a terminal", () => {
  it("reads the secret from standard input, and the rest from flags", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({ input: `${sandbox.clientSecret}\n`, keyring: "missing" });

    const { exit, out } = await harness.run(
      "login",
      "--secret-stdin",
      "--json",
      `--base-url=${sandbox.baseUrl}`,
      `--client-key=${sandbox.clientKey}`,
      `--store-id=${sandbox.storeId}`,
    );

    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual({
      command: "login",
      stored: true,
      name: "main",
      default: true,
      base_url: sandbox.baseUrl,
      client_key: `${sandbox.clientKey.slice(0, 4)}…`,
      store_id: sandbox.storeId,
      secret_in: "file",
      file: harness.logins.path,
      exit: 0,
    });
    expect(readFileSync(harness.logins.path, "utf8")).toContain(sandbox.clientSecret);
  });

  it("reads from the environment what no flag gives", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({ env: settingsOf(sandbox), input: sandbox.clientSecret });

    const { exit } = await harness.run("login", "--secret-stdin", "--in-file");

    expect(exit).toBe(0);
    expect((await harness.logins.read()).stores[0]).toMatchObject({
      storeId: sandbox.storeId,
      savedIn: "file",
    });
    expect(harness.keyring.secrets.size).toBe(0);
  });

  it.each([
    ["no question can be asked", {}, ["login"], "--secret-stdin"],
    ["an address is missing", { input: "x" }, ["login", "--secret-stdin"], "--base-url"],
    ["the secret would be typed in sight", ALL, ["login", "--secret-stdin"], "--secret-stdin"],
    ["the secret is empty", { ...ALL, input: " \n" }, ["login", "--secret-stdin"], "boş"],
    ["the secret is a flag", ALL, ["login", "--client-secret", "x"], "client-secret"],
  ])("stores nothing when %s", async (...[, options, argv, says]) => {
    const harness = createCliHarness(options);

    const { exit, err } = await harness.run(...argv);

    expect(exit).toBe(2);
    expect(err).toContain(says);
    expect(existsSync(harness.logins.path)).toBe(false);
  });
});

describe("a stored login", () => {
  it("is used by the other commands", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({ answers: answersOf(sandbox) });
    await harness.run("login");

    const { exit, out } = await harness.run("lookup", "templates", "--json");

    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ command: "lookup", kind: "templates" });
    // The token of the login is used again.
    expect(sandbox.stats().tokens).toBe(1);
  });

  it("is shown by --status without its secret", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({ answers: answersOf(sandbox) });
    await harness.run("login");

    const { exit, out, err } = await harness.run("login", "--status");

    expect(exit).toBe(0);
    expect(out).toContain(sandbox.storeId);
    expect(out + err).not.toContain(sandbox.clientSecret);
    expect(out).not.toContain(sandbox.clientKey);
  });

  it("that others can read is refused with advice", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({ answers: answersOf(sandbox), keyring: "missing" });
    await harness.run("login");
    chmodSync(harness.logins.path, 0o644);

    const { exit, err } = await harness.run("lookup", "templates");

    expect(exit).toBe(2);
    expect(err).toContain(`chmod 600 "${harness.logins.path}"`);
  });

  it("is removed with its secret and its token", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({ answers: answersOf(sandbox) });
    await harness.run("login");
    const kept = (await harness.logins.read()).stores[0];

    const { exit, out } = await harness.run("login", "--forget");

    expect({ exit, out }).toEqual({ exit: 0, out: "Saklanan oturum silindi.\n" });
    expect(existsSync(harness.logins.path)).toBe(false);
    expect(harness.keyring.secrets.size).toBe(0);
    const after = await harness.run("lookup", "templates");
    expect(after.exit).toBe(2);
    expect(after.err).toContain("catalog login");

    // The same credentials must still fetch a token of their own.
    const { clientSecret } = sandbox;
    if (kept !== undefined)
      await harness.logins.write("main", { ...kept, clientSecret }, "keyring");
    expect((await harness.run("lookup", "templates")).exit).toBe(0);
    expect(sandbox.stats().tokens).toBe(2);
  });

  it("is reported as missing by --status and --forget", async () => {
    const harness = createCliHarness();
    const none = 'Saklanan oturum yok. Saklamak için: "catalog login".\n';

    expect(await harness.run("login", "--status")).toEqual({ exit: 4, out: none, err: "" });
    expect(await harness.run("login", "--forget")).toEqual({ exit: 0, out: none, err: "" });
    const { out } = await harness.run("login", "--status", "--json");
    expect(JSON.parse(out)).toEqual({ command: "login", stored: false, exit: 4 });
  });

  it("names the store that it replaces, and none where it is the same", async () => {
    const one = await openSandbox();
    const other = await openSandbox();
    const answers = [...answersOf(one), ...answersOf(one), ...answersOf(other), ...answersOf(one)];
    const harness = createCliHarness({ answers });

    const [first, again, moved, back] = [
      await harness.run("login"),
      await harness.run("login"),
      await harness.run("login"),
      await harness.run("login", "--lang", "en"),
    ];

    expect(first.err + again.err).not.toContain("yerine geçti");
    expect(moved.err).toContain(
      `Burada saklanan önceki oturumun yerine geçti: mağaza ${one.storeId} (${one.baseUrl}).`,
    );
    expect(back.err).toContain(
      `This replaces the login that was kept here before: store ${other.storeId} (${other.baseUrl}).`,
    );
  });

  it("of the user is left by --forget in a home without its own, which says so", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness();
    const ownerId = process.getuid?.();
    const user = createLoginStore({
      folder: join(harness.folder, "config"),
      keyring: harness.keyring,
      ownerId,
    });
    await user.write("main", sandbox, "keyring");

    const { exit, out } = await harness.run("login", "--forget", "--lang", "en");
    const document = JSON.parse((await harness.run("login", "--forget", "--json")).out);

    expect({ exit, out }).toEqual({
      exit: 0,
      out: `This folder (CATALOG_HOME) has no login of its own; it uses that of your user: store main (${user.path}). To change or forget that one, without CATALOG_HOME: catalog login --list\n`,
    });
    expect(document).toEqual({
      command: "login",
      stored: true,
      forgotten: false,
      file: user.path,
      exit: 0,
    });
    expect(existsSync(user.path)).toBe(true);
  });
});

const openTwo = async () => {
  const [one, other] = [await openSandbox(), await openSandbox()];
  const answers = [...answersOf(one), ...answersOf(other)];
  const harness = createCliHarness({ answers: [...answers, "bahçe"] });
  await harness.run("login", "--store", "mutfak");
  await harness.run("login", "--store", "bahçe");
  return { one, other, harness };
};

describe("logins of several stores", () => {
  it("are listed with the default, and proposed the address of the default", async () => {
    const { one, other, harness } = await openTwo();

    const list = await harness.run("login", "--list");
    const json = JSON.parse((await harness.run("login", "--list", "--json")).out);

    expect(harness.questions[4]).toBe(`Pazaryerinin adresi [${one.baseUrl}]`);
    expect(harness.questions[5]).toBe("Uygulama anahtarı (client_key) []");
    expect(list.out).toBe(
      `* mutfak  ${one.storeId}  ${one.baseUrl}\n  bahçe   ${other.storeId}  ${other.baseUrl}\n`,
    );
    expect(list.err).toContain("--store AD");
    expect(json).toMatchObject({
      command: "login",
      exit: 0,
      stores: [
        { name: "mutfak", default: true, secret_in: "keyring" },
        { name: "bahçe", default: false, base_url: other.baseUrl },
      ],
    });
  });

  it("are asked for where there is no default, once for a command", async () => {
    const { other, harness } = await openTwo();
    const file = JSON.parse(readFileSync(harness.logins.path, "utf8"));
    writeFileSync(harness.logins.path, JSON.stringify({ stores: file.stores }));
    const asked = harness.questions.length;

    const before = other.stats().requests;
    const doctor = await harness.run("doctor");
    const { exit } = await harness.run("lookup", "templates");

    expect(doctor.exit).toBe(2);
    expect(doctor.out).toContain("Birden çok mağaza var");
    expect(harness.questions.slice(asked)).toEqual(["Hangi mağaza? mutfak | bahçe"]);
    expect([exit, other.stats().requests > before]).toEqual([0, true]);
    expect((await harness.run("lookup", "templates", "--json")).exit).toBe(2);
  });

  it.each([
    ["--forget", /birden çok mağaza/iu],
    ["--default", /Hangi mağaza/u],
    ["--rename=a b", /mağaza adında yalnızca/u],
    ["--rename=BAHÇE", /zaten var/u],
    ["--status --list", /birlikte verilmez/u],
    ["--status --store teras", /“teras” adında bir mağaza yok.*mutfak, bahçe/u],
  ])("are not changed by %s", async (words, complaint) => {
    const { harness } = await openTwo();
    const before = readFileSync(harness.logins.path, "utf8");

    const args = words.startsWith("--rename") ? [words] : words.split(" ");
    const { exit, err } = await harness.run("login", ...args);

    expect([exit, err]).toEqual([2, expect.stringMatching(complaint)]);
    expect(readFileSync(harness.logins.path, "utf8")).toBe(before);
  });

  it("refuse a second name for a store", async () => {
    const one = await openSandbox();
    const harness = createCliHarness({ answers: [...answersOf(one), ...answersOf(one)] });
    await harness.run("login", "--store", "mutfak");

    const { exit, err } = await harness.run("login", "--store", "ev", "--lang", "en");

    expect([exit, err]).toEqual([2, expect.stringContaining("stored already, as “mutfak”")]);
    expect((await harness.logins.read()).stores).toHaveLength(1);
  });
});

describe("maskKey", () => {
  it.each([
    ["2d4e99aa01", "2d4e…"],
    ["123456789", "1234…"],
    ["12345678", "…"],
    ["", "…"],
  ])("shows %j as %s", (key, expected) => {
    expect(maskKey(key)).toBe(expected);
  });
});

describe("the texts of a login", () => {
  it("exist in both languages, each with a different wording", () => {
    const { tr, en } = LOGIN_TEXTS;

    expect(Object.keys(tr)).toEqual(Object.keys(en));
    expect(tr.missing("store-id")).toContain("--store-id");
    expect(en.missing("store-id")).toContain("--store-id");
    expect(tr.noKeyring).not.toBe(en.noKeyring);
  });
});
