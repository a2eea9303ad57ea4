/** Backups of a PostgreSQL database that are put back after more was sent. */

import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { createTestDatabase, hasPostgres, type TestDatabase } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import type { WatchOptions } from "../../helpers/markets/watched-sandbox.ts";
import {
  type CatalogProcess,
  type Finished,
  startCatalog,
} from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";

const ROWS = 6;
/** As many as are sent while another command starts. */
const MANY = 60;

interface Machine {
  readonly run: (...args: readonly string[]) => Promise<Finished>;
  readonly start: (...args: readonly string[]) => CatalogProcess;
}

interface Shop {
  readonly shop: TestStore;
  readonly server: TestDatabase;
  readonly file: string;
  /** A machine with a home of its own that uses the database at the address. */
  readonly open: (home: string, url: string) => Machine;
}

async function openShop(rows: number, options: WatchOptions): Promise<Shop> {
  const shop = await openTestStore(options);
  const server = await createTestDatabase();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const file = writeCsv(shop.folder, "urunler.csv", goodRows(rows));
  const open = (home: string, url: string): Machine => {
    const place = { CATALOG_HOME: join(shop.folder, home), CATALOG_DATABASE_URL: url };
    const at = { env: { ...shop.env, ...place }, cwd: shop.folder };
    return { run: (...args) => callCatalog(args, at), start: (...args) => startCatalog(args, at) };
  };
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

const parse = ({ out }: Finished): { readonly [name: string]: unknown } => JSON.parse(out);

describe.skipIf(!hasPostgres())("a backup that was put back", { timeout: 180_000 }, () => {
  it("adds nothing again in a store that hides new products, on a machine that has never sent", async () => {
    const { shop, server, file, open } = await openShop(ROWS, {
      personality: { "new-product": "after-approval" },
    });
    const one = open("one", server.url);
    const words = ["--yes", "--json", "--no-verify"];
    const { run } = parse(await one.run("import", file, ...words, "--canary", "1"));
    const backup = await backUp(server);
    await one.run("resume", String(run), "--json", "--no-verify");
    const sent = shop.sandbox.stats().adds;

    const other = open("other", backup);
    const resumed = parse(await other.run("resume", String(run), "--json", "--no-verify"));
    const imported = parse(await other.run("import", file, ...words));

    expect(resumed).toMatchObject({ exit: 5, counts: { held: ROWS - 1 } });
    expect(resumed["issues"]).toContainEqual(expect.objectContaining({ code: "E_ADD_UNSEEN" }));
    expect(imported).toMatchObject({ exit: 5, counts: { held: ROWS - 1 } });
    expect([sent, shop.sandbox.stats().adds]).toEqual([ROWS, ROWS]);
  });

  it("stops who is sending where an operator says so, and the run goes on", async () => {
    const { shop, server, file, open } = await openShop(MANY, { latencyMs: 40 });
    const one = open("one", server.url);
    const { finished } = one.start("import", file, "--yes", "--json");
    while (shop.sandbox.stats().adds < 3) await wait(2);

    const noted = parse(await open("other", server.url).run("db", "restored", "--json"));
    const stopped = await finished;
    const [{ run }] = JSON.parse((await one.run("runs", "--json")).out).runs;
    const resumed = parse(await one.run("resume", run, "--json"));

    expect(noted).toMatchObject({ command: "db", action: "restored", runs: 1, exit: 0 });
    expect([stopped.code, parse(stopped)["error"]]).toMatchObject([
      6,
      { code: "E_DATABASE_RESTORED" },
    ]);
    expect(resumed).toMatchObject({ state: "finished", counts: { rows: MANY, pending: 0 } });
    expect([shop.sandbox.stats().adds, addsPerCode(shop)]).toEqual([MANY, [1]]);
  });
});
