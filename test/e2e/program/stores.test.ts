import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { addMissedSchedule } from "../../helpers/note-schedule.ts";
import {
  type Finished,
  runCatalog,
  startCatalog,
} from "../../helpers/processes/catalog-process.ts";
import { startWorker } from "../../helpers/processes/worker-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";
import { waitUntil } from "../../helpers/wait-until.ts";

/** Calls of login and doctor that the specification does not have. */
const BREAKS = {
  "early-token": "it proves the credentials, for which the token that is kept says nothing",
  "unknown-path": "it asks the bare address whether anybody answers there",
} as const;

const PRODUCTS = 3;

interface Stores {
  readonly kitchen: TestStore;
  readonly garden: TestStore;
  /** The environment of all commands: a home and nothing else. */
  readonly env: Readonly<Record<string, string>>;
  readonly login: string;
  readonly run: (...args: readonly string[]) => Promise<Finished>;
}

const loginFlags = ({ sandbox }: TestStore, name: string): readonly string[] => [
  "login",
  "--store",
  name,
  "--secret-stdin",
  "--in-file",
  `--base-url=${sandbox.baseUrl}`,
  `--client-key=${sandbox.clientKey}`,
  `--store-id=${sandbox.storeId}`,
];

/** Two stores of equal products that are logged in under names in one home; `mutfak` is the default. */
async function openStores(): Promise<Stores> {
  const kitchen = await openTestStore({ products: PRODUCTS, breaks: BREAKS });
  const own = await openTestStore({ products: PRODUCTS, breaks: BREAKS });
  const home = join(kitchen.folder, "home");
  const garden = own.at({ CATALOG_HOME: home });
  const env = { CATALOG_HOME: home, CATALOG_LANG: "en" };
  const at = { cwd: kitchen.folder, env };
  for (const [store, name] of [
    [kitchen, "mutfak"],
    [garden, "Bahçe"],
  ] as const) {
    const input = `${store.sandbox.clientSecret}\n`;
    const { code, err } = await startCatalog(loginFlags(store, name), { ...at, input }).finished;
    expect([code, err]).toEqual([0, expect.stringContaining("catalog plan")]);
  }
  const login = join(home, "login.json");
  return { kitchen, garden, env, login, run: (...args) => runCatalog(args, at) };
}

/** The store's products with one more of each. */
const readMore = ({ sandbox }: TestStore): Parameters<typeof writeFeed>[1] =>
  readStore(sandbox).map(({ code, stock, priceMinor }) => ({ code, stock: stock + 1, priceMinor }));

const addsOf = ({ sandbox }: TestStore): number => sandbox.stats().byEndpoint["product.add"] ?? 0;
const updatesOf = ({ sandbox }: TestStore): number =>
  sandbox.stats().byEndpoint["product.update"] ?? 0;

describe("stores by name", () => {
  it("take imports side by side from one home, each its own", async () => {
    const { kitchen, garden, run } = await openStores();
    const file = writeCsv(kitchen.folder, "a.csv", goodRows(5));
    const send = ["import", file, "--yes", "--json"] as const;

    const [first, second] = await Promise.all([
      run(...send, "--store", "MUTFAK"),
      run(...send, "--store", "bahçe"),
    ]);

    expect([first.code, second.code]).toEqual([0, 0]);
    expect([addsOf(kitchen), addsOf(garden)]).toEqual([5, 5]);
    const id = String(JSON.parse(second.out).run);
    const [listed] = JSON.parse((await run("runs", "--json", "--store", "bahçe")).out).runs;
    expect(listed).toMatchObject({ run: id, store: { name: "Bahçe" } });
    const foreign = await run("runs", id);
    expect(foreign).toMatchObject({ code: 2, out: "" });
    expect(foreign.err).toContain(`“${id}” is a run of the store “Bahçe”`);
    expect(foreign.err).toContain("--store Bahçe");
    expect((await run("resume", id, "--store", "mutfak")).err).toContain("--store Bahçe");
  });

  it("take their own columns of one file, and refuse one of a store that there is not", async () => {
    const { kitchen, garden, run } = await openStores();
    const [product] = readStore(kitchen.sandbox);
    if (product === undefined) throw new Error("the store has no product");
    const { code, stock } = product;
    const write = (store: string): string => {
      const path = join(kitchen.folder, `${store}.csv`);
      const rows = [`Ürün Kodu;Stok;Stok [${store}]`, `${code};${stock + 1};${stock + 2}`];
      writeFileSync(path, `${rows.join("\n")}\n`);
      return path;
    };
    const file = write("BAHÇE");

    const sent = [
      await run("import", file, "--yes", "--store", "mutfak"),
      await run("import", file, "--yes", "--store", "bahçe"),
    ];
    const wrong = await run("plan", write("bahce"), "--store", "mutfak");

    const stockOf = ({ sandbox }: TestStore): number | undefined =>
      readStore(sandbox).find((one) => one.code === code)?.stock;
    expect(sent.map((each) => each.code)).toEqual([0, 0]);
    expect([stockOf(kitchen), stockOf(garden)]).toEqual([stock + 1, stock + 2]);
    expect(wrong.code).toBe(3);
    expect(wrong.err).toContain("No store is named “bahce”");
    expect(wrong.err).toContain("Bahçe");
  });

  it("are never guessed, and a contradiction is refused", async () => {
    const { kitchen, garden, env, run } = await openStores();
    const lookup = ["lookup", "templates", "--json"] as const;

    const [third] = [await run("login", "--store", "bahçe", "--rename", "Teras")];
    await run("login", "--store", "mutfak", "--forget");
    const only = await run(...lookup);
    const unknown = await run("runs", "--store", "mutfak");
    const against = await runCatalog(["runs", "--store", "teras"], {
      cwd: kitchen.folder,
      env: { ...env, CATALOG_STORE_ID: kitchen.sandbox.storeId, CATALOG_BASE_URL: "" },
    });

    expect([third.code, only.code]).toEqual([0, 0]);
    expect(updatesOf(garden) + updatesOf(kitchen)).toBe(0);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.err).toContain("There is no store “mutfak”. The stores: Teras.");
    // Both sandboxes may have one id; the address then tells them apart.
    const isSame = kitchen.sandbox.storeId === garden.sandbox.storeId;
    expect(against.code).toBe(isSame ? 0 : 2);
  });

  it("refuse a command without a terminal where there is no default", async () => {
    const { kitchen, garden, run, env, login } = await openStores();
    const file = JSON.parse(readFileSync(login, "utf8"));
    writeFileSync(login, JSON.stringify({ stores: file.stores }));

    const without = await run("runs");
    const wrong = await runCatalog(["runs", "--store", "mutfak"], {
      cwd: kitchen.folder,
      env: { ...env, CATALOG_BASE_URL: garden.sandbox.baseUrl },
    });

    expect(without).toMatchObject({ code: 2, out: "" });
    expect(without.err).toMatch(/several stores.*: mutfak, Bahçe\..*--store mutfak/u);
    expect(wrong).toMatchObject({ code: 2, out: "" });
    expect(wrong.err).toContain("--store says “mutfak”, but CATALOG_BASE_URL");
    expect((await run("runs", "--store", "bahçe")).code).toBe(0);
  });

  it("keep their schedules when another store becomes the default under a running worker", async () => {
    const { kitchen, garden, run, env } = await openStores();
    const worker = startWorker({
      start: (...args) => startCatalog(args, { cwd: kitchen.folder, env }),
    });
    await worker.until("waiting");
    await run("login", "--store", "bahçe", "--default");
    const wanted = readMore(kitchen);

    await addMissedSchedule(kitchen, writeFeed(join(kitchen.folder, "stok.csv"), wanted));
    const ended = await worker.until("ended");
    const { code } = await worker.end();

    expect([code, ended]).toEqual([0, expect.objectContaining({ exit: 0, store_name: "mutfak" })]);
    expect([updatesOf(kitchen), updatesOf(garden)]).toEqual([PRODUCTS, 0]);
    expect(readStore(kitchen.sandbox).map(({ stock }) => stock)).toEqual(
      wanted.map(({ stock }) => stock),
    );
  });

  it("come from a list, with their names and the files of their secrets", async () => {
    const { kitchen, garden, env } = await openStores();
    const secrets = mkdtempSync(join(tmpdir(), "catalog-secrets-"));
    onTestFinished(() => rmSync(secrets, { recursive: true }));
    const list = join(secrets, "stores.json");
    const stores = [
      [kitchen, "ön-mutfak"],
      [garden, "arka-bahçe"],
    ] as const;
    for (const [{ sandbox }, name] of stores) {
      writeFileSync(join(secrets, name), `${sandbox.clientSecret}\n`, { mode: 0o600 });
    }
    writeFileSync(
      list,
      JSON.stringify(
        stores.map(([{ sandbox }, name]) => ({
          name,
          baseUrl: sandbox.baseUrl,
          clientKey: sandbox.clientKey,
          storeId: sandbox.storeId,
          clientSecretFile: name,
        })),
      ),
    );
    const at = { cwd: kitchen.folder, env: { ...env, CATALOG_STORES: list } };

    const [unnamed, doctor, login] = [
      await runCatalog(["lookup", "templates"], at),
      await runCatalog(["doctor", "--store", "arka-bahçe"], at),
      await runCatalog(["login", "--store", "arka-bahçe", "--default"], at),
    ];
    const worker = startWorker(
      {
        start: (...args) => startCatalog(args, { cwd: kitchen.folder, env }),
      },
      "--stores",
      list,
    );
    const wanted = readMore(garden);
    await addMissedSchedule(garden, writeFeed(join(kitchen.folder, "stok.csv"), wanted));
    const ended = await worker.until("ended");
    await worker.end();

    expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining("arka-bahçe")]);
    expect(doctor).toMatchObject({ code: 0, out: expect.stringContaining("arka-bahçe (--store") });
    expect([login.code, login.err]).toEqual([2, expect.stringContaining("CATALOG_STORES")]);
    expect(ended).toMatchObject({ exit: 0, store_name: "arka-bahçe" });
    expect([updatesOf(kitchen), updatesOf(garden)]).toEqual([0, PRODUCTS]);
  });

  it("stay whole in their file when a login is killed at any call", async () => {
    const { kitchen, garden, env, login, run } = await openStores();
    const before = readFileSync(login, "utf8");
    const callsOf = (): number => garden.sandbox.stats().requests;

    for (const calls of [0, 1, 2]) {
      const from = callsOf();
      const started = startCatalog(loginFlags(garden, "bahçe"), {
        cwd: kitchen.folder,
        env,
        input: `${garden.sandbox.clientSecret}\n`,
      });
      await waitUntil(() => callsOf() >= from + calls);
      started.child.kill("SIGKILL");
      await started.finished;

      expect(readFileSync(login, "utf8")).toBe(before);
    }
    // As a process leaves it that is killed while it writes.
    writeFileSync(`${login}.new`, before.slice(0, 20), { mode: 0o600 });
    expect((await run("login", "--store", "bahçe", "--default")).code).toBe(0);
    expect(JSON.parse((await run("login", "--list", "--json")).out).stores).toMatchObject([
      { name: "mutfak", default: false },
      { name: "Bahçe", default: true },
    ]);
    expect(existsSync(`${login}.new`)).toBe(false);
  });
});

describe("a secret in a file", () => {
  it("opens the store, and is in no output, argument or environment", async () => {
    const shop = await openTestStore({ products: PRODUCTS, breaks: BREAKS });
    const secrets = mkdtempSync(join(tmpdir(), "catalog-secrets-"));
    onTestFinished(() => rmSync(secrets, { recursive: true }));
    const path = join(secrets, "client-secret");
    writeFileSync(path, `${shop.sandbox.clientSecret}\n`, { mode: 0o444 });
    const { CATALOG_CLIENT_SECRET: _secret, ...rest } = shop.env;
    const at = {
      cwd: shop.folder,
      env: { ...rest, CATALOG_CLIENT_SECRET_FILE: path, CATALOG_LANG: "en" },
    };
    const feed = writeFeed(join(shop.folder, "stok.csv"), readMore(shop));

    const doctor = await runCatalog(["doctor"], at);
    await addMissedSchedule(shop, feed);
    const worker = startWorker({ start: (...args) => startCatalog(args, at) });
    const { pid } = await worker.until("started");
    const seen = ["cmdline", "environ"].map((name) => readFileSync(`/proc/${pid}/${name}`, "utf8"));
    const ended = await worker.until("ended");
    const { out, err } = await worker.end();

    expect(doctor.code).toBe(0);
    expect(doctor.out).toContain(`CATALOG_CLIENT_SECRET_FILE: ${path}`);
    expect(ended).toMatchObject({ exit: 0 });
    expect(seen[1]).toContain(`CATALOG_CLIENT_SECRET_FILE=${path}`);
    expect(seen.join("") + out + err + doctor.out).not.toContain(shop.sandbox.clientSecret);

    chmodSync(path, 0o666);
    const open = await runCatalog(["runs", "--json"], at);
    expect(open.code).toBe(2);
    expect(JSON.parse(open.out).error.message).toContain("everybody can write to it");
    const both = await runCatalog(["runs"], { ...at, env: { ...at.env, ...shop.env } });
    expect([both.code, both.err]).toEqual([
      2,
      expect.stringContaining("Both CATALOG_CLIENT_SECRET"),
    ]);
  });
});
