/** The supplier of a price rule, which means the same in every command. */

import { createServer } from "node:http";

import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { addMissedSchedule } from "../../helpers/note-schedule.ts";
import { formatCsv, goodRow, writeText } from "../../helpers/product-sheet.ts";

/** Serves what `body` returns at every path of an address. */
async function serve(body: () => string): Promise<string> {
  const server = createServer((_, response) => void response.end(body()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const place = server.address();
  return `127.0.0.1:${typeof place === "object" && place !== null ? place.port : 0}`;
}

async function saveRules(shop: TestStore, ...lines: readonly string[]): Promise<void> {
  const sheet = writeText(shop.folder, "kurallar.csv", lines);
  expect(await shop.json("rules", "price", "import", sheet)).toMatchObject({ exit: 0 });
}

const stateOf = ({ sandbox }: TestStore): readonly unknown[] =>
  sandbox.products().map(({ price, stock_count: stock }) => [price, stock]);

const product = (number: number, price: number) =>
  goodRow(number, { "Fiyat *": price, "Stok *": 20 });

describe("a rule for a supplier", () => {
  it.each([
    ["the whole address", (host: string) => `http://${host}/dis/acme.csv?token=BASKA`],
    ["the host", () => "127.0.0.1"],
    ["the host with its port, in part", (host: string) => host.replace("127", "*")],
    ["the name of its file", () => "ACME"],
  ])("holds by %s in imports, syncs, schedules and drafts", async (_, nameIn) => {
    const shop = await openTestStore();
    let rows = [product(1, 100)];
    const host = await serve(() => formatCsv(rows));
    const link = `http://${host}/dis/acme.csv?token=GIZLI`;
    const allow = ["--allow-host", host];
    const quiet = ["--images", "off", "--no-verify"];
    await saveRules(
      shop,
      "No;Tedarikçi;Kâr ekle %;Yuvarlama;Stok payı",
      `1;${nameIn(host)};10;,90;2`,
    );

    const imported = await shop.json("import", link, "--yes", ...allow, ...quiet);
    const first = stateOf(shop);
    rows = [product(1, 101), product(2, 200)];
    const synced = await shop.json(
      "sync",
      link,
      ...allow,
      "--adds",
      "draft",
      "--price-unit",
      "minor",
    );
    const sent = await shop.json("import", `draft:${synced.draft}`, "--yes", ...quiet);
    const second = stateOf(shop);
    rows = [product(1, 102), product(2, 201)];
    const schedule = await addMissedSchedule(shop, link, { "allow-host": [host] });
    const scheduled = await shop.json("sync", `schedule:${schedule}`);

    expect(imported).toMatchObject({ exit: 0, counts: { added: 1 } });
    expect(first).toEqual([[110_90, 18]]);
    expect(synced).toMatchObject({ exit: 0, drafted: 1, counts: { updated: 1 } });
    expect(sent).toMatchObject({ exit: 0, counts: { added: 1 } });
    expect(second).toEqual([
      [111_90, 18],
      [220_90, 18],
    ]);
    expect(scheduled).toMatchObject({ exit: 0 });
    expect(stateOf(shop)).toEqual([
      [112_90, 18],
      [221_90, 18],
    ]);
  });
});
