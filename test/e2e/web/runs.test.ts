import { formatMinor } from "@catalog/i18n";
import type { DecisionResult, RunRows, RunList, RunView } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { formatFeed, readStore } from "../../helpers/feed.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { goodRows, writeText, writeWorkbook } from "../../helpers/product-sheet.ts";
import { sendRun } from "../../helpers/web/drafts.ts";
import { openWeb } from "../../helpers/web/open-web.ts";
import { getBody, postBody, resumeRun, waitForRun } from "../../helpers/web/runs.ts";

/** A plan of ten prices: one falls too far, the others by little. */
async function planPrices(
  priceUnit?: "minor",
): Promise<{ readonly shop: TestStore; readonly run: string }> {
  const shop = await openTestStore({ products: 10 });
  if (priceUnit !== undefined) await writeConfig(shop, { priceUnit });
  const lines = shop.sandbox.products().map(({ product_code: code, price }, index) => {
    const lira = (index === 0 ? price / 1000 : (price * 11) / 1000).toFixed(2);
    return `${code};${lira.replace(".", ",")}`;
  });
  const file = writeText(shop.folder, "fiyat.csv", `Ürün Kodu;Fiyat\n${lines.join("\n")}\n`);
  const { out, err } = await shop.run("plan", file, "--json");
  expect(out, err).not.toBe("");
  return { shop, run: JSON.parse(out).run };
}

describe("runs on the page", { timeout: 90_000 }, () => {
  it("shows the plan of a terminal, and sends what was ticked and nothing else", async () => {
    const { shop, run } = await planPrices("minor");
    const before = shop.sandbox.products().map(({ price }) => price);
    const session = await (await openWeb(shop)).openSession();

    const {
      runs: [listed],
    } = await getBody<RunList>(session, "/runs");
    const view = await getBody<RunView>(session, `/runs/${run}`);
    const held = await getBody<RunRows>(session, `/runs/${run}/rows?show=held`);
    const ready = await getBody<RunRows>(session, `/runs/${run}/rows?show=update`);
    const stale = await session.call("POST", `/runs/${run}/send`, {
      planHash: "old",
      release: [],
      hold: [],
    });
    const unticked = ready.rows.at(-1)?.row ?? 0;
    const sent = await postBody<DecisionResult>(session, `/runs/${run}/send`, {
      planHash: view.planHash,
      release: held.rows.map(({ row }) => row),
      hold: [unticked],
    });
    const end = await waitForRun(session, run);

    const [product] = shop.sandbox.products();
    const word = encodeURIComponent((product?.title ?? "").toLocaleUpperCase("tr"));
    const found = await getBody<RunRows>(session, `/runs/${run}/rows?text=${word}`);

    const amount = encodeURIComponent(formatMinor(before[0] ?? 0, "tr"));
    const priced = await getBody<RunRows>(session, `/runs/${run}/rows?text=${amount}`);

    // The file has codes and prices only; the title on the screen is the store's.
    expect(found.rows).toMatchObject([{ row: 2 }]);
    expect(priced.rows).toContainEqual(expect.objectContaining({ row: 2 }));
    expect(listed).toMatchObject({ id: run, state: "planned", name: "fiyat.csv" });
    expect(view).toMatchObject({
      can: { send: true, undo: false },
      guards: [{ guard: "price-drop", rows: 1 }],
      plan: { updates: 9, held: 1 },
    });
    expect(held.rows).toMatchObject([
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
    expect(held.rows[0]?.issues[0]?.suggestion).toContain("Doğruysa işaretleyin");
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

  it("lists every update: a title that is lost first, then numbers, then titles that only grow", async () => {
    const shop = await openTestStore({ products: 130 });
    const lines = shop.sandbox
      .products()
      .map(({ product_code: code, stock_count: stock, title }, index) => {
        if (index < 3) return `${code};;${stock + 1 + index}`;
        return `${code};${index === 129 ? "Kupa" : `${title} yeni`};${stock}`;
      });
    const text = `Ürün Kodu;Başlık;Stok\n${lines.join("\n")}\n`;
    const { out } = await shop.run("plan", writeText(shop.folder, "a.csv", text), "--json");
    const session = await (await openWeb(shop)).openSession();
    const path = `/runs/${JSON.parse(out).run}/rows?show=update&sort=changes`;

    const first = await getBody<RunRows>(session, path);
    const second = await getBody<RunRows>(session, `${path}&after=${first.next}`);

    const rows = [...first.rows, ...second.rows].map(({ row }) => row);
    expect([rows.slice(0, 4), new Set(rows).size, second.next]).toEqual([
      [131, 4, 3, 2],
      130,
      null,
    ]);
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
    const { out } = await shop.run("plan", file, "--json");
    const session = await (await openWeb(shop)).openSession();

    const path = `/runs/${JSON.parse(out).run}/rows?show=update&sort=changes`;
    const { rows } = await getBody<RunRows>(session, path);

    expect(rows.map(({ row }) => row)).toEqual([4, 3, 2]);
  });

  it("sends no price that was never compared, and compares it once the unit is known", async () => {
    const { shop, run } = await planPrices();
    const session = await (await openWeb(shop)).openSession();
    const { planHash, plan, priceUnitExample } = await getBody<RunView>(session, `/runs/${run}`);
    const { rows } = await getBody<RunRows>(session, `/runs/${run}/rows?show=held`);

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

  it("says of a released row of a sync that the next sync sends it, and then that it is closed", async () => {
    const shop = await openTestStore({ products: 30 });
    await writeConfig(shop, { priceUnit: "minor" });
    const [line, ...lines] = readStore(shop.sandbox);
    if (line === undefined) throw new Error("the sandbox has no products");
    const fallen = { ...line, priceMinor: Math.round(line.priceMinor / 4) };
    const file = writeText(shop.folder, "stok.csv", formatFeed([fallen, ...lines]));
    const { run } = JSON.parse((await shop.run("sync", file, "--json")).out);
    await shop.run("release", run, "--rows", "2", "--resend", "--yes");
    const session = await (await openWeb(shop)).openSession();
    const read = async (): Promise<readonly string[]> =>
      (await getBody<RunRows>(session, `/runs/${run}/rows`)).rows.map(({ stateText }) => stateText);

    const released = await read();
    await shop.run("sync", file, "--json");

    expect(released).toEqual(["Onaylandı; sıradaki eşitleme gönderir"]);
    expect(await read()).toEqual(["Kapandı; sonraki eşitlemeye geçti ya da vazgeçildi"]);
  });

  it("takes a run back after a plan of its own, and serves no file but the results", async () => {
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
    const held = await getBody<RunRows>(session, `/runs/${run}/rows?show=held`);

    expect(nothing).toMatchObject({
      state: "finished",
      stateText: "Geri alınacak bir şey yoktu",
    });
    expect(nothing.warnings[0]).toBe("“fiyat.csv” geri alınıyor: 9 ürün zaten eski hâlinde.");
    expect(planned.warnings.join(" ")).toMatch(
      /“fiyat\.csv” \(\d.+ \d\d:\d\d\) gönderiminde 1 satır hâlâ karar bekliyor/u,
    );
    expect(held.rows[0]?.issues[0]?.suggestion).toContain(
      "karar bekleyen satırlarda seçip gönderin",
    );
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

  it("says that a run was undone in part where a row of the undo was unticked", async () => {
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

  it("makes no undo of a run that has only added products, unless their stock becomes 0", async () => {
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
