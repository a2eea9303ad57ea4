import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { readDocument } from "../../helpers/call-catalog.ts";
import { fillIn } from "../../helpers/fill-in.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { PLACES, startWorker } from "../../helpers/processes/worker-process.ts";
import { columnOf, readTable } from "../../helpers/read-table.ts";

const FAULTS = [
  { kind: "reset-after", endpoint: "question.reply", rate: 0.2 },
  { kind: "reset-before", endpoint: "question.reply", rate: 0.1 },
  { kind: "error-after", endpoint: "question.reply", rate: 0.1 },
] as const;

describe.each(PLACES)("queued answers on $name", ({ isOn, open }) => {
  it.skipIf(!isOn)("are sent by a worker, each once, whatever becomes of its answer", async () => {
    const shop = await openTestStore({
      questions: { count: 40, answeredPercent: 0 },
      faults: FAULTS,
    });
    const [here] = await open(shop);
    const from = join(shop.folder, "sorular.xlsx");
    await here.run("export", "questions", "--out", from, "--lang", "tr");
    const file = join(shop.folder, "dolu.xlsx");
    await fillIn({ from, to: file, fill: (_, n) => ({ Yanıt: `Yanıt ${n}` }) });
    const worker = startWorker(here);

    const sent = readDocument(await here.run("answer", file, "--queue", "--yes", "--json"));
    await worker.end();
    const back = join(shop.folder, "sonra.xlsx");
    await here.run("export", "questions", "--out", back, "--lang", "tr");

    const { updated, held } = sent.counts;
    expect([sent.command, updated + held]).toEqual(["answer", 40]);
    const table = await readTable(back);
    const answers = columnOf(table, "Yanıt").filter((text) => text !== null && text !== "");
    expect(answers).toHaveLength(updated);
    expect(new Set(answers).size).toBe(updated);
    // The store shows each answer, so that only what was not carried out waits.
    expect(shop.sandbox.inspect().repeatedEffects).toEqual({});
  });
});
