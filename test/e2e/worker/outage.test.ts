/** Work that outlives a PostgreSQL server that goes away in the middle, as at a restart. */

import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import {
  createTestDatabase,
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  type CatalogProcess,
  type Finished,
  startCatalog,
} from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { waitUntil } from "../../helpers/wait-until.ts";

const ROWS = 60;
/** Longer than a statement waits, shorter than a lease is renewed. */
const AWAY_MS = 4_000;

interface Place {
  readonly shop: TestStore;
  readonly server: PostgresServer;
  readonly file: string;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): CatalogProcess;
}

async function openPlace(): Promise<Place> {
  const shop = await openTestStore({ latencyMs: 60 });
  const server = await startPostgres();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { url } = await createTestDatabase({ server: server.url });
  const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(ROWS));
  const own = { CATALOG_HOME: join(shop.folder, "home"), CATALOG_DATABASE_URL: url };
  return {
    shop,
    server,
    file,
    start(args, env = {}) {
      const all = { ...shop.env, ...own, ...env };
      const started = startCatalog(args, { env: all, cwd: shop.folder });
      onTestFinished(() => void started.child.kill("SIGKILL"));
      return started;
    },
  };
}

/** Stops the server once some products were added, and starts it again. */
async function interrupt({ shop, server }: Place): Promise<void> {
  await waitUntil(() => shop.sandbox.products().length >= ROWS / 4);
  await server.stop();
  await wait(AWAY_MS);
  await server.start();
}

const added = ({ shop }: Place): number =>
  new Set(shop.sandbox.products().map(({ product_code }) => product_code)).size;

const countsOf = ({ out }: Finished): unknown => JSON.parse(out).counts;

describe.skipIf(!hasPostgres())("a server that goes away and comes back", () => {
  it("interrupts an import, which reports it and continues by itself", async () => {
    const place = await openPlace();
    const importing = place.start(["import", place.file, "--yes", "--json", "--lang=en"]);

    await interrupt(place);
    const ended = await importing.finished;

    expect([ended.code, countsOf(ended)]).toEqual([0, expect.objectContaining({ added: ROWS })]);
    expect(ended.err).toContain("The database cannot be used right now");
    expect(ended.err).toContain("The database is back");
    expect([added(place), place.shop.sandbox.products().length]).toEqual([ROWS, ROWS]);
  });

  it("stops neither a worker nor the follower of a queued import", async () => {
    const place = await openPlace();
    const worker = place.start(["worker", "--json"]);
    const following = place.start(["import", place.file, "--queue", "--yes", "--json"]);

    await interrupt(place);
    const ended = await following.finished;

    expect([ended.code, countsOf(ended)]).toEqual([0, expect.objectContaining({ added: ROWS })]);
    expect(worker.child.exitCode).toBeNull();
    expect([added(place), place.shop.sandbox.products().length]).toEqual([ROWS, ROWS]);
    worker.child.kill("SIGTERM");
    expect((await worker.finished).code).toBe(0);
  });

  it("ends the import after the waiting time, naming the run to resume", async () => {
    const place = await openPlace();
    const importing = place.start(["import", place.file, "--yes", "--json", "--lang=en"], {
      CATALOG_DATABASE_WAIT_SECONDS: "1",
    });
    await waitUntil(() => place.shop.sandbox.products().length >= ROWS / 4);
    await place.server.stop();
    const ended = await importing.finished;
    await place.server.start();

    expect([ended.code, JSON.parse(ended.out).error.code]).toEqual([6, "E_DATABASE_AWAY"]);
    const [, run] = /catalog resume (\S+)/u.exec(ended.err) ?? [];
    const resumed = await place.start(["resume", run ?? "", "--json"]).finished;
    expect([resumed.code, added(place), place.shop.sandbox.products().length]).toEqual([
      0,
      ROWS,
      ROWS,
    ]);
  });
});
