import { UsageError } from "@catalog/toolkit";
import { describe, expect, it } from "vitest";

import { importCommand } from "../../src/commands/import.ts";
import { retryCommand } from "../../src/commands/retry.ts";
import { startMarket } from "../helpers/market.ts";
import { createWorkplace, type Workplace } from "../helpers/workplace.ts";

const SHEET = "Kod no;Adet\nKOD-1;7\n";

/** The id of the newest run. */
async function newestRun({ open }: Workplace): Promise<string> {
  await using toolkit = await open();
  return (await toolkit.runLog.list(1))[0]?.id ?? "";
}

describe("catalog retry", () => {
  it("plans the refused row again in a new run, as its columns were understood before", async () => {
    const { baseUrl, updates } = await startMarket({ refusals: 1 });
    const place = createWorkplace({ baseUrl, answer: true, lang: "tr" });
    const file = place.write("stok.csv", SHEET);
    const map = ["Kod no=product_code", "Adet=stock"];
    const exit = await importCommand.run(place.context, { file, map, "max-errors": "5" });
    expect(exit).toBe(5);
    const run = await newestRun(place);
    place.write("stok.csv", "another;file\n1;2\n");

    const again = await retryCommand.run(place.context, { run });

    expect(again).toBe(0);
    expect(updates).toEqual([
      { product_id: "p-1", stock_count: 7 },
      { product_id: "p-1", stock_count: 7 },
    ]);
    await using toolkit = await place.open();
    const runs = await toolkit.runLog.list(9);
    const newest = runs.find(({ command }) => command === "retry");
    expect(newest).toMatchObject({ settings: { retryOf: run, maxErrors: "5" } });
    expect(await toolkit.journal.readRows(newest?.id ?? "", { limit: 9 })).toMatchObject([
      { row: 2, cells: ["KOD-1", "7"], state: "done" },
    ]);
  });

  it("has nothing to do where nothing was refused", async () => {
    const { baseUrl, updates } = await startMarket();
    const place = createWorkplace({ baseUrl, answer: true });
    await importCommand.run(place.context, {
      file: place.write("a.csv", "Ürün Kodu;Stok\nKOD-1;7\n"),
    });
    const run = await newestRun(place);

    expect(await retryCommand.run(place.context, { run })).toBe(0);

    expect(place.terminal.written.err).toContain("no rejected rows");
    expect(updates).toHaveLength(1);
    expect(await newestRun(place)).toBe(run);
  });

  it("wants --yes where nobody can be asked", async () => {
    const { context } = createWorkplace();

    await expect(retryCommand.run(context, { run: "r-1" })).rejects.toThrow(UsageError);
  });
});
