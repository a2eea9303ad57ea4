import { readFileSync } from "node:fs";

import Excel from "exceljs";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, writeWorkbook } from "../../helpers/product-sheet.ts";
import { planDraft, sendRun, uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";

const CODE = "Ürün Kodu *";
const PRICE = "Fiyat *";
const TITLE = "Başlık *";

async function download({ headers }: WebSession, path: string): Promise<Uint8Array> {
  const answer = await fetch(`${headers["origin"]}/api${path}`, { headers });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

type Corrections = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** Changes cells as a person does in a spreadsheet program, and keeps everything else. */
async function correct(bytes: Uint8Array, corrections: Corrections): Promise<Uint8Array> {
  const workbook = new Excel.Workbook();
  await workbook.xlsx.load(Uint8Array.from(bytes).buffer);
  const [sheet] = workbook.worksheets;
  if (sheet === undefined) throw new Error("the workbook has no sheet");
  const columns = new Map<string, number>();
  sheet.getRow(1).eachCell((cell, at) => void columns.set(cell.text, at));
  const columnOf = (header: string): number => columns.get(header) ?? 0;
  sheet.eachRow((row) => {
    const changes = corrections[row.getCell(columnOf(CODE)).text] ?? {};
    for (const [header, value] of Object.entries(changes))
      row.getCell(columnOf(header)).value = value;
  });
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

const BAD = [
  goodRow(1),
  goodRow(2, { [PRICE]: "on iki" }),
  goodRow(3),
  goodRow(4, { [TITLE]: null }),
];

const CORRECTIONS: Corrections = {
  "TST-00002": { [PRICE]: 12.5 },
  "TST-00004": { [TITLE]: "Dördüncü" },
};

describe("a file of failed rows that is corrected outside the page", { timeout: 90_000 }, () => {
  it("maps itself without an answer and is sent, whether of a draft or of a run", async () => {
    const shop = await openTestStore();
    const session = await (await openWeb(shop)).openSession();
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", BAD);
    const draft = await uploadDraft(session, "urunler.xlsx", readFileSync(file));

    const ofDraft = await correct(
      await download(session, `/drafts/${draft.id}/files/hatalar.xlsx`),
      CORRECTIONS,
    );
    const first = await sendRun(session, await planDraft(session, draft));
    const ofRun = await correct(
      await download(session, `/runs/${first.id}/files/failed.xlsx`),
      CORRECTIONS,
    );
    const corrected = await uploadDraft(session, "hatalar.xlsx", ofDraft);
    const second = await sendRun(session, await planDraft(session, corrected));
    const again = await uploadDraft(session, "failed.xlsx", ofRun);
    const third = await planDraft(session, again);

    expect(first.counts).toMatchObject({ rows: 4, added: 2, invalid: 2 });
    for (const { state, counts, columns } of [corrected, again]) {
      expect(state).toBe("ready");
      expect(counts).toMatchObject({ rows: 2, errors: 0 });
      expect(columns?.problems).toEqual([]);
      expect(columns?.columns.some(({ isChosen }) => isChosen)).toBe(false);
    }
    expect(second.counts).toMatchObject({ rows: 2, added: 2 });
    expect(third.plan).toMatchObject({ adds: 0, unchanged: 2 });
    const titles = shop.sandbox.products().map(({ title, price }) => `${title} ${price}`);
    expect(titles).toHaveLength(4);
    expect(titles).toEqual(expect.arrayContaining(["Deneme ürünü 2 1250", "Dördüncü 2399"]));
  });
});
