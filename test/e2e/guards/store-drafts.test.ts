import { join } from "node:path";

import { type Connection, priceUnitOf } from "@catalog/connection";
import { priceMinor, type ProductChanges } from "@catalog/contract";
import { formatMinor } from "@catalog/i18n";
import {
  applyPlan,
  type ChosenProduct,
  createStoreDraft,
  type LiveDraft,
  openDrafts,
  planRetry,
  releaseRows,
} from "@catalog/importer";
import type { BulkExchange } from "@catalog/importer/draft-views";
import { readAllRows, type RowRecord, type RunRecord, toCounts } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { openConnectionHarness } from "../../helpers/markets/connection-harness.ts";
import { openSellerPanel, PANEL_BREAKS } from "../../helpers/markets/seller-panel.ts";
import type { WatchOptions } from "../../helpers/markets/watched-sandbox.ts";
import { editCells, openStoreDraft, planStoreDraft } from "../../helpers/store-drafts.ts";

const TITLE = "Başlık *";
const PRICE = "Fiyat *";
const STOCK = "Stok *";

const toCell = (minor: number): string => (minor / 100).toFixed(2).replace(".", ",");

const money = (minor: number): ProductChanges => ({ price: priceMinor.parse(minor) });

async function openStore(products: number, personality: WatchOptions["personality"] = {}) {
  const harness = await openConnectionHarness({ products, personality, breaks: PANEL_BREAKS });
  const { connection, sandbox, folder } = harness;
  await priceUnitOf(connection).save("minor", "person");
  const panel = await openSellerPanel(harness);
  const draft = await openStoreDraft(connection);
  const reportDir = join(folder, "{run}");
  const rows = await draft.rows([...(await draft.order())]);
  const rowOf = new Map(rows.map(({ row, cells }) => [cells[0] ?? "", row]));
  const codes = sandbox.products().map((one) => one.product_code);
  return {
    ...harness,
    panel,
    draft,
    codes,
    /** The number of the row of the nth product. */
    row: (at: number) => rowOf.get(codes[at] ?? "") ?? 0,
    reportDir,
    plan: () => planStoreDraft(connection, draft, reportDir),
    send: (run: RunRecord) => applyPlan(connection, { runId: run.id }),
  };
}

async function readRows(
  { journal }: Pick<Connection, "journal">,
  { id }: RunRecord,
): Promise<ReadonlyMap<number, RowRecord>> {
  const rows = new Map<number, RowRecord>();
  for await (const batch of readAllRows(journal, id, {})) {
    for (const row of batch) rows.set(row.row, row);
  }
  return rows;
}

const isHeld = ({ state }: RowRecord): boolean => state === "held";

const countsOf = async ({ journal }: Pick<Connection, "journal">, { id }: RunRecord) =>
  toCounts(await journal.countRows(id));

/** Measured with ten times as many: 5,000 edits, 200 of them changed by others. */
const EDITS = 500;
const CHANGED_BY_OTHERS = EDITS / 25;

/** Prices that are neither a row of numbers nor those of other products. */
const raised = (price: number, at: number): number => price + 100 + ((at * at * 37) % 97);

async function editInBatches(
  draft: LiveDraft,
  edits: Parameters<typeof editCells>[1],
): Promise<void> {
  for (let at = 0; at < edits.length; at += 1_000) {
    await editCells(draft, edits.slice(at, at + 1_000));
  }
}

describe("edits of prices, of which somebody else changes one in 25", () => {
  const moments = ["before the plan", "after the plan"] as const;
  it.each(moments)(
    "sends 4,800 and holds 200 with both values: %s",
    { timeout: 120_000 },
    async (moment) => {
      const { connection, draft, sandbox, panel, row, plan, send, updates } =
        await openStore(EDITS);
      const products = sandbox.products();
      await editInBatches(
        draft,
        products.map(({ price }, at) => [row(at), PRICE, toCell(raised(price, at))]),
      );
      const others = async (): Promise<void> => {
        for (const [at, product] of products.entries()) {
          if (at % 25 !== 0) continue;
          await panel.edit(product.product_code, money(product.price + 50));
        }
      };

      if (moment === "before the plan") await others();
      const planned = await plan();
      if (moment === "after the plan") await others();
      const { run } = await send(planned);

      const counts = { updated: EDITS - CHANGED_BY_OTHERS, held: CHANGED_BY_OTHERS };
      expect(await countsOf(connection, run)).toMatchObject(counts);
      expect(updates).toHaveLength(EDITS - CHANGED_BY_OTHERS);
      const rows = await readRows(connection, run);
      const wrong = sandbox.products().filter(({ price: now }, at) => {
        const { price = 0 } = products[at] ?? {};
        if (at % 25 !== 0) return now !== raised(price, at);
        const values = [price, price + 50, raised(price, at)].map((minor) =>
          formatMinor(minor, "tr"),
        );
        const { message } =
          rows.get(row(at))?.issues.find(({ code }) => code === "E_CHANGED") ?? {};
        return now !== price + 50 || !values.every((value) => message?.tr.includes(value));
      });
      expect(wrong).toEqual([]);
    },
  );
});

async function* broken(): AsyncGenerator<ChosenProduct> {
  yield* [];
  throw new Error("the list is gone");
}

async function* none(): AsyncGenerator<ChosenProduct> {
  yield* [];
}

describe("a draft of the store's products", () => {
  it("has the columns of an export and today's values, and asks nothing", async () => {
    const { draft, sandbox, row } = await openStore(6);

    const { state, name, columns, counts } = await draft.details();
    const [shown] = await draft.rows([row(0)]);
    const [product] = sandbox.products();

    expect([state, name, counts]).toMatchObject(["ready", "Ürünler: 6 ürün", { sound: 6 }]);
    expect(columns?.columns.map(({ header }) => header)).toEqual([
      "Ürün Kodu *",
      "Başlık *",
      "Fiyat *",
      "İndirim Tipi",
      "İndirim Değeri",
      "Stok *",
      "Marka (salt okunur)",
      "Ürün ID",
    ]);
    expect(shown?.cells.slice(0, 2)).toEqual([product?.product_code, product?.title]);
    expect(shown?.cells.at(-1)).toBe(product?.id);
  });

  it("sends nothing where nothing was edited, whatever others have changed", async () => {
    const { connection, draft, panel, codes, plan, send, updates } = await openStore(6);
    await panel.edit(codes[0] ?? "", { ...money(12_345), title: "Theirs", stock_count: 77 });

    const run = await plan();
    await send(run);

    expect(run.mode).toBe("update");
    expect(await countsOf(connection, run)).toMatchObject({ rows: 6, unchanged: 6 });
    expect((await draft.details()).run).toMatchObject({ id: run.id, isCurrent: true });
    expect(updates).toEqual([]);
  });

  it("sends no text that nobody has edited, however it is cleaned when it is read", async () => {
    const { connection, sandbox, panel, codes, reportDir } = await openStore(1);
    await panel.edit(codes[0] ?? "", {
      title: "\u200bBaşlık\u200b",
      description: "<p>Metin</p><script>x</script>",
    });
    const fields = ["product_code", "title", "description", "stock"];
    const draft = await openStoreDraft(connection, undefined, fields);
    await editCells(draft, [[2, STOCK, "41"]]);

    const run = await planStoreDraft(connection, draft, reportDir);

    const [row] = [...(await readRows(connection, run)).values()];
    expect(row?.payload).toEqual({ product_id: sandbox.products()[0]?.id, stock_count: 41 });
  });

  it("sends edited cells alone and holds those that others have changed, with both values", async () => {
    const { connection, draft, panel, codes, row, plan, send, updates, sandbox } =
      await openStore(3);
    const [first, second] = sandbox.products();
    const [price = 0, stock = 0] = [first?.price, second?.stock_count];
    await editCells(draft, [
      [row(0), PRICE, toCell(price + 100)],
      [row(1), STOCK, String(stock + 1)],
    ]);
    await panel.edit(codes[0] ?? "", { ...money(price + 50), title: "Theirs" });
    await panel.edit(codes[1] ?? "", { title: "Theirs too" });

    const run = await plan();
    const { run: applied } = await send(run);

    const rows = await readRows(connection, applied);
    expect(updates).toEqual([{ product_id: second?.id, stock_count: stock + 1 }]);
    expect(rows.get(row(0))).toMatchObject({ state: "held", issues: [{ code: "E_CHANGED" }] });
    const [issue] = rows.get(row(0))?.issues ?? [];
    expect(issue?.message.tr).toContain("Fiyat: açıldığında ");
    const { title } = sandbox.products()[1] ?? {};
    expect(title).toBe("Theirs too");
  });

  it("sends what a bulk change has made of all rows, exactly as it was previewed", async () => {
    const { draft, plan, send, updates, sandbox } = await openStore(4);
    const priceOf = new Map(sandbox.products().map(({ id, price }) => [String(id), price]));
    const before = await draft.rows([...(await draft.order())]);
    const { columns } = await draft.details();
    const title = columns?.columns.find(({ header }) => header === TITLE)?.index ?? -1;
    const changes: readonly BulkExchange["asked"]["change"][] = [
      { kind: "price", of: "list", by: "percent", value: "1.5" },
      { kind: "discount", give: { as: "percent", value: "5" } },
      { kind: "stock", how: "set", pieces: 40 },
      { kind: "template", column: title, template: "{brand} {title}" },
    ];
    for (const change of changes) {
      const { version } = await draft.details();
      await draft.bulk({ version }, { change, scope: {} }, "tr");
    }
    await send(await plan());

    const wanted = before.map(({ cells }) => ({
      product_id: cells.at(-1),
      title: `${cells.at(-2)} ${cells[1]}`,
      price: Math.floor(((priceOf.get(cells.at(-1) ?? "") ?? 0) * 1015 + 500) / 1000),
      has_discount: true,
      discount_type: 2,
      discount_value: 5,
      stock_count: 40,
    }));
    expect(new Set(updates)).toEqual(new Set(wanted));
  });

  it("ends the discounts that products have, and leaves the others as they are", async () => {
    const { draft, plan, send, updates, sandbox } = await openStore(3);
    const change = { kind: "discount", give: null } as const;
    const reduced = sandbox.products().filter((product) => product.has_discount);

    const preview = await draft.previewBulk({ change, scope: {} }, "tr");
    await draft.bulk({ version: 1 }, { change, scope: {} }, "tr");
    await send(await plan());

    expect(preview).toMatchObject({
      rows: reduced.length,
      left: [{ reason: { tr: "Satırda indirim yok" }, rows: 3 - reduced.length }],
    });
    expect(updates).toEqual(reduced.map(({ id }) => ({ product_id: id, has_discount: false })));
  });

  it("wants a value back that it has sent itself", async () => {
    const { connection, draft, row, plan, send, sandbox, panel, codes } = await openStore(2);
    const { title = "", stock_count: stock = 0 } = sandbox.products()[0] ?? {};
    await editCells(draft, [[row(0), TITLE, "Mug"]]);
    await send(await plan());
    await panel.edit(codes[0] ?? "", { stock_count: stock + 9 });
    await editCells(draft, [[row(0), TITLE, title]]);

    const again = await plan();
    await send(again);

    expect(await countsOf(connection, again)).toMatchObject({ updated: 1, held: 0 });
    expect(sandbox.products()[0]).toMatchObject({ title, stock_count: stock + 9 });
  });

  it("sends a held row that a person releases, and no field beside it", async () => {
    const { connection, draft, panel, codes, row, plan, send, sandbox } = await openStore(2);
    await editCells(draft, [[row(0), TITLE, "Mug"]]);
    await panel.edit(codes[0] ?? "", { title: "Theirs", stock_count: 9 });
    const run = await plan();
    const record = (await readRows(connection, run)).values().find(isHeld);
    if (record === undefined) throw new Error("no row is held");

    const decided = [{ record, release: { kind: "approve" } as const }];
    await releaseRows(connection, { run, decided, by: "ayşe" });
    await send(run);

    expect(await countsOf(connection, run)).toMatchObject({ updated: 1, unchanged: 1 });
    expect(sandbox.products()[0]).toMatchObject({ title: "Mug", stock_count: 9 });
  });

  it("retries what was refused, and not what others have changed since", async () => {
    const personality = { "update-stock": "refused" } as const;
    const { connection, draft, panel, codes, row, plan, send, updates, sandbox, reportDir } =
      await openStore(2, personality);
    await editCells(draft, [
      [row(0), STOCK, "901"],
      [row(1), STOCK, "902"],
      [row(1), TITLE, "Mug"],
    ]);
    const { run } = await send(await plan());
    await panel.edit(codes[0] ?? "", { title: "Theirs" });
    await panel.edit(codes[1] ?? "", { title: "Theirs too" });
    const sentBefore = updates.length;

    const settings = { tryRefused: true };
    const how = { command: "retry", lang: "tr", reportDir, settings } as const;
    const retry = await planRetry(connection, { run, ...how });
    await send(retry);

    expect(await countsOf(connection, run)).toMatchObject({ rejected: 2 });
    const [first] = sandbox.products();
    expect(updates.slice(sentBefore)).toEqual([{ product_id: first?.id, stock_count: 901 }]);
    expect(await countsOf(connection, retry)).toMatchObject({ rejected: 1, held: 1 });
    expect(sandbox.products()).toMatchObject([{ title: "Theirs" }, { title: "Theirs too" }]);
  });

  it("is neither there nor left behind where it cannot be made", async () => {
    const { connection, draft } = await openStore(1);
    const making = createStoreDraft(connection, { products: broken(), lang: "tr" });
    await expect(making).rejects.toThrow("the list is gone");
    const empty = createStoreDraft(connection, { products: none(), lang: "tr" });
    await expect(empty).rejects.toMatchObject({ code: "E_NO_ROWS" });

    expect((await openDrafts(connection).list()).map(({ id }) => id)).toEqual([draft.id]);
  });
});
