import { createTestConnection } from "@catalog/connection/testing";
import { createReadFieldTexts } from "@catalog/report";
import { type RowEvent, type RowRecord, STATE_TABLE } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { explainCommand } from "../../src/commands/explain/index.ts";
import { formatExplanation, toExplanation } from "../../src/commands/explain/run.ts";
import { adviseOn, describeCause } from "../../src/commands/explain/texts.ts";
import { createCommandHarness } from "../helpers/command-harness.ts";
import { createRun } from "../helpers/run-parts.ts";
import { storeUndo } from "../helpers/store-undo.ts";

it("states of a row that it was undone, when and by which run", async () => {
  const harness = createCommandHarness({ lang: "en" });
  const { run, undo } = await storeUndo(harness);

  await explainCommand.run(harness.context, { run, row: "2" });

  const text = harness.terminal.written.out.replaceAll(/\s+/gu, " ");
  expect(text).toMatch(new RegExp(`Undone on [^()]+ \\(${undo}\\): Price`, "u"));
});

it("names the undo of a row in the document", async () => {
  const harness = createCommandHarness({ json: true });
  const { run, undo } = await storeUndo(harness);

  await explainCommand.run(harness.context, { run, row: "2" });

  const { undone_by: undoneBy } = JSON.parse(harness.terminal.written.out);
  expect(undoneBy).toMatchObject({ run: undo, fields: ["price"] });
  expect(undoneBy.at).toMatch(/^\d{4}-\d{2}-\d{2}T/u);
});

it("says nothing of an undo that has left the row alone", async () => {
  const harness = createCommandHarness({ lang: "tr" });
  const { run, undo } = await storeUndo(harness);

  await explainCommand.run(harness.context, { run, row: "3" });

  expect(harness.terminal.written.out).not.toContain(undo);
});

const RUN = createRun();

const RECORD: RowRecord = {
  row: 7,
  cells: ["KOD-7", 12.5],
  code: "KOD-7",
  codeKey: "KOD-7",
  state: "ambiguous",
  action: "update",
  productId: null,
  payload: null,
  changes: [
    { field: "price", old: 1000, new: 1250 },
    { field: "stock_count", new: 3 },
  ],
  issues: [],
  attempts: 1,
  note: null,
  updatedAtMs: 0,
};

const event = (change: Partial<RowEvent>): RowEvent => ({
  runId: RUN.id,
  row: 7,
  seq: 1,
  from: "ready",
  to: "sending",
  cause: "begin",
  evidence: {},
  atMs: 0,
  ...change,
});

const EVENTS = [
  event({ from: "parsed", to: "ready", cause: "plan" }),
  event({}),
  event({
    from: "sending",
    to: "ambiguous",
    cause: "untrusted-status-422",
    evidence: { phase: "body", status: 422, found: [], words: "Fiyat hatalı" },
  }),
];

type FieldNames = NonNullable<Parameters<ReturnType<typeof createReadFieldTexts>>[1]>["names"];

async function createEvidence(record = RECORD, names: FieldNames = new Map()) {
  const { connection } = await createTestConnection();
  const texts = await createReadFieldTexts(connection, RUN)(record, { names, showsIds: true });
  return { run: RUN, record, events: EVENTS, held: null, texts };
}

describe("formatExplanation", () => {
  it("shows what was read, planned and done, and the next step", async () => {
    const text = formatExplanation(await createEvidence(), "tr", { outColumns: 80 });

    expect(text).toContain("Satır       7 · KOD-7");
    expect(text).toContain("Durum       sonucu belirsiz");
    expect(text).toContain("Fiyat *              12.5");
    expect(text).toContain("Fiyat                10,00 → 12,50");
    expect(text).toContain("Stok                 bilinmiyor → 3");
    expect(text).toContain("istek nereye kadar gitti: yanıtın tamamı geldi");
    expect(text).toContain("Pazaryeri 422 yanıtı verdi; doğruluğu aranacak");
    expect(text).toMatch(/pazaryerinin sözü: Fiyat\s+hatalı/u);
    expect(text).toContain(`Sürdürün: catalog resume ${RUN.id}`);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("names ids whose names are known, and says of the others that they are not", async () => {
    const [category, brand] = ["c".repeat(24), "b".repeat(24)];
    const changes = [
      { field: "category_id", old: category, new: brand },
      { field: "brand_model", old: brand, new: "Serbest yazı" },
    ];
    const names = new Map([[category, "Giyim > Elbise"]]);
    const named = await createEvidence({ ...RECORD, changes }, names);

    const text = formatExplanation(named, "tr", {});

    expect(text).toContain(`Giyim > Elbise (ID ${category}) → bilinmiyor (ID ${brand})\n`);
    expect(text).toContain(`bilinmiyor (ID ${brand}) → Serbest yazı\n`);
  });

  it("writes it in English, too", async () => {
    const text = formatExplanation(await createEvidence(), "en", { outColumns: 80 });

    expect(text).toContain("State       outcome unknown");
    expect(text).toContain("The marketplace answered 422; to be verified by a look");
    expect(text).toMatch(/marketplace's words:\s+Fiyat\s+hatalı/u);
    expect(text).not.toContain("found:");
  });
});

describe("toExplanation", () => {
  it("holds the whole evidence", async () => {
    expect(toExplanation(await createEvidence(), "en")).toMatchObject({
      command: "explain",
      row: 7,
      state: "ambiguous",
      cells: [
        { column: "Ürün Kodu *", value: "KOD-7" },
        { column: "Fiyat *", value: 12.5 },
      ],
      events: [{ cause: "plan" }, { cause: "begin" }, { evidence: { status: 422, found: [] } }],
      next: `Go on with the run: catalog resume ${RUN.id}`,
    });
  });
});

describe("the texts of explain", () => {
  const IMPORTED = { id: "r-1", kind: "import" } as const;

  it("advise to import or resume nothing for a row of a sync", () => {
    for (const state of STATE_TABLE.all) {
      const run = { ...IMPORTED, kind: "sync", state: "finished" } as const;
      const { tr, en } = adviseOn({ state, row: 3, issues: [] }, run);
      expect(`${tr} ${en}`).not.toMatch(/import|resume|retry|yeniden yükleyin/u);
    }
  });

  it("give advice for every state", () => {
    for (const state of STATE_TABLE.all) {
      const { tr, en } = adviseOn({ state, row: 3, issues: [] }, { ...IMPORTED, state: "stopped" });
      expect(tr).toMatch(/\S/u);
      expect(en).not.toBe(tr);
    }
  });

  it("name the command that sends the row of a plan", () => {
    const ready = { state: "ready", row: 3, issues: [] } as const;

    expect(adviseOn(ready, { ...IMPORTED, state: "planned" }).en).toContain("catalog apply r-1");
    expect(adviseOn(ready, { ...IMPORTED, state: "stopped" }).en).toContain("catalog resume r-1");
  });

  it("show the raw name of a cause that only a newer version knows", () => {
    expect(describeCause("something-new")).toEqual({ tr: "something-new", en: "something-new" });
  });
});
