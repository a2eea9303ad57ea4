import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";

const ROWS = ["KOD-1;12,50", "KOD-2;13", "KOD-3;14"];

function writeTable(shop: TestStore, name: string, lines: readonly string[]): string {
  const path = join(shop.folder, name);
  writeFileSync(path, ["Ürün Kodu;Fiyat", ...lines, ""].join("\n"));
  return path;
}

/** Writes the configuration file, and confirms it. */
async function configure(shop: TestStore, limits: unknown): Promise<void> {
  writeFileSync(join(shop.folder, "catalog.config.json"), JSON.stringify({ limits }));
  expect((await shop.run("trust", "--yes")).code).toBe(0);
}

describe("a limit of the configuration", () => {
  it.each([
    ["rows", 2, "E_TOO_MANY_ROWS", { tr: "2 satırdan uzun", en: "more than 2 rows" }],
    ["columns", 1, "E_TOO_MANY_COLUMNS", { tr: "1 sütundan", en: "beyond column 1" }],
    ["cellChars", 3, "E_CELL_TOO_LONG", { tr: "3 karakterden", en: "longer than 3" }],
  ] as const)("refuses a file with too many: %s", async (name, max, code, { tr, en }) => {
    const shop = await openTestStore();
    const file = writeTable(shop, "liste.csv", ROWS);
    await configure(shop, { [name]: max });

    const document = await shop.run("plan", file, "--json");
    const turkish = await shop.run("plan", file, "--lang", "tr");
    const english = await shop.run("plan", file, "--lang", "en");

    expect([document.code, JSON.parse(document.out)]).toMatchObject([3, { error: { code } }]);
    expect(turkish.err).toContain(tr);
    expect(turkish.err).toContain(`catalog.config.json içinde limits.${name} değerini yükseltin`);
    expect(english.err).toContain(en);
    expect(english.err).toContain(`raise limits.${name} in catalog.config.json`);
    expect(shop.sandbox.stats().requests).toBe(0);
  });

  it("refuses a larger file, a feed and a JSON feed", async () => {
    const shop = await openTestStore();
    const large = writeTable(shop, "liste.csv", [`KOD-1;${" ".repeat(1_100_000)}5`]);
    const feed = writeTable(shop, "besleme.csv", ROWS);
    const json = join(shop.folder, "besleme.json");
    writeFileSync(json, JSON.stringify(ROWS.map((code) => ({ product_code: code, stock: 1 }))));
    await configure(shop, { rows: 2, fileMb: 1 });

    const outputs = [
      await shop.run("plan", large, "--lang", "en"),
      await shop.run("sync", feed, "--lang", "en"),
      await shop.run("sync", json, "--lang", "en"),
    ];

    expect(outputs.map(({ err }) => /limits\.\w+/u.exec(err)?.[0])).toEqual([
      "limits.fileMb",
      "limits.rows",
      "limits.rows",
    ]);
  });

  it("lets a file through that the default refuses", async () => {
    const shop = await openTestStore();
    const wide = Array.from({ length: 301 }, (_, index) => `Not ${index}`).join(";");
    const path = join(shop.folder, "genis.csv");
    writeFileSync(path, `Ürün Kodu;Fiyat;${wide}\nKOD-1;5;${wide}\n`);

    const before = await shop.run("plan", path, "--json");
    await configure(shop, { columns: 400 });
    const after = await shop.run("plan", path, "--json");

    expect(JSON.parse(before.out)).toMatchObject({ error: { code: "E_TOO_MANY_COLUMNS" } });
    expect(JSON.parse(after.out)).toMatchObject({ counts: { rows: 1 } });
  });

  it("must be a number in its range, and is named where it is not", async () => {
    const shop = await openTestStore();
    const file = writeTable(shop, "liste.csv", ROWS);
    for (const [limits, name] of [
      [{ rows: 0 }, "limits.rows"],
      [{ zipRatio: "many" }, "limits.zipRatio"],
      [{ satir: 5 }, "satir"],
    ] as const) {
      writeFileSync(join(shop.folder, "catalog.config.json"), JSON.stringify({ limits }));

      const { code, err } = await shop.run("plan", file);

      expect([code, err.includes(name)]).toEqual([2, true]);
    }
  });

  it("counts only once the configuration file is confirmed", async () => {
    const shop = await openTestStore();
    const file = writeTable(shop, "liste.csv", ROWS);
    const folder = join(shop.folder, "proje");
    mkdirSync(folder);
    writeFileSync(join(shop.folder, "catalog.config.json"), '{"limits":{"rows":2000000}}');

    const { code, out } = await shop.run("plan", file, "--json");

    expect([code, JSON.parse(out)]).toMatchObject([2, { error: { code: "E_CONFIG_UNTRUSTED" } }]);
  });
});
