import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";

describe("a file that is missing", { timeout: 60_000 }, () => {
  it.each([
    ["import", "E_FILE_MISSING", ["import", "yok.xlsx"]],
    ["plan", "E_FILE_MISSING", ["plan", "yok.xlsx"]],
    ["rules import", "E_FILE_MISSING", ["rules", "import", "yok.csv"]],
    ["release", "E_FILE_MISSING", ["release", "r-1", "--approved", "yok.xlsx"]],
    ["sync", "E_FEED_MISSING", ["sync", "yok.csv"]],
  ])("is told first by %s, before a login or --yes is missing", async (_name, code, args) => {
    const shop = await openTestStore();
    const nameless = { CATALOG_BASE_URL: "", CATALOG_CLIENT_KEY: "" };

    const { out } = await callCatalog([...args, "--json"], {
      env: { ...shop.env, ...nameless },
      cwd: shop.folder,
    });

    expect(JSON.parse(out)).toMatchObject({ error: { code } });
  });

  it.each([
    ["release", "E_RUN_UNKNOWN", ["release", "r-1", "--cancel"]],
    ["release --approved", "E_RUN_UNKNOWN", ["release", "r-1", "--approved", "held.xlsx"]],
    ["release --approved --rows", "E_USAGE", ["release", "r-1", "--approved", "a", "--rows", "2"]],
    ["retry", "E_RUN_UNKNOWN", ["retry", "r-1"]],
    ["undo", "E_RUN_UNKNOWN", ["undo", "r-1"]],
  ])("is a run that is unknown, which %s tells before --yes is missing", async (_, code, args) => {
    const shop = await openTestStore();
    writeFileSync(join(shop.folder, "held.xlsx"), "");

    const { out } = await callCatalog([...args, "--json"], { env: shop.env, cwd: shop.folder });

    expect(JSON.parse(out)).toMatchObject({ error: { code } });
  });
});
