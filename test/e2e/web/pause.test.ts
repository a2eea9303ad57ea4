import { readFileSync } from "node:fs";

import type { DraftSummary, DraftView, RunView } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openRecordingMarket } from "../../helpers/markets/recording-market.ts";
import { openTestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { startCatalog } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { planDraft, uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb } from "../../helpers/web/open-web.ts";
import { getBody, postBody, resumeRun, waitForRun } from "../../helpers/web/runs.ts";

const ROWS = 120;
const POLL = { timeout: 60_000, interval: 5 };

describe("a run that is sent from the page", { timeout: 90_000 }, () => {
  it("is paused and goes on, also by a server that did not start it", async () => {
    const shop = await openTestStore({
      faults: [{ kind: "latency", endpoint: "product.add", ms: 1000 }],
    });
    const market = await openRecordingMarket(shop.sandbox);
    const at = { env: { ...shop.env, CATALOG_BASE_URL: market.baseUrl }, cwd: shop.folder };
    const own = { start: (...args: readonly string[]) => startCatalog(args, at) };
    const adds = (): number => shop.sandbox.stats().adds;
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(ROWS));
    const first = await openWeb(own);
    const session = await first.openSession();
    const draft = await uploadDraft(session, "urunler.xlsx", readFileSync(file));
    const { id, planHash } = await planDraft(session, draft);
    await postBody(session, `/runs/${id}/send`, { planHash, release: [], hold: [] });
    await expect.poll(adds, POLL).toBeGreaterThan(0);

    await postBody(session, `/runs/${id}/stop`, {});
    const paused = await waitForRun(session, id, "stopped");
    const [listed] = await getBody<readonly DraftSummary[]>(session, "/drafts");
    const [pausedAt, counted] = [adds(), paused.counts];
    await resumeRun(session, id);
    await expect.poll(adds, POLL).toBeGreaterThan(pausedAt);
    // The second server may take longer to start than all rows take to be sent.
    const release = market.hold();
    first.process.child.kill("SIGKILL");
    await first.process.finished;

    const second = await (await openWeb(own)).openSession();
    const taken = await postBody<RunView>(second, `/runs/${id}/stop`, {});
    release();
    const stopped = await waitForRun(second, id, "stopped");
    const stoppedAt = adds();
    await resumeRun(second, id);
    const end = await waitForRun(second, id);
    const [whole] = await getBody<readonly DraftSummary[]>(second, "/drafts");

    expect(paused.can).toMatchObject({ resume: true, stop: false });
    expect(counted).toMatchObject({ added: pausedAt, waiting: ROWS - pausedAt, held: 0 });
    expect(listed?.sent).toMatchObject({
      state: "stopped",
      waiting: ROWS - pausedAt,
      held: 0,
      wrong: 0,
    });
    expect(whole?.sent).toMatchObject({ state: "finished", waiting: 0, held: 0, wrong: 0 });
    expect(taken.state).toBe("sending");
    expect(stopped.counts).toMatchObject({ added: stoppedAt, waiting: ROWS - stoppedAt, held: 0 });
    expect(stoppedAt).toBeLessThan(ROWS);
    expect([end.counts.added, adds()]).toEqual([ROWS, ROWS]);
    expect(shop.sandbox.inspect().doubles).toEqual({});
  });
});

describe("the check of a file", { timeout: 60_000 }, () => {
  it("tells when it goes on where the calls of the hour are used up, and the page ends at once", async () => {
    const shop = await openTestStore();
    await writeConfig(shop, { requestsPerHour: 60 });
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(20));
    const web = await openWeb(shop);
    const session = await web.openSession();
    const { text } = await session.upload("urunler.xlsx", readFileSync(file));
    const { id }: DraftView = JSON.parse(text);

    const readProgress = async (): Promise<string | undefined> =>
      (await getBody<DraftView>(session, `/drafts/${id}`)).progress?.text;
    await expect
      .poll(readProgress, POLL)
      .toMatch(/^Saatlik istek sınırı doldu; \d\d:\d\d itibarıyla kendiliğinden sürecek\.$/u);
    const began = performance.now();
    await web.close();

    expect(performance.now() - began).toBeLessThan(8_000);
  });
});
