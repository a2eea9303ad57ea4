/** Runs that were left to the workers, stopped and resumed on the page. */

import { join } from "node:path";

import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import type { DecisionResult, RunView } from "@catalog/web";
import { describe, expect, it, onTestFinished } from "vitest";

import { createSlowMarket } from "../../helpers/markets/slow-market.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { type CatalogProcess, startCatalog } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeText, writeWorkbook } from "../../helpers/product-sheet.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, postBody, resumeRun, waitForRun } from "../../helpers/web/runs.ts";

const ROWS = 40;

interface Place {
  readonly shop: TestStore;
  readonly session: WebSession;
  readonly startWorker: () => CatalogProcess;
  readonly adds: () => number;
}

interface Stopped extends Place {
  readonly run: string;
  /** Adds that the worker made before it was stopped. */
  readonly before: number;
}

const PLACES = {
  "a file": async (shop: TestStore) => ({ page: shop.env, worker: shop.env }),
  "PostgreSQL and two homes": async ({ env, folder }: TestStore) => {
    const server = await createTestDatabase();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const at = (home: string) => ({
      ...env,
      CATALOG_HOME: join(folder, home),
      CATALOG_DATABASE_URL: server.url,
    });
    return { page: at("here"), worker: at("there") };
  },
} as const;

/** A queued import that a worker has begun to send and a person has stopped; no worker runs then. */
async function openStopped(name: keyof typeof PLACES): Promise<Stopped> {
  const market = createSlowMarket();
  market.letGo();
  const shop = await openTestStore(market.options);
  const env = await PLACES[name](shop);
  const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(ROWS));
  const startAt =
    (own: TestStore["env"]) =>
    (...args: readonly string[]): CatalogProcess => {
      const started = startCatalog(args, { env: own, cwd: shop.folder });
      onTestFinished(() => void started.child.kill("SIGKILL"));
      return started;
    };
  const startHere = startAt(env.page);
  const startWorker = () => startAt(env.worker)("worker", "--json");
  const adds = (): number => shop.sandbox.stats().adds;
  const session = await (await openWeb({ start: startHere })).openSession();
  const planned = await startHere("plan", file, "--json").finished;
  const { run } = JSON.parse(planned.out);
  const follower = startHere("apply", run, "--queue", "--json");
  market.slowDown();
  const worker = startWorker();
  await waitUntil(() => adds() >= 4);
  await postBody<RunView>(session, `/runs/${run}/stop`, {});
  await waitForRun(session, run, "stopped");
  await follower.finished;
  worker.child.kill("SIGTERM");
  await worker.finished;
  market.letGo();
  return { shop, session, startWorker, adds, run, before: adds() };
}

/** What a worker has begun, by the lines that it has printed. */
async function endWorker({ child, finished }: CatalogProcess): Promise<readonly unknown[]> {
  child.kill("SIGTERM");
  const { out } = await finished;
  const events: readonly { readonly event: string; readonly run?: string }[] = out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return events.filter(({ event }) => event === "started").map(({ run }) => run);
}

it("has its held rows sent by the workers, too, once they are released (#37)", async () => {
  const shop = await openTestStore({ products: 10 });
  await writeConfig(shop, { priceUnit: "minor" });
  const [first, ...others] = shop.sandbox.products();
  const prices = [[first, 0.1] as const, ...others.map((one) => [one, 1.1] as const)];
  const lines = prices.map(([one, factor]) => {
    const lira = (((one?.price ?? 0) * factor) / 100).toFixed(2).replace(".", ",");
    return `${one?.product_code};${lira}`;
  });
  const file = writeText(shop.folder, "fiyat.csv", `Ürün Kodu;Fiyat\n${lines.join("\n")}\n`);
  const startWorker = (): CatalogProcess => {
    const worker = shop.start("worker", "--json");
    onTestFinished(() => void worker.child.kill("SIGKILL"));
    return worker;
  };
  const worker = startWorker();
  const asked = await shop.json("import", file, "--queue", "--yes");
  await endWorker(worker);
  const { run } = asked;
  const session = await (await openWeb(shop)).openSession();
  const sent = await getBody<RunView>(session, `/runs/${run}`);

  const decision = { rows: [2], decision: "send" };
  const released = await postBody<DecisionResult>(session, `/runs/${run}/release`, decision);
  const next = startWorker();
  const end = await waitForRun(session, run);
  const started = await endWorker(next);

  expect([sent.state, sent.counts.updated, sent.counts.held]).toEqual(["finished", 9, 1]);
  expect([released.isStarted, released.run.state]).toEqual([true, "queued"]);
  expect([end.counts.updated, end.counts.held, started]).toEqual([10, 0, [run]]);
});

describe.each(["a file", "PostgreSQL and two homes"] as const)(
  "a queued run on %s that was stopped",
  (name) => {
    const isOn = name === "a file" || hasPostgres();

    it.skipIf(!isOn)("goes on with the workers when it is resumed on the page (#37)", async () => {
      const { shop, session, startWorker, adds, run, before } = await openStopped(name);

      const resumed = await resumeRun(session, run);
      const worker = startWorker();
      const end = await waitForRun(session, run);
      const started = await endWorker(worker);

      expect([resumed.state, resumed.can.unqueue, resumed.isPaused]).toEqual([
        "queued",
        true,
        false,
      ]);
      expect(started).toEqual([run]);
      expect(before).toBeLessThan(ROWS);
      expect([end.counts.added, adds()]).toEqual([ROWS, ROWS]);
      expect(shop.sandbox.inspect().doubles).toEqual({});
    });

    it.skipIf(!isOn)("is sent by the page once it is taken out of the queue (#37)", async () => {
      const { shop, session, adds, run, before } = await openStopped(name);

      await resumeRun(session, run);
      const removed = await postBody<RunView>(session, `/runs/${run}/unqueue`, {});
      const resumed = await resumeRun(session, run);
      const end = await waitForRun(session, run);

      expect([removed.state, removed.can.resume, resumed.state]).toEqual([
        "stopped",
        true,
        "sending",
      ]);
      expect(before).toBeLessThan(ROWS);
      expect([end.counts.added, adds()]).toEqual([ROWS, ROWS]);
      expect(shop.sandbox.inspect().doubles).toEqual({});
    });
  },
);
