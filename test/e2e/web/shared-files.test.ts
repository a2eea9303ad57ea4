/** One sheet for several stores: a draft and a plan of each, compared row by row, and approved one by one. */

import type {
  DecisionResult,
  NewSharedFile,
  SharedFileView,
  SharedRowsShown,
  SharedRowView,
} from "@catalog/web";
import { expect, it } from "vitest";

import { formatFeed, readStore } from "../../helpers/feed.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { planDraft, uploadDraft, waitForDraft } from "../../helpers/web/drafts.ts";
import type { WebSession } from "../../helpers/web/open-web.ts";
import { getBody, postBody, waitForRun } from "../../helpers/web/runs.ts";
import { openTeamWeb } from "../../helpers/web/team-web.ts";

/** Reads the numbers of the rows that a view shows. */
async function listRows(
  server: WebSession,
  id: number,
  show: SharedRowsShown,
): Promise<readonly number[]> {
  const { status, text } = await server.call("GET", `/shared-files/${id}/order?show=${show}`);
  expect(status, text).toBe(200);
  // Small numbers are four bytes that are a text as well.
  const bytes = Buffer.from(text);
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(at * 4));
}

/** Reads the file once its plans are compared. */
async function readCompared(server: WebSession, id: number): Promise<SharedFileView> {
  let view = await getBody<SharedFileView>(server, `/shared-files/${id}`);
  await waitUntil(async () => {
    view = await getBody<SharedFileView>(server, `/shared-files/${id}`);
    return !view.isComparing;
  });
  return view;
}

/** Until the unit of a store's prices is known, every row with a price is held. */
async function setPriceUnits(stores: readonly WebSession[]): Promise<void> {
  for (const store of stores) {
    const { status, text } = await store.call("PUT", "/settings/price-unit", { unit: "minor" });
    expect(status, text).toBe(200);
  }
}

const pricesOf = ({ stores }: SharedRowView) =>
  Object.fromEntries(
    stores.map(({ store, kind, changes }) => [
      store,
      [kind, changes.find(({ field }) => field === "price")?.after ?? null],
    ]),
  );

it("plans one sheet for three stores, and shows where they differ", async () => {
  const shops = {
    mutfak: await openTestStore({ products: 4 }),
    bahce: await openTestStore({ products: 4 }),
    salon: await openTestStore({ products: 3 }),
  };
  const { mutfak, ...others } = shops;
  const web = await openTeamWeb(mutfak, others);
  const ayse = await web.join("ayse@firma.com", "--name", "Ayşe", "--admin");
  const server = web.ofServer(ayse);
  await setPriceUnits(Object.keys(shops).map((name) => web.ofStore(ayse, name)));
  const lines = readStore(mutfak.sandbox);
  expect(readStore(others.bahce.sandbox)).toEqual(lines);
  // The first row changes nothing, the others do; the last product is not in the store `salon`.
  const sheet = lines.map(({ code, stock, priceMinor }, at) => ({
    code,
    stock,
    priceMinor: priceMinor + (at === 0 ? 0 : 100),
  }));
  // One price in `bahce` is already the new one.
  const known = sheet.slice(1, 2);
  const first = await uploadDraft(
    web.ofStore(ayse, "bahce"),
    "önce.csv",
    Buffer.from(formatFeed(known)),
  );
  const before = await planDraft(web.ofStore(ayse, "bahce"), first);
  await postBody(web.ofStore(ayse, "bahce"), `/runs/${before.id}/send`, {
    planHash: before.planHash,
    release: [],
    hold: [],
  });
  await waitForRun(web.ofStore(ayse, "bahce"), before.id);

  const draft = await uploadDraft(ayse, "fiyat.csv", Buffer.from(formatFeed(sheet)));
  const shared = await postBody<NewSharedFile>(server, "/shared-files", {
    store: "mutfak",
    draft: draft.id,
    stores: ["bahce", "salon"],
  });
  const id = shared.id ?? 0;
  const drafts = await getBody<SharedFileView>(server, `/shared-files/${id}`);
  for (const { store, draft: own } of drafts.stores) {
    const session = web.ofStore(ayse, store);
    await planDraft(session, await waitForDraft(session, own));
  }
  const planned = await readCompared(server, id);

  expect(shared.refused).toEqual([]);
  expect(planned.stores).toMatchObject([
    { store: "bahce", step: "planned", run: { updates: 2, unchanged: 2, refusal: null } },
    { store: "mutfak", step: "planned", run: { updates: 3, unchanged: 1, refusal: null } },
    { store: "salon", step: "planned", run: { updates: 2, unchanged: 1, failed: 1 } },
  ]);
  expect(planned.rows).toEqual({ all: 4, differs: 2, held: 0, failed: 1 });
  const calls = planned.stores.map(({ run }) => run?.calls ?? 0);
  expect(planned.calls).toBe(calls.reduce((sum, each) => sum + each));
  expect(await listRows(server, id, "all")).toEqual([2, 3, 4, 5]);
  expect(await listRows(server, id, "differs")).toEqual([3, 5]);
  expect(await listRows(server, id, "failed")).toEqual([5]);
  const rows = await getBody<readonly SharedRowView[]>(server, `/shared-files/${id}/rows?n=3,5,99`);
  const lira = (at: number): string =>
    ((sheet[at]?.priceMinor ?? 0) / 100).toLocaleString("tr-TR", { minimumFractionDigits: 2 });
  expect(rows.map(pricesOf)).toEqual([
    { bahce: ["unchanged", null], mutfak: ["update", lira(1)], salon: ["update", lira(1)] },
    { bahce: ["update", lira(3)], mutfak: ["update", lira(3)], salon: ["failed", null] },
  ]);
  expect(rows[0]).toMatchObject({ row: 3, code: sheet[1]?.code });
  const wrong = rows[1]?.stores.find(({ store }) => store === "salon");
  expect(wrong?.issues[0]?.message).toEqual(expect.any(String));
});

it("shows the values of columns that are for one store", async () => {
  const shops = {
    mutfak: await openTestStore({ products: 2 }),
    bahce: await openTestStore({ products: 2 }),
  };
  const web = await openTeamWeb(shops.mutfak, { bahce: shops.bahce });
  const ayse = await web.join("ayse@firma.com", "--name", "Ayşe", "--admin");
  const server = web.ofServer(ayse);
  await setPriceUnits(Object.keys(shops).map((name) => web.ofStore(ayse, name)));
  const [first, second] = readStore(shops.mutfak.sandbox).map(({ code, priceMinor }) => ({
    code,
    lira: (priceMinor / 100 + 1).toFixed(2).replace(".", ","),
    less: (priceMinor / 100 + 0.5).toFixed(2).replace(".", ","),
  }));
  const sheet = [
    "Ürün Kodu;Fiyat;Fiyat [bahce]",
    `${first?.code};${first?.lira};${first?.less}`,
    `${second?.code};${second?.lira};`,
    "",
  ].join("\r\n");

  const draft = await uploadDraft(ayse, "fiyat.csv", Buffer.from(sheet));
  const { id } = await postBody<NewSharedFile>(server, "/shared-files", {
    store: "mutfak",
    draft: draft.id,
    stores: ["bahce"],
  });
  const { stores } = await getBody<SharedFileView>(server, `/shared-files/${id}`);
  for (const { store, draft: own } of stores) {
    const session = web.ofStore(ayse, store);
    await planDraft(session, await waitForDraft(session, own));
  }

  expect(await listRows(server, id ?? 0, "differs")).toEqual([2]);
  const rows = await getBody<readonly SharedRowView[]>(server, `/shared-files/${id}/rows?n=2,3`);
  // Shown with marks of thousands.
  const shown: unknown = JSON.parse(JSON.stringify(rows.map(pricesOf)).replaceAll(".", ""));
  expect(shown).toEqual([
    { bahce: ["update", first?.less], mutfak: ["update", first?.lira] },
    { bahce: ["update", second?.lira], mutfak: ["update", second?.lira] },
  ]);
});

it("approves each plan in its store, by the rules of that store", async () => {
  const shops = {
    mutfak: await openTestStore({ products: 2 }),
    bahce: await openTestStore({ products: 2 }),
  };
  const { mutfak, bahce } = shops;
  const web = await openTeamWeb(mutfak, { bahce });
  const owner = await web.join("sahip@firma.com", "--name", "Sahip", "--admin");
  const ayse = await web.join("ayse@firma.com", "--name", "Ayşe", "--role", "approver");
  const server = web.ofServer(ayse);
  await setPriceUnits(Object.keys(shops).map((name) => web.ofStore(owner, name)));
  await web
    .ofStore(owner, "bahce")
    .call("PUT", "/four-eyes", { mode: "always", moreThanRows: null });
  const sheet = readStore(mutfak.sandbox).map(({ code, priceMinor }) => ({
    code,
    priceMinor,
    stock: 77,
  }));
  const draft = await uploadDraft(ayse, "stok.csv", Buffer.from(formatFeed(sheet)));
  const { id } = await postBody<NewSharedFile>(server, "/shared-files", {
    store: "mutfak",
    draft: draft.id,
    stores: ["bahce"],
  });
  const read = (session: WebSession): Promise<SharedFileView> =>
    getBody<SharedFileView>(web.ofServer(session), `/shared-files/${id}`);
  for (const { store, draft: own } of (await read(ayse)).stores) {
    const session = web.ofStore(ayse, store);
    await planDraft(session, await waitForDraft(session, own));
  }

  const planned = await read(ayse);
  const answers: Record<string, unknown> = {};
  for (const { store, run } of planned.stores) {
    const body = { planHash: run?.planHash, release: [], hold: [] };
    const sent = await web.ofStore(ayse, store).call("POST", `/runs/${run?.id}/send`, body);
    answers[store] = sent.status;
    if (sent.status === 202) await waitForRun(web.ofStore(ayse, store), run?.id ?? "");
  }
  const after = await read(ayse);
  const ofOwner = await read(owner);

  expect(planned.stores.map(({ store, run }) => [store, run?.refusal])).toEqual([
    ["bahce", "four-eyes"],
    ["mutfak", null],
  ]);
  expect(answers).toEqual({ bahce: 403, mutfak: 202 });
  expect(after.stores).toMatchObject([
    { store: "bahce", step: "planned", run: { refusal: "four-eyes" } },
    { store: "mutfak", step: "finished", run: { refusal: "done", updates: 2 } },
  ]);
  expect(ofOwner.stores).toMatchObject([{ run: { refusal: null } }, { run: { refusal: "done" } }]);
  const stocks = (shop: typeof mutfak) => readStore(shop.sandbox).map(({ stock }) => stock);
  expect(stocks(mutfak)).toEqual([77, 77]);
  expect(stocks(bahce)).not.toContain(77);
  const [ofBahce] = ofOwner.stores;
  const sent = await postBody<DecisionResult>(
    web.ofStore(owner, "bahce"),
    `/runs/${ofBahce?.run?.id}/send`,
    { planHash: ofBahce?.run?.planHash, release: [], hold: [] },
  );
  await waitForRun(web.ofStore(owner, "bahce"), sent.run.id);
  expect(stocks(bahce)).toEqual([77, 77]);
});
