import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { hasTerminal, startOnTerminal } from "../../helpers/processes/terminal-process.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";

const QUESTION = "Devam edilsin mi?";

describe("the question before sending", { timeout: 60_000 }, () => {
  // Needs a terminal, which `script` of util-linux provides.
  it.skipIf(!hasTerminal).each([
    ["y", "\r"],
    ["\re\r", "h"],
  ])(
    "drops the keys %j that were typed during planning, so that %j sends nothing",
    async (early, late) => {
      const shop = await openTestStore({ latencyMs: 30 });
      await writeWorkbook(shop.folder, "a.xlsx", goodRows(3));
      const terminal = startOnTerminal(shop, "import", "a.xlsx", "--lang", "tr");

      terminal.type(early);
      await terminal.shows(QUESTION);
      terminal.type(late);

      const { code, screen } = await terminal.finished;
      expect(screen).toContain("Gönderilmedi.");
      expect([code, shop.sandbox.stats().adds]).toEqual([0, 0]);
    },
  );

  it.skipIf(!hasTerminal)("sends after the key e, typed after the question is shown", async () => {
    const shop = await openTestStore();
    await writeWorkbook(shop.folder, "a.xlsx", goodRows(2));
    const terminal = startOnTerminal(shop, "import", "a.xlsx", "--lang", "tr");

    await terminal.shows(QUESTION);
    terminal.type("e");

    const { code } = await terminal.finished;
    expect([code, shop.sandbox.stats().adds]).toEqual([0, 2]);
  });
});
