/** Two machines that share a PostgreSQL database: two homes, whose processes do not see each other. */

import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { createTestDatabase, hasPostgres, type TestDatabase } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import type { WatchOptions } from "../../helpers/markets/watched-sandbox.ts";
import type { Finished } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";

const ROWS = 40;

interface Machines {
  readonly shop: TestStore;
  readonly server: TestDatabase;
  readonly file: string;
  readonly one: TestStore;
  readonly other: TestStore;
}

async function openMachines(latencyMs = 0): Promise<Machines> {
  const shop = await openTestStore({ latencyMs });
  const server = await createTestDatabase();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const file = writeCsv(shop.folder, "urunler.csv", goodRows(ROWS));
  const open = (name: string): TestStore =>
    shop.at({ CATALOG_HOME: join(shop.folder, name), CATALOG_DATABASE_URL: server.url });
  return { shop, server, file, one: open("one"), other: open("other") };
}

/** Makes the owner of the lease a process of a machine that cannot be looked at. */
const moveAway = ({ server }: Machines): Promise<unknown> =>
  server.query(`UPDATE lease SET note_json = replace(note_json, '"place":"', '"place":"far ')`);

/** Makes the lease as old as if its owner had not renewed it for this long. */
const age = ({ server }: Machines, ms: number): Promise<unknown> =>
  server.query("UPDATE lease SET until_ms = until_ms - $1", [ms]);

async function untilAdds({ shop }: Machines, count: number): Promise<void> {
  while (shop.sandbox.stats().adds < count) await wait(2);
}

/** Most adds of one code that the marketplace has kept. */
function maxPerCode({ shop }: Machines): number {
  const codes = shop.sandbox.products().map(({ product_code }) => product_code);
  return Math.max(
    ...Map.groupBy(codes, (code) => code)
      .values()
      .map((all) => all.length),
  );
}

const parse = ({ out }: Finished): { readonly [name: string]: unknown } => JSON.parse(out);

/** Says which run the machine lists last. */
async function lastRun(machine: TestStore): Promise<string> {
  const [{ run }] = (await machine.json("runs")).runs;
  return run;
}

const LEASE_MS = 60_000;

describe.skipIf(!hasPostgres())("machines that share a database", () => {
  it("see what the other one has sent", async () => {
    const machines = await openMachines();
    const { one, other, file } = machines;

    const first = await one.run("import", file, "--yes", "--json");
    const second = await other.run("import", file, "--yes", "--json");

    expect(parse(first)).toMatchObject({ exit: 0, counts: { added: ROWS } });
    expect(parse(second)).toMatchObject({ exit: 0, counts: { added: 0, unchanged: ROWS } });
    expect(await other.json("runs")).toMatchObject({ runs: { length: 2 } });
    expect(maxPerCode(machines)).toBe(1);
  });

  it("go on at once where the process of the same machine was killed", async () => {
    const machines = await openMachines(20);
    const { one, file } = machines;
    const { child, finished } = one.start("import", file, "--yes", "--json");
    await untilAdds(machines, 7);
    child.kill("SIGKILL");
    await finished;

    const resumed = await one.json("resume", await lastRun(one));

    expect(resumed).toMatchObject({ state: "finished", counts: { rows: ROWS, pending: 0 } });
    expect(maxPerCode(machines)).toBe(1);
  });

  it("go on with an import that was begun on a file, once the file was moved to the server", async () => {
    const machines = await openMachines(20);
    const { shop, server, file } = machines;
    const { child, finished } = shop.start("import", file, "--yes", "--json");
    await untilAdds(machines, 7);
    child.kill("SIGKILL");
    await finished;
    const moved = shop.at({ CATALOG_DATABASE_URL: server.url });
    const [{ run }] = (await shop.json("runs")).runs;

    const copied = await moved.json("db", "copy");
    const resumed = await moved.json("resume", run);

    expect(copied).toMatchObject({ exit: 0, rows: { run: 1, store: 1 } });
    expect(resumed).toMatchObject({ state: "finished", counts: { rows: ROWS, pending: 0 } });
    expect(maxPerCode(machines)).toBe(1);
    expect((await shop.run("runs")).code).toBe(2);
    expect((await moved.run("db", "copy")).code).toBe(2);
  });

  it("take over from a machine that is gone, once its lease is over and not before", async () => {
    const machines = await openMachines(20);
    const { one, other, file } = machines;
    const { child, finished } = one.start("import", file, "--yes", "--json");
    await untilAdds(machines, 7);
    child.kill("SIGKILL");
    await finished;
    await moveAway(machines);
    const run = await lastRun(other);

    const early = await other.json("resume", run);
    await age(machines, LEASE_MS);
    const late = await other.json("resume", run);

    expect(early.exit).toBe(75);
    expect(late).toMatchObject({ state: "finished", counts: { rows: ROWS, pending: 0 } });
    expect(maxPerCode(machines)).toBe(1);
  });

  it("send nothing more where another one has taken over while they were suspended", async () => {
    const machines = await openMachines(20);
    const { one, other, file } = machines;
    const { child, finished } = one.start("import", file, "--yes", "--json");
    await untilAdds(machines, 7);
    child.kill("SIGSTOP");
    await moveAway(machines);
    await age(machines, LEASE_MS);

    const taken = await other.json("resume", await lastRun(other));
    const adds = machines.shop.sandbox.stats().adds;
    child.kill("SIGCONT");
    const ended = await finished;

    expect(taken).toMatchObject({ state: "finished", counts: { rows: ROWS, pending: 0 } });
    expect(ended.code).not.toBe(0);
    expect(machines.shop.sandbox.stats().adds).toBe(adds);
    expect(maxPerCode(machines)).toBe(1);
  });
});

/* Backups of a PostgreSQL database that are put back after more was sent. */

const FEW_ROWS = 6;
/** As many as are sent while another command starts. */
const MANY = 60;

interface Shop {
  readonly shop: TestStore;
  readonly server: TestDatabase;
  readonly file: string;
  /** A machine with a home of its own that uses the database at the address. */
  readonly open: (home: string, url: string) => TestStore;
}

async function openShop(rows: number, options: WatchOptions): Promise<Shop> {
  const shop = await openTestStore(options);
  const server = await createTestDatabase();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const file = writeCsv(shop.folder, "urunler.csv", goodRows(rows));
  const open = (home: string, url: string): TestStore =>
    shop.at({ CATALOG_HOME: join(shop.folder, home), CATALOG_DATABASE_URL: url });
  return { shop, server, file, open };
}

/** Makes a backup, as a database that can be used at once. Nobody may be connected. */
async function backUp(server: TestDatabase): Promise<string> {
  const address = new URL(server.url);
  const name = `${address.pathname.slice(1)}_backup`;
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${address.pathname.slice(1)}`);
  onTestFinished(async () => {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  address.pathname = `/${name}`;
  return address.href;
}

/** How often a code was added, each number once: only 1 where none is there twice. */
function addsPerCode({ sandbox }: TestStore): readonly number[] {
  const codes = sandbox.products().map(({ product_code }) => product_code);
  const counts = Map.groupBy(codes, (code) => code).values();
  return [...new Set(counts.map((all) => all.length))];
}

describe.skipIf(!hasPostgres())("a backup that was put back", () => {
  it("adds nothing again in a store that hides new products, on a machine that has never sent", async () => {
    const { shop, server, file, open } = await openShop(FEW_ROWS, {
      personality: { "new-product": "after-approval" },
    });
    const one = open("one", server.url);
    const words = ["--yes", "--no-verify"];
    const { run } = await one.json("import", file, ...words, "--canary", "1");
    const backup = await backUp(server);
    await one.run("resume", run, "--no-verify");
    const sent = shop.sandbox.stats().adds;

    const other = open("other", backup);
    const resumed = await other.json("resume", run, "--no-verify");
    const imported = await other.json("import", file, ...words);

    expect(resumed).toMatchObject({ exit: 5, counts: { held: FEW_ROWS - 1 } });
    expect(resumed.issues).toContainEqual(expect.objectContaining({ code: "E_ADD_UNSEEN" }));
    expect(imported).toMatchObject({ exit: 5, counts: { held: FEW_ROWS - 1 } });
    expect([sent, shop.sandbox.stats().adds]).toEqual([FEW_ROWS, FEW_ROWS]);
  });

  it("stops a sender when an operator says so, and the run can continue", async () => {
    const { shop, server, file, open } = await openShop(MANY, { latencyMs: 40 });
    const one = open("one", server.url);
    const { finished } = one.start("import", file, "--yes", "--json");
    while (shop.sandbox.stats().adds < 3) await wait(2);

    const noted = await open("other", server.url).json("db", "restored");
    const stopped = await finished;
    const [{ run }] = (await one.json("runs")).runs;
    const resumed = await one.json("resume", run);

    expect(noted).toMatchObject({ command: "db", action: "restored", runs: 1, exit: 0 });
    expect([stopped.code, parse(stopped)["error"]]).toMatchObject([
      6,
      { code: "E_DATABASE_RESTORED" },
    ]);
    expect(resumed).toMatchObject({ state: "finished", counts: { rows: MANY, pending: 0 } });
    expect([shop.sandbox.stats().adds, addsPerCode(shop)]).toEqual([MANY, [1]]);
  });
});
