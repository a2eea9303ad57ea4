import { readFileSync } from "node:fs";

import { formatMinor } from "@catalog/i18n";
import type { DecisionResult, DraftSummary, DraftView, RunList, RunView } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { formatFeed, readStore, writePrices } from "../../helpers/feed.ts";
import { openRecordingMarket } from "../../helpers/markets/recording-market.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { goodRows, writeText, writeWorkbook } from "../../helpers/product-sheet.ts";
import { planDraft, sendRun, uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb, startWeb, type WebAnswer, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, listRunRows, postBody, resumeRun, waitForRun } from "../../helpers/web/runs.ts";

/** A plan of ten prices: one falls too far, the others by little. */
async function planPrices(
  priceUnit?: "minor",
): Promise<{ readonly shop: TestStore; readonly run: string }> {
  const shop = await openTestStore({ products: 10 });
  if (priceUnit !== undefined) await writeConfig(shop, { priceUnit });
  const file = writePrices(shop, (price, index) => (index === 0 ? price / 10 : price * 1.1));
  return { shop, run: (await shop.json("plan", file)).run };
}

/** Updates with the biggest change first. */
const BIGGEST = "?show=update&sort=changes&direction=down";

describe("runs on the page", () => {
  it("lists the runs of some days, which begin as they do in Turkey", async () => {
    const { shop, run } = await planPrices("minor");
    const session = await (await openWeb(shop)).openSession();
    const { createdAt } = await getBody<RunView>(session, `/runs/${run}`);
    const dayAfter = (days: number): string =>
      new Date(Date.parse(createdAt) + (3 + days * 24) * 3_600_000).toISOString().slice(0, 10);
    const list = async (query: string): Promise<readonly string[]> =>
      (await getBody<RunList>(session, `/runs?${query}`)).runs.map(({ id }) => id);

    const [today, tomorrow, yesterday] = [dayAfter(0), dayAfter(1), dayAfter(-1)];
    const wrong = await session.call("GET", "/runs?from=dun");

    expect(await list(`from=${today}&to=${today}`)).toEqual([run]);
    expect(await list(`from=${tomorrow}`)).toEqual([]);
    expect(await list(`to=${yesterday}`)).toEqual([]);
    expect(wrong.status).toBe(400);
  });

  it("shows a plan made in a terminal, and sends only the ticked rows", async () => {
    const { shop, run } = await planPrices("minor");
    const before = shop.sandbox.products().map(({ price }) => price);
    const session = await (await openWeb(shop)).openSession();

    const {
      runs: [listed],
    } = await getBody<RunList>(session, "/runs");
    const view = await getBody<RunView>(session, `/runs/${run}`);
    const held = await listRunRows(session, run, "?show=held");
    const ready = await listRunRows(session, run, "?show=update");
    const stale = await session.call("POST", `/runs/${run}/send`, {
      planHash: "old",
      release: [],
      hold: [],
    });
    const unticked = ready.at(-1)?.row ?? 0;
    const sent = await postBody<DecisionResult>(session, `/runs/${run}/send`, {
      planHash: view.planHash,
      release: held.map(({ row }) => row),
      hold: [unticked],
    });
    const end = await waitForRun(session, run);

    const [product] = shop.sandbox.products();
    const word = encodeURIComponent((product?.title ?? "").toLocaleUpperCase("tr"));
    const found = await listRunRows(session, run, `?text=${word}`);

    const amount = encodeURIComponent(formatMinor(before[0] ?? 0, "tr"));
    const priced = await listRunRows(session, run, `?text=${amount}`);

    // The file has codes and prices only; the title on the screen is the store's.
    expect(found).toMatchObject([{ row: 2 }]);
    expect(priced).toContainEqual(expect.objectContaining({ row: 2 }));
    expect(listed).toMatchObject({ id: run, state: "planned", name: "fiyat.csv" });
    expect(view).toMatchObject({
      can: { send: true, undo: false },
      guards: [{ guard: "price-drop", rows: 1 }],
      plan: { updates: 9, held: 1 },
    });
    expect(held).toMatchObject([
      {
        row: 2,
        isHeld: true,
        changes: [
          { label: "Alıcının ödediği", percent: expect.closeTo(-90, 3) },
          { label: "İndirimsiz fiyat", percent: null },
        ],
      },
    ]);
    expect(JSON.stringify([view, held, ready])).not.toMatch(/--allow|catalog (?:apply|import)/u);
    expect(held[0]?.issues[0]?.suggestion).toContain("Doğruysa işaretleyin");
    expect(stale).toMatchObject({ status: 409, body: { code: "E_PLAN_STALE" } });
    expect(sent).toMatchObject({ isStarted: true, refused: [], run: { state: "sending" } });
    expect(end).toMatchObject({
      state: "finished",
      problem: null,
      counts: { updated: 9, cancelled: 1, held: 0 },
    });
    const now = shop.sandbox.products().map(({ price }) => price);
    expect(now.filter((price, index) => price === before[index])).toHaveLength(1);
    expect(now[unticked - 2]).toBe(before[unticked - 2]);
    expect(end.files.map(({ name }) => name)).toContain("result.xlsx");
  });

  it("lists updates by importance: shortened titles, numbers, then extended titles", async () => {
    const shop = await openTestStore({ products: 130 });
    const lines = shop.sandbox
      .products()
      .map(({ product_code: code, stock_count: stock, title }, index) => {
        if (index < 3) return `${code};;${stock + 1 + index}`;
        return `${code};${index === 129 ? "Kupa" : `${title} yeni`};${stock}`;
      });
    const text = `Ürün Kodu;Başlık;Stok\n${lines.join("\n")}\n`;
    const document = await shop.json("plan", writeText(shop.folder, "a.csv", text));
    const session = await (await openWeb(shop)).openSession();
    const listed = await listRunRows(session, document.run, BIGGEST);

    const rows = listed.map(({ row }) => row);
    expect([rows.slice(0, 4), new Set(rows).size]).toEqual([[131, 4, 3, 2], 130]);
  });

  it("lists a product that is no longer sold before small changes of prices", async () => {
    const shop = await openTestStore({ products: 3 });
    await writeConfig(shop, { priceUnit: "minor" });
    const factors = [1.1, 1, 2.5];
    const lines = readStore(shop.sandbox).map(({ code, stock, priceMinor }, index) => {
      const factor = factors[index] ?? 1;
      return { code, stock: factor === 1 ? 0 : stock, priceMinor: Math.round(priceMinor * factor) };
    });
    const file = writeText(shop.folder, "a.csv", formatFeed(lines));
    const document = await shop.json("plan", file);
    const session = await (await openWeb(shop)).openSession();

    const rows = await listRunRows(session, document.run, BIGGEST);

    expect(rows.map(({ row }) => row)).toEqual([4, 3, 2]);
  });

  it("sends no price before the unit is known, and compares it then", async () => {
    const { shop, run } = await planPrices();
    const session = await (await openWeb(shop)).openSession();
    const { planHash, plan, priceUnitExample } = await getBody<RunView>(session, `/runs/${run}`);
    const rows = await listRunRows(session, run, "?show=held");

    const sent = await postBody<DecisionResult>(session, `/runs/${run}/send`, {
      planHash,
      release: rows.map(({ row }) => row),
      hold: [],
    });
    const before = shop.sandbox.stats().updates;
    await resumeRun(session, run, { priceUnit: "minor" });
    const end = await waitForRun(session, run);

    const [product] = shop.sandbox.products();
    const minor = formatMinor(product?.price ?? 0, "tr");
    expect(priceUnitExample).toMatchObject({ code: product?.product_code, minor: `${minor} TL` });
    expect([plan.held, sent.isStarted, sent.refused.length, before]).toEqual([10, false, 10, 0]);
    expect(sent.refused[0]?.message).not.toMatch(/--|catalog /u);
    expect(end.counts).toMatchObject({ updated: 9, held: 1 });
  });

  it("says that the next sync sends a released row, and then that the row is closed", async () => {
    const shop = await openTestStore({ products: 30 });
    await writeConfig(shop, { priceUnit: "minor" });
    const [line, ...lines] = readStore(shop.sandbox);
    if (line === undefined) throw new Error("the sandbox has no products");
    const fallen = { ...line, priceMinor: Math.round(line.priceMinor / 4) };
    const file = writeText(shop.folder, "stok.csv", formatFeed([fallen, ...lines]));
    const { run } = await shop.json("sync", file);
    await shop.run("release", run, "--rows", "2", "--resend", "--yes");
    const session = await (await openWeb(shop)).openSession();
    const read = async (): Promise<readonly string[]> =>
      (await listRunRows(session, run)).map(({ stateText }) => stateText);

    const released = await read();
    await shop.run("sync", file, "--json");

    expect(released).toEqual(["Onaylandı; sıradaki eşitleme gönderir"]);
    expect(await read()).toEqual(["Kapandı; sonraki eşitlemeye geçti ya da vazgeçildi"]);
  });

  it("undoes a run after planning the undo, and serves only result files", async () => {
    const { shop, run } = await planPrices("minor");
    const before = shop.sandbox.products().map(({ price }) => price);
    const session = await (await openWeb(shop)).openSession();
    await sendRun(session, await getBody<RunView>(session, `/runs/${run}`));

    const { run: undo } = await postBody<{ readonly run: string }>(session, `/runs/${run}/undo`, {
      zeroStock: false,
    });
    const planned = await getBody<RunView>(session, `/runs/${undo}`);
    const between = shop.sandbox.stats().updates;
    const end = await sendRun(session, planned);

    const again = await postBody<{ readonly run: string }>(session, `/runs/${run}/undo`, {
      zeroStock: false,
    });
    const nothing = await getBody<RunView>(session, `/runs/${again.run}`);
    const held = await listRunRows(session, run, "?show=held");

    expect(nothing).toMatchObject({
      state: "finished",
      stateText: "Geri alınacak bir şey yoktu",
    });
    expect(nothing.warnings[0]).toBe("“fiyat.csv” geri alınıyor: 9 ürün zaten eski hâlinde.");
    expect(planned.warnings.join(" ")).toMatch(
      /“fiyat\.csv” \(\d.+ \d\d:\d\d\) gönderiminde 1 satır hâlâ karar bekliyor/u,
    );
    expect(held[0]?.issues[0]?.suggestion).toContain("karar bekleyen satırlarda seçip gönderin");
    expect(planned).toMatchObject({
      kind: "undo",
      of: run,
      state: "planned",
      plan: { updates: 9 },
    });
    const [name = ""] = /[^“]+(?=”)/u.exec(planned.name) ?? [];
    expect([planned.name, end.name]).toEqual([`“${name}” için geri alma`, `“${name}” geri alındı`]);
    expect(shop.sandbox.stats().updates).toBe(between + 9);
    expect(end.counts).toMatchObject({ updated: 9 });
    expect(shop.sandbox.products().map(({ price }) => price)).toEqual(before);
    const file = await session.call("GET", `/runs/${run}/files/result.csv`);
    const other = await session.call("GET", `/runs/${run}/files/..%2F..%2Fcatalog.config.json`);
    expect([file.status, other.status]).toEqual([200, 404]);
    expect(String(file.body)).toContain("Güncellendi");
  });

  it("reports a partial undo when a row of it was unticked", async () => {
    const { shop, run } = await planPrices("minor");
    const session = await (await openWeb(shop)).openSession();
    await sendRun(session, await getBody<RunView>(session, `/runs/${run}`));
    const { run: undo } = await postBody<{ readonly run: string }>(session, `/runs/${run}/undo`, {
      zeroStock: false,
    });
    const planned = await getBody<RunView>(session, `/runs/${undo}`);

    await postBody(session, `/runs/${undo}/send`, {
      planHash: planned.planHash,
      release: [],
      hold: [3],
    });
    const end = await waitForRun(session, undo);

    const { undoneBy } = await getBody<RunView>(session, `/runs/${run}`);
    expect(undoneBy).toEqual({ run: undo, restored: 8, sent: 9, isPartial: true });
    expect(end.name).toBe("“fiyat.csv” kısmen geri alındı");
  });

  it("refuses to undo a run that only added products, except by setting their stock to 0", async () => {
    const shop = await openTestStore();
    await shop.run("import", await writeWorkbook(shop.folder, "a.xlsx", goodRows(2)), "--yes");
    const session = await (await openWeb(shop)).openSession();
    const {
      runs: [added],
    } = await getBody<RunList>(session, "/runs");
    const path = `/runs/${added?.id ?? ""}/undo`;

    const refused = await session.call("POST", path, { zeroStock: false });
    const { runs: listed } = await getBody<RunList>(session, "/runs");
    const { run } = await postBody<{ readonly run: string }>(session, path, { zeroStock: true });
    const planned = await getBody<RunView>(session, `/runs/${run}`);

    expect(refused).toMatchObject({ status: 409, body: { code: "E_UNDO_ADDS" } });
    expect(listed).toHaveLength(1);
    expect(planned.warnings[0]).toContain("eklenen 2 ürünün stoğu 0 yapılacak");
  });
});

const ROWS = 5;

interface Planned {
  readonly shop: TestStore;
  readonly session: WebSession;
  readonly view: RunView;
  readonly post: (path: string, body: unknown) => Promise<WebAnswer>;
}

/** A plan of new products that nobody has approved. */
async function openPlan(): Promise<Planned> {
  const shop = await openTestStore();
  const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(ROWS));
  const { out, err } = await shop.run("plan", file, "--json");
  expect(out, err).not.toBe("");
  const session = await (await openWeb(shop)).openSession();
  const view = await getBody<RunView>(session, `/runs/${JSON.parse(out).run}`);
  const post = (path: string, body: unknown): Promise<WebAnswer> =>
    session.call("POST", `/runs/${view.id}${path}`, body);
  return { shop, session, view, post };
}

describe("a plan that nobody has approved", () => {
  it("is sent only with the hash and the row count that a person has seen (#37)", async () => {
    const { shop, session, view, post } = await openPlan();
    const { planHash } = view;
    const refused = [
      [{}, 400, "E_REQUEST"],
      [{ planHash }, 400, "E_REQUEST"],
      [{ rows: ROWS }, 400, "E_REQUEST"],
      [{ planHash, rows: String(ROWS) }, 400, "E_REQUEST"],
      [{ planHash: "old", rows: ROWS }, 409, "E_PLAN_STALE"],
      [{ planHash, rows: ROWS - 1 }, 409, "E_PLAN_STALE"],
      [{ planHash, rows: ROWS + 1, priceUnit: "minor" }, 409, "E_PLAN_STALE"],
    ] as const;

    for (const [body, status, code] of refused) {
      expect(await post("/resume", body)).toMatchObject({ status, body: { code } });
    }
    const untouched = await getBody<RunView>(session, `/runs/${view.id}`);
    const before = shop.sandbox.stats().adds;
    await resumeRun(session, view.id);
    const end = await waitForRun(session, view.id);
    const late = await post("/resume", { planHash, rows: ROWS });

    expect(view.left).toEqual({ rows: ROWS, withUnit: ROWS });
    expect([untouched.state, before]).toEqual(["planned", 0]);
    expect([end.counts.added, shop.sandbox.stats().adds, end.left.rows]).toEqual([ROWS, ROWS, 0]);
    expect(late).toMatchObject({ status: 409, body: { code: "E_RUN_CHANGED" } });
  });

  it("is sent once when four approvals arrive together (#37)", async () => {
    const { shop, session, view, post } = await openPlan();
    const { planHash } = view;

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => post("/send", { planHash, release: [], hold: [] })),
    );
    const end = await waitForRun(session, view.id);

    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.slice(1).every((status) => [409, 423].includes(status))).toBe(true);
    expect([end.counts.added, shop.sandbox.stats().adds, end.problem]).toEqual([ROWS, ROWS, null]);
  });
});

const PAUSED_ROWS = 120;
const POLL = { timeout: 60_000, interval: 5 };

describe("a run that is sent from the page", () => {
  it("is paused and goes on, also by a server that did not start it", async () => {
    const shop = await openTestStore({
      faults: [{ kind: "latency", endpoint: "product.add", ms: 1000 }],
    });
    const market = await openRecordingMarket(shop.sandbox);
    const own = shop.at({ CATALOG_BASE_URL: market.baseUrl });
    const adds = (): number => shop.sandbox.stats().adds;
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(PAUSED_ROWS));
    const first = await startWeb(own);
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
    expect(counted).toMatchObject({ added: pausedAt, waiting: PAUSED_ROWS - pausedAt, held: 0 });
    expect(listed?.sent).toMatchObject({
      state: "stopped",
      waiting: PAUSED_ROWS - pausedAt,
      held: 0,
      wrong: 0,
    });
    expect(whole?.sent).toMatchObject({ state: "finished", waiting: 0, held: 0, wrong: 0 });
    expect(taken.state).toBe("sending");
    expect(stopped.counts).toMatchObject({
      added: stoppedAt,
      waiting: PAUSED_ROWS - stoppedAt,
      held: 0,
    });
    expect(stoppedAt).toBeLessThan(PAUSED_ROWS);
    expect([end.counts.added, adds()]).toEqual([PAUSED_ROWS, PAUSED_ROWS]);
    expect(shop.sandbox.inspect().doubles).toEqual({});
  });
});

describe("the check of a file", () => {
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
