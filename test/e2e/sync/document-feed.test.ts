/** Feeds and files of XML and JSON: what a sync, a schedule, a plan and its sending make of them. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { type FeedLine, readStore } from "../../helpers/feed.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";

const lira = ({ priceMinor }: FeedLine): string => (priceMinor / 100).toFixed(2).replace(".", ",");

const restock = ({ code, stock, priceMinor }: FeedLine, by: number): FeedLine => ({
  code,
  stock: stock + by,
  priceMinor,
});

/** Products whose last one has no variants, and beside them sets, which have codes as well. */
function toXml(lines: readonly FeedLine[]): string {
  const variants = lines.slice(0, -1).map((line) => {
    const own = `<Kod>${line.code}</Kod><Stok>${line.stock}</Stok>`;
    return `<Urun no="1"><Fiyat>${lira(line)}</Fiyat><Varyantlar><Varyant>${own}</Varyant></Varyantlar></Urun>`;
  });
  const single = lines
    .slice(-1)
    .map(
      (line) =>
        `<Urun><Kod>${line.code}</Kod><Stok>${line.stock}</Stok><Fiyat>${lira(line)}</Fiyat></Urun>`,
    );
  const sets = "<Set><Kod>S-1</Kod><Stok>1</Stok></Set><Set><Kod>S-2</Kod><Stok>1</Stok></Set>";
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Katalog><Urunler>${[...variants, ...single].join("\n")}</Urunler><Setler>${sets}</Setler></Katalog>`;
}

const toLines = (lines: readonly FeedLine[]): string =>
  lines
    .map((line) => `${JSON.stringify({ kod: line.code, stok: line.stock, fiyat: lira(line) })}\n`)
    .join("");

const VARIANT = "Katalog/Urunler/Urun/Varyantlar/Varyant";

it("syncs XML and lines of JSON, asks for the record where it is not clear, and keeps it in a schedule", async () => {
  const store = await openTestStore({ products: 12 });
  const lines = readStore(store.sandbox);
  const at = (name: string): string => join(store.folder, name);
  const changed = (by: number): readonly FeedLine[] => {
    return lines.map((line, index) => (index % 3 === 2 ? restock(line, by) : line));
  };
  const sync = async (...words: readonly string[]): Promise<unknown> => {
    const { exit, counts, error } = await store.json("sync", ...words, "--price-unit", "minor");
    return [exit, counts?.updated, error?.code];
  };

  writeFileSync(at("stok.xml"), toXml(changed(1)));
  expect(await sync(at("stok.xml"))).toEqual([3, 0, "E_RECORD_CHOICE"]);
  const asked = await store.run("sync", at("stok.xml"), "--lang", "en");
  expect(asked.err).toContain(`“${VARIANT}” (11: Kod, Stok)`);
  expect(asked.err).toContain('--record "Katalog/Urunler/Urun');
  expect(await sync(at("stok.xml"), "--record", VARIANT)).toEqual([0, 4, undefined]);
  expect(readStore(store.sandbox)).toEqual(changed(1));

  writeFileSync(at("stok.ndjson"), toLines(changed(2)));
  expect(await sync(at("stok.ndjson"))).toEqual([0, 4, undefined]);
  expect(readStore(store.sandbox)).toEqual(changed(2));

  writeFileSync(at("stok.xml"), toXml(changed(3)));
  const schedule = ["schedule", "add", at("stok.xml"), "--cron", "0 4 * * *"] as const;
  const added = await store.run(...schedule, "--record", VARIANT, "--price-unit", "minor");
  expect(added.code).toBe(0);
  const { schedules } = JSON.parse((await store.run("schedule", "list", "--json")).out);
  const ran = await store.run("schedule", "run", String(schedules[0].id), "--json");
  expect([ran.code, readStore(store.sandbox)]).toEqual([0, changed(3)]);
});

it("plans and sends XML with the record that was named, and names a mistake by its record and path", async () => {
  const store = await openTestStore({ products: 4 });
  const lines = readStore(store.sandbox);
  const path = join(store.folder, "stok.xml");
  const changed = lines.map((line) => restock(line, 1));
  writeFileSync(
    path,
    toXml(changed).replace(`<Stok>${changed[1]?.stock}</Stok>`, "<Stok>çok</Stok>"),
  );

  const plan = await store.run(
    "plan",
    path,
    "--record",
    VARIANT,
    "--price-unit",
    "minor",
    "--lang",
    "en",
  );
  expect(plan.code).toBe(3);
  expect(plan.out).toContain("2 · Stok");
  expect(plan.out).toContain(
    `“çok” could not be read as a count. (${changed[1]?.code}, line 3 of the file)`,
  );
  expect(plan.out).toContain(`records "${VARIANT}"`);
  writeFileSync(path, toXml(changed));
  const fixed = ["plan", path, "--record", VARIANT, "--price-unit", "minor", "--json"] as const;
  const { run } = JSON.parse((await store.run(...fixed)).out);
  const sent = await store.run("apply", String(run), "--yes");

  expect([sent.code, readStore(store.sandbox)]).toEqual([0, changed]);
});
