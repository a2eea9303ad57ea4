/** Runs that were left to the workers, stopped and resumed on the page. */

import type { DecisionResult, RunView } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { writePrices } from "../../helpers/feed.ts";
import { createSlowMarket } from "../../helpers/markets/slow-market.ts";
import { openTestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { PLACES, startWorker, type WorkerProcess } from "../../helpers/processes/worker-process.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { openWeb } from "../../helpers/web/open-web.ts";
import { getBody, postBody, resumeRun, waitForRun } from "../../helpers/web/runs.ts";

const ROWS = 40;

/** A queued import that a worker has begun to send and a person has stopped; no worker runs then. */
async function openStopped({ open }: Pick<(typeof PLACES)[number], "open">) {
  const market = createSlowMarket();
  market.letGo();
  const shop = await openTestStore(market.options);
  const [page, there] = await open(shop);
  const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(ROWS));
  const adds = (): number => shop.sandbox.stats().adds;
  const session = await (await openWeb(page)).openSession();
  const { run } = await page.json("plan", file);
  const follower = page.run("apply", run, "--queue", "--json");
  market.slowDown();
  const worker = startWorker(there);
  await waitUntil(() => adds() >= 4);
  await postBody<RunView>(session, `/runs/${run}/stop`, {});
  await waitForRun(session, run, "stopped");
  await follower;
  await worker.end();
  market.letGo();
  return { shop, session, there, adds, run, before: adds() };
}

/** The runs that a worker has begun, once it has ended. */
async function endWorker(worker: WorkerProcess): Promise<readonly unknown[]> {
  await worker.end();
  return worker.events.filter(({ event }) => event === "started").map(({ run }) => run);
}

it("sends released rows through the workers too (#37)", async () => {
  const shop = await openTestStore({ products: 10 });
  await writeConfig(shop, { priceUnit: "minor" });
  const file = writePrices(shop, (price, index) => price * (index === 0 ? 0.1 : 1.1));
  const worker = startWorker(shop);
  const { run } = await shop.json("import", file, "--queue", "--yes");
  await endWorker(worker);
  const session = await (await openWeb(shop)).openSession();
  const sent = await getBody<RunView>(session, `/runs/${run}`);

  const decision = { rows: [2], decision: "send" };
  const released = await postBody<DecisionResult>(session, `/runs/${run}/release`, decision);
  const next = startWorker(shop);
  const end = await waitForRun(session, run);
  const started = await endWorker(next);

  expect([sent.state, sent.counts.updated, sent.counts.held]).toEqual(["finished", 9, 1]);
  expect([released.isStarted, released.run.state]).toEqual([true, "queued"]);
  expect([end.counts.updated, end.counts.held, started]).toEqual([10, 0, [run]]);
});

describe.each(PLACES)("a queued run on $name that was stopped", ({ isOn, ...place }) => {
  it.skipIf(!isOn)("continues on the workers when it is resumed on the page (#37)", async () => {
    const { shop, session, there, adds, run, before } = await openStopped(place);

    const resumed = await resumeRun(session, run);
    const worker = startWorker(there);
    const end = await waitForRun(session, run);
    const started = await endWorker(worker);

    expect([resumed.state, resumed.can.unqueue, resumed.isPaused]).toEqual(["queued", true, false]);
    expect(started).toEqual([run]);
    expect(before).toBeLessThan(ROWS);
    expect([end.counts.added, adds()]).toEqual([ROWS, ROWS]);
    expect(shop.sandbox.inspect().doubles).toEqual({});
  });

  it.skipIf(!isOn)("is sent by the page once it is removed from the queue (#37)", async () => {
    const { shop, session, adds, run, before } = await openStopped(place);

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
});
