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
});
