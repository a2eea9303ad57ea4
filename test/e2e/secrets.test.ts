import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { goodRow, goodRows, writeWorkbook } from "../helpers/product-sheet.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

/** Every file below a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A token as the sandbox hands it out, for searching. */
async function currentToken({ sandbox }: Shop): Promise<string> {
  const answer = await fetch(`${sandbox.baseUrl}/app/auth/access`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_key: sandbox.clientKey, client_secret: sandbox.clientSecret }),
  });
  const { data } = JSON.parse(await answer.text());
  return data.access_token;
}

describe("secrets", { timeout: 30_000 }, () => {
  it("are in no output and no file but the token cache", async () => {
    const shop = await openShop();
    const file = await writeWorkbook(shop.folder, "a.xlsx", [
      ...goodRows(3),
      goodRow(4, { "Fiyat *": "x" }),
    ]);
    const secret = shop.sandbox.clientSecret;

    const outputs = [
      await shop.run("import", file, "--yes", "--json"),
      await shop.run("import", file, "--yes"),
      await shop.run("runs"),
      await shop.run("import", join(shop.folder, "yok.xlsx"), "--yes"),
    ];

    const token = await currentToken(shop);
    const printed = outputs.map(({ out, err }) => out + err).join("\n");
    const tokens = printed.match(/access_token=[^…\s]+/gu);
    expect(printed).not.toContain(secret);
    expect(printed).not.toContain(token);
    expect(tokens).toBeNull();
    for (const path of filesIn(shop.folder)) {
      const bytes = readFileSync(path);
      expect(bytes.includes(secret), path).toBe(false);
      if (!path.includes(`${shop.folder}/home/catalog.db`)) {
        expect(bytes.includes("access_token"), path).toBe(false);
      }
    }
  });

  it("are not shown when the login fails", async () => {
    const shop = await openShop();
    const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(1));
    const wrong = "SECRET-CANARY-7f3a";
    const { runCatalog } = await import("../helpers/catalog-process.ts");

    const { code, out, err } = await runCatalog(["import", file, "--yes", "--json"], {
      cwd: shop.folder,
      env: { ...shop.env, CATALOG_CLIENT_SECRET: wrong },
    });

    expect(code).toBe(4);
    expect(out + err).not.toContain(wrong);
    expect(filesIn(shop.folder).filter((path) => readFileSync(path).includes(wrong))).toEqual([]);
  });
});
