/** Two machines that share a PostgreSQL database: two homes, whose processes do not see each other. */

import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { createTestDatabase, hasPostgres, type TestDatabase } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  type CatalogProcess,
  type Finished,
  startCatalog,
} from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";

const ROWS = 40;

interface Machine {
  readonly run: (...args: readonly string[]) => Promise<Finished>;
  readonly start: (...args: readonly string[]) => CatalogProcess;
}

interface Machines {
  readonly shop: TestStore;
  readonly server: TestDatabase;
  readonly file: string;
  readonly one: Machine;
  readonly other: Machine;
}

async function openMachines(latencyMs = 0): Promise<Machines> {
  const shop = await openTestStore({ latencyMs });
  const server = await createTestDatabase();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const file = writeCsv(shop.folder, "urunler.csv", goodRows(ROWS));
  const open = (name: string): Machine => {
    const home = { CATALOG_HOME: join(shop.folder, name) };
    const env = { ...shop.env, ...home, CATALOG_DATABASE_URL: server.url };
    const at = { env, cwd: shop.folder };
    return {
      run: (...args) => callCatalog(args, at),
      start: (...args) => startCatalog(args, at),
    };
  };
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
async function lastRun(machine: Machine): Promise<string> {
  const [{ run }] = JSON.parse((await machine.run("runs", "--json")).out).runs;
  return run;
}

const LEASE_MS = 60_000;

describe.skipIf(!hasPostgres())("machines that share a database", { timeout: 180_000 }, () => {
  it("know what the other one has sent", async () => {
    const machines = await openMachines();
    const { one, other, file } = machines;

    const first = await one.run("import", file, "--yes", "--json");
    const second = await other.run("import", file, "--yes", "--json");

    expect(parse(first)).toMatchObject({ exit: 0, counts: { added: ROWS } });
    expect(parse(second)).toMatchObject({ exit: 0, counts: { added: 0, unchanged: ROWS } });
    expect(parse(await other.run("runs", "--json"))).toMatchObject({ runs: { length: 2 } });
    expect(maxPerCode(machines)).toBe(1);
  });

  it("go on at once where the process of the same machine was killed", async () => {
    const machines = await openMachines(20);
    const { one, file } = machines;
    const { child, finished } = one.start("import", file, "--yes", "--json");
    await untilAdds(machines, 7);
    child.kill("SIGKILL");
    await finished;

    const resumed = parse(await one.run("resume", await lastRun(one), "--json"));

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
    const env = { ...shop.env, CATALOG_DATABASE_URL: server.url };
    const moved = (...args: readonly string[]): Promise<Finished> =>
      callCatalog(args, { env, cwd: shop.folder });
    const [{ run }] = JSON.parse((await shop.run("runs", "--json")).out).runs;

    const copied = parse(await moved("db", "copy", "--json"));
    const resumed = parse(await moved("resume", run, "--json"));

    expect(copied).toMatchObject({ exit: 0, rows: { run: 1, store: 1 } });
    expect(resumed).toMatchObject({ state: "finished", counts: { rows: ROWS, pending: 0 } });
    expect(maxPerCode(machines)).toBe(1);
    expect(await shop.run("runs", "--json")).toMatchObject({ code: 2 });
    expect(await moved("db", "copy", "--json")).toMatchObject({ code: 2 });
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

    const early = await other.run("resume", run, "--json");
    await age(machines, LEASE_MS);
    const late = parse(await other.run("resume", run, "--json"));

    expect(early.code).toBe(75);
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

    const taken = parse(await other.run("resume", await lastRun(other), "--json"));
    const adds = machines.shop.sandbox.stats().adds;
    child.kill("SIGCONT");
    const ended = await finished;

    expect(taken).toMatchObject({ state: "finished", counts: { rows: ROWS, pending: 0 } });
    expect(ended.code).not.toBe(0);
    expect(machines.shop.sandbox.stats().adds).toBe(adds);
    expect(maxPerCode(machines)).toBe(1);
  });
});
