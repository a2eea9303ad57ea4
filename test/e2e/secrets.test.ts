import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, it } from "vitest";

import { filesIn, findCanaries, findInFile, findLeaks } from "../helpers/canaries.ts";
import { runCatalog } from "../helpers/catalog-process.ts";
import { goodRow, goodRows, writeWorkbook } from "../helpers/product-sheet.ts";
import { openShop } from "../helpers/shop.ts";

// Every test that opens a shop looks for secrets in what was printed and in what was written; these
// make sure that there is something to find, and that it would be found.
describe("secrets", { timeout: 120_000 }, () => {
  it("are in the token cache and nowhere else, whatever a command comes to", async () => {
    const shop = await openShop();
    const file = await writeWorkbook(shop.folder, "a.xlsx", [
      ...goodRows(3),
      goodRow(4, { "Fiyat *": "x" }),
    ]);

    await shop.start("import", file, "--yes", "--json").finished;
    await shop.run("import", file, "--yes");
    await shop.run("runs");
    await shop.start("import", join(shop.folder, "yok.xlsx"), "--yes").finished;

    const holding = filesIn(shop.folder).filter((path) => findInFile(path).length > 0);
    expect(findCanaries(shop.sandbox.clientSecret)).toEqual(["sandbox-secret:"]);
    expect(new Set(holding.map((path) => path.replace(/-(?:wal|shm)$/u, "")))).toEqual(
      new Set([join(shop.folder, "home", "catalog.db")]),
    );
    expect(findLeaks(shop.folder)).toEqual([]);
  });

  it("are not shown when the login fails", async () => {
    const shop = await openShop();
    const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(1));

    const { code } = await runCatalog(["import", file, "--yes", "--json"], {
      cwd: shop.folder,
      env: { ...shop.env, CATALOG_CLIENT_SECRET: "sandbox-secret:7f3a" },
    });

    expect(code).toBe(4);
    expect(filesIn(shop.folder).flatMap(findInFile)).toEqual([]);
  });

  it("would be found in a file, in an address, and in another table of the database", async () => {
    const { folder, run } = await openShop();
    await run("lookup", "templates");
    const leaky = join(folder, "home", "leaky");
    mkdirSync(leaky);
    const leaks: string[] = [];
    const note = (): void => {
      leaks.push(...findLeaks(leaky).map((leak) => leak.replace(leaky, "")));
    };

    writeFileSync(join(leaky, "report.csv"), "x;?access_token=sandbox-token%3A1f2e3d4c");
    note();
    writeFileSync(join(leaky, "report.csv"), "nothing");
    writeFileSync(join(leaky, "login.json"), '{"clientSecret":"sandbox-secret:1f2e3d4c"}');
    note();
    writeFileSync(join(leaky, "login.json"), "{}");
    using database = new DatabaseSync(join(leaky, "catalog.db"));
    database.exec(
      "CREATE TABLE token (t TEXT); INSERT INTO token VALUES ('sandbox-token:1f2e3d4c')",
    );
    note();
    database.exec("CREATE TABLE run (t TEXT); INSERT INTO run VALUES ('sandbox-token:1f2e3d4c')");
    note();
    database.exec("DELETE FROM run; DELETE FROM token; VACUUM");

    expect(leaks).toEqual([
      "sandbox-token: in /report.csv",
      "sandbox-token: of table run in /catalog.db",
    ]);
  });
});
