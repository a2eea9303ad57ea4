/** Runs that are sent and taken back at set times, on the page: wished for, approved, changed, carried out. */

import { readFileSync } from "node:fs";

import type { DecisionResult, DraftView, PeriodBody, RunList, RunView } from "@catalog/web";
import { expect, it } from "vitest";

import { writePrices } from "../../helpers/feed.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { openStore } from "../../helpers/note-schedule.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { planDraft, uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, postBody, waitForRun } from "../../helpers/web/runs.ts";

const [START, END] = ["2099-12-01T09:00", "2099-12-07"];

interface Page {
  readonly shop: TestStore;
  readonly session: WebSession;
  readonly draft: DraftView;
  readonly prices: () => readonly number[];
}

async function openPage(): Promise<Page> {
  const shop = await openTestStore({ products: 10 });
  await writeConfig(shop, { priceUnit: "minor" });
  const file = writePrices(shop, (price) => price * 0.9);
  const session = await (await openWeb(shop)).openSession();
  const draft = await uploadDraft(session, "indirim.csv", readFileSync(file));
  const prices = (): readonly number[] => shop.sandbox.products().map(({ price }) => price);
  return { shop, session, draft, prices };
}

const wish = (session: WebSession, draft: string, period: PeriodBody | null): Promise<DraftView> =>
  postBody<DraftView>(session, `/drafts/${draft}/period`, { period });

async function pass(shop: TestStore, run: string, which: "startAtMs" | "endAtMs"): Promise<void> {
  await using connection = await openStore(shop);
  const { periods } = connection.memory;
  const stored = await periods.read(run);
  if (stored === undefined) throw new Error(`${run} has no period`);
  await periods.save(run, { ...stored.period, [which]: Date.now() - 1_000 }, stored);
}

it("carries a draft's times to its run, sends it at its start and takes it back at its end", async () => {
  const { shop, session, draft, prices } = await openPage();
  const before = prices();
  const wished = await wish(session, draft.id, { start: START, end: END, fields: ["price"] });
  const { id, planHash, period } = await planDraft(session, wished);
  const decision = { planHash, release: [], hold: [] };

  const unseen = await session.call("POST", `/runs/${id}/send`, decision);
  const times = { start: START, end: END };
  const sent = await postBody<DecisionResult>(session, `/runs/${id}/send`, {
    ...decision,
    period: times,
  });
  const waiting = await getBody<RunView>(session, `/runs/${id}`);
  await pass(shop, id, "startAtMs");
  const open = await waitForRun(session, id);
  const sale = prices();
  await pass(shop, id, "endAtMs");
  await waitUntil(
    async () => (await getBody<RunView>(session, `/runs/${id}`)).period?.state === "ended",
  );
  const { runs } = await getBody<RunList>(session, "/runs");

  expect(wished.period).toMatchObject({
    start: { local: START, text: "1 Aralık 2099 Salı 09:00" },
    end: { local: "2099-12-07T00:00", at: "2099-12-06T21:00:00.000Z" },
    fields: ["price"],
  });
  expect(period).toMatchObject({ state: "proposed", isHealthy: true });
  expect([unseen.status, JSON.parse(unseen.text).code]).toEqual([409, "E_PERIOD_UNSEEN"]);
  expect([sent.isStarted, waiting.state, waiting.can.unqueue]).toEqual([true, "queued", true]);
  expect(waiting.period).toMatchObject({ state: "scheduled", can: { changeStart: true } });
  expect(open.period).toMatchObject({ state: "open", fields: null, can: { changeStart: false } });
  expect(sale).not.toEqual(before);
  expect(prices()).toEqual(before);
  expect(runs.map((run) => [run.kind, run.period?.state])).toEqual([
    ["undo", undefined],
    ["import", "ended"],
  ]);
});

it("changes and takes away the end of a run as it was seen, and refuses times that are wrong", async () => {
  const { session, draft } = await openPage();
  const { id, planHash } = await planDraft(session, draft);
  const send = (period: PeriodBody): Promise<{ readonly status: number; readonly text: string }> =>
    session.call("POST", `/runs/${id}/send`, { planHash, release: [], hold: [], period });
  const change = (body: unknown): Promise<{ readonly status: number; readonly text: string }> =>
    session.call("POST", `/runs/${id}/period`, body);

  const early = await change({ start: START, end: END, seen: { start: null, end: null } });
  const wrong = [
    await send({ start: null, end: "2020-01-01" }),
    await send({ start: END, end: START }),
    await send({ start: null, end: "soon" }),
    await send({ start: null, end: END, timeZone: "Europe/Nowhere" }),
    await send({ start: null, end: END, fields: ["colour of the sky"] }),
  ];
  expect([early.status, JSON.parse(early.text).code]).toEqual([409, "E_PERIOD_UNAPPROVED"]);
  expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  expect((await send({ start: null, end: END })).status).toBe(202);
  const view = await waitForRun(session, id);
  const seen = { start: null, end: view.period?.end?.at ?? null };

  const stale = await change({ start: null, end: null, seen: { start: null, end: null } });
  const later = await change({ start: null, end: "2099-12-08", seen });
  const none = await change({
    start: null,
    end: null,
    seen: { start: null, end: "2099-12-07T21:00:00.000Z" },
  });

  expect([stale.status, JSON.parse(stale.text).code]).toEqual([409, "E_PERIOD_CHANGED"]);
  expect(JSON.parse(later.text).period.end.local).toBe("2099-12-08T00:00");
  expect([none.status, JSON.parse(none.text).period]).toEqual([200, null]);
});
