import { readFileSync } from "node:fs";

import type { RulesView } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openRecordingMarket, type RecordedCall } from "../../helpers/markets/recording-market.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import {
  goodRow,
  HEADERS,
  type ProductRow,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";
import { planDraft, sendRun, uploadDraft, waitForDraft } from "../../helpers/web/drafts.ts";
import { openWeb } from "../../helpers/web/open-web.ts";
import { postBody } from "../../helpers/web/runs.ts";

interface RecordedStore extends TestStore {
  readonly calls: readonly RecordedCall[];
}

/** A store whose calls are kept; two of them give the same ids. */
async function openRecorded(): Promise<RecordedStore> {
  const shop = await openTestStore({ products: 6 });
  const { baseUrl, calls } = await openRecordingMarket(shop.sandbox);
  const store = { ...shop.at({ CATALOG_BASE_URL: baseUrl }), calls };
  await writeConfig(store, { priceUnit: "minor" });
  return store;
}

const CODE = "Ürün Kodu *";
const BRAND = "Marka *";
const TEMPLATE = "Teslimat Şablonu *";
const UNKNOWN = "Hiç Duyulmamış";

/** New products, one of them of an unknown brand; changes and no change; a bad row; a held price. */
function rowsOf({ sandbox }: TestStore): readonly ProductRow[] {
  const [one, two, three, four] = sandbox.products();
  if (one === undefined || two === undefined || three === undefined || four === undefined) {
    throw new Error("the store is empty");
  }
  return [
    ...[1, 2, 3].map((number) => goodRow(number)),
    goodRow(4, { [BRAND]: UNKNOWN }),
    goodRow(5, { "Fiyat *": "on iki" }),
    { [CODE]: one.product_code, "Stok *": one.stock_count + 3 },
    { [CODE]: two.product_code, "Fiyat *": (two.price + 100) / 100 },
    { [CODE]: three.product_code, "Stok *": three.stock_count },
    { [CODE]: four.product_code, "Fiyat *": four.price / 1000 },
  ];
}

const quote = (cell: ProductRow[string]): string => `"${String(cell ?? "").replaceAll('"', '""')}"`;

/** The rows as a table without one of their columns. */
function toCsvWithout(rows: readonly ProductRow[], left: string): string {
  const headers = HEADERS.filter((header) => header !== left);
  const lines = rows.map((row) => headers.map((header) => quote(row[header] ?? null)).join(";"));
  return [headers.join(";"), ...lines, ""].join("\n");
}

/** Changes of the store; the order of calls that are made at the same time is not fixed. */
const writesOf = ({ calls }: RecordedStore): readonly string[] =>
  calls
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, body }) => `${method} ${path} ${body}`)
    .toSorted();

/**
 * What was asked for, each once. An import plans and sends in one process, and the page in two, so
 * that the listing is read in both; names are read page by page until the wanted one is found, and
 * products are named together or apart. A listing by date is not counted: it is read where the last
 * one is older than ten seconds.
 */
const readsOf = ({ calls }: RecordedStore): readonly string[] => {
  const asked = calls
    .filter(({ method, path }) => method === "GET" && !path.includes("start_date="))
    .map(({ path }) => path.replaceAll(/(?:limit|page)=\d+&?/gu, ""))
    .flatMap((path) => {
      const ids = /ids=([^&]*)/u.exec(path)?.[1]?.split("%2C") ?? [""];
      return ids.map((id) => path.replace(/ids=[^&]*/u, `ids=${id}`));
    });
  return [...new Set(asked)].toSorted();
};

describe("what the page asks the marketplace", () => {
  it("matches an import of the same file with the same answers, call for call", async () => {
    const [page, terminal] = [await openRecorded(), await openRecorded()];
    const answer = { field: "brand", value: UNKNOWN, target: String(goodRow(4)[BRAND]) };
    const file = await writeWorkbook(page.folder, "urunler.xlsx", rowsOf(page));
    const session = await (await openWeb(page)).openSession();

    await postBody<RulesView>(session, "/rules", answer);
    const draft = await uploadDraft(session, "urunler.xlsx", readFileSync(file));
    const sent = await sendRun(session, await planDraft(session, draft));
    await terminal.run("rules", "add", answer.field, answer.value, answer.target);
    const imported = await terminal.json("import", file, "--yes");

    const counts = { added: 4, updated: 2, unchanged: 1, invalid: 1, held: 1 };
    expect(sent.counts).toMatchObject(counts);
    expect(imported).toMatchObject({ counts });
    expect(writesOf(page).length).toBeGreaterThan(6);
    expect(writesOf(page)).toEqual(writesOf(terminal));
    expect(readsOf(page)).toEqual(readsOf(terminal));
  });

  it("gives new products the value for new ones alone, as an import with the same default", async () => {
    const [page, terminal] = [await openRecorded(), await openRecorded()];
    const [listed] = page.sandbox.products();
    const value = String(goodRow(1)[TEMPLATE]);
    const rows = [goodRow(1), { [CODE]: listed?.product_code ?? "", "Stok *": 77 }];
    const file = writeText(page.folder, "urunler.csv", toCsvWithout(rows, TEMPLATE));
    const session = await (await openWeb(page)).openSession();

    const { id, version } = await uploadDraft(session, "urunler.csv", readFileSync(file));
    const defaults = { shipping_template: value };
    await session.call("PUT", `/drafts/${id}/columns`, { version, defaults });
    const draft = await waitForDraft(session, id);
    await sendRun(session, await planDraft(session, draft));
    await terminal.run("rules", "default", "Teslimat Şablonu", value);
    await terminal.run("import", file, "--yes");

    expect(draft.columns).toMatchObject({ defaults, missing: [{ key: "shipping_template" }] });
    const changed = writesOf(page).filter((call) => call.includes("/product"));
    expect(changed.map((call) => call.includes("shipping_template_id"))).toEqual([true, false]);
    expect(writesOf(page)).toEqual(writesOf(terminal));
  });
});
