import { openDrafts } from "@catalog/importer";
import { describe, expect, it } from "vitest";

import { planCommand } from "../src/commands/plan/index.ts";
import { type CommandHarness, createCommandHarness } from "./helpers/command-harness.ts";
import { startMarketplaceServer } from "./helpers/marketplace-server.ts";

/** A draft whose wrong cell is corrected. */
async function correctDraft({ write, open }: CommandHarness): Promise<string> {
  const path = write("stok.csv", "Ürün Kodu;Stok\nKOD-1;yedi\n");
  await using connection = await open();
  const file = { path, name: "Kış stoku.csv", sha256: "0a", bytes: 9 };
  const drafts = openDrafts(connection);
  const { id } = await drafts.create(file);
  const live = await drafts.open(id);
  await live.check();
  await live.edit({ version: 1 }, [{ row: 2, column: 1, value: "7" }]);
  return id;
}

describe("catalog plan draft:ID", () => {
  it("plans the corrected cells of a draft under the name of its file", async () => {
    const { baseUrl } = await startMarketplaceServer();
    const harness = createCommandHarness({ baseUrl, lang: "tr" });
    const id = await correctDraft(harness);

    const exit = await planCommand.run(harness.context, { file: `draft:${id}` });

    expect(exit).toBe(0);
    expect(harness.terminal.written.out).toContain("Kış stoku.csv");
    expect(harness.terminal.written.out).toContain("Stok");
  });

  it("refuses flags that the draft has settings for, and a draft that is not there", async () => {
    const harness = createCommandHarness();
    const plan = (flags: Record<string, string>): Promise<unknown> =>
      planCommand.run(harness.context, { file: "draft:d-1", ...flags });

    await expect(plan({ decimal: "comma" })).rejects.toMatchObject({ code: "E_USAGE" });
    await expect(plan({})).rejects.toMatchObject({ code: "E_DRAFT_UNKNOWN" });
  });
});
