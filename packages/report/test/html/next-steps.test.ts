import { createTestConnection, storeRun } from "@catalog/connection/testing";
import { toCounts } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { formatNextSteps, listNextSteps } from "../../src/html/next-steps.ts";

async function openRun() {
  const { connection } = await createTestConnection();
  const run = await storeRun(connection, { header: ["Kod"], rows: [], reportDir: "/veri/son uç" });
  return { run, none: toCounts([]) };
}

describe("what to do next", () => {
  it("is to send what is left, to correct, and to decide, in this order", async () => {
    const { run, none } = await openRun();

    const counts = { ...none, pending: 4, invalid: 2, held: 3 };
    const steps = listNextSteps(run, { counts, unsure: 2 });

    expect(steps.map(({ command }) => command)).toEqual([
      expect.stringContaining(run.id),
      'catalog import "/veri/son uç/failed.xlsx"',
      `catalog release ${run.id} --approved "/veri/son uç/held.xlsx"`,
      `catalog release ${run.id}`,
    ]);
  });

  it("does not say of every row that the file cannot approve that the store may lack it", async () => {
    const { run, none } = await openRun();

    const [step] = listNextSteps(run, { counts: { ...none, held: 1 }, unsure: 1 });

    expect(step?.text).toEqual({
      tr: "1 satır, ürünü mağazada olabileceği ya da pazaryeri her denemede geri çevirdiği için bekliyor; hangisi olduğu “Nedenler” bölümünde. Panelden bakın, sonra karar verin.",
      en: "1 row waits because the store may have the product, or the marketplace refused it each time; “Reasons” says which. Look at the panel, then decide.",
    });
  });

  it("is never to import the rows of a feed again", async () => {
    const { run, none } = await openRun();

    const counts = { ...none, invalid: 2 };
    expect(listNextSteps({ ...run, kind: "sync" }, { counts, unsure: 0 })).toEqual([]);
  });

  it("shows a name of the file as text, whatever it holds", async () => {
    const { run, none } = await openRun();
    const name = { field: "brand", column: "Marka", value: "<b>&", choices: [], rows: 1 };
    const columns = { profile: null, columns: {}, chosen: [], constants: {}, decimal: null };
    const planned = { add: 0, update: 0, unchanged: 0, invalid: 1, duplicate: 0, held: 0 };
    const facts: typeof run.facts = {
      readBy: "listing",
      priceUnit: "minor",
      planned: { ...planned, requests: 0, seconds: 0 },
      reading: { notes: [], openNames: [name], columns },
    };

    const html = formatNextSteps(
      { ...run, facts },
      { counts: none, unsure: 0 },
      "npx catalog-toolkit",
    );

    expect(html).toContain("“&lt;b&gt;&amp;” mağazadaki");
    expect(html).toContain("npx catalog-toolkit rules add Marka &quot;&lt;b&gt;&amp;&quot;");
    expect(html).not.toContain("<b>");
  });

  it("is nothing where every row is settled", async () => {
    const { run, none } = await openRun();

    expect(formatNextSteps(run, { counts: none, unsure: 0 })).toContain("Yapılacak bir şey yok");
  });
});
