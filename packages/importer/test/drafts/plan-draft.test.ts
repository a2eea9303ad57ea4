import { describe, expect, it } from "vitest";

import { assertPlanCurrent } from "../../src/plan/assert-plan-current.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

const SHEET = "Ürün Kodu;Stok;Başlık\nKOD-1;7;Fincan\nKOD-2;beş;Tabak\nKOD-3;9;Kase\n";

describe("planDraft", () => {
  it("plans the cells as they were corrected, as a file with these cells", async () => {
    const { draft, plan, planText, decisions } = await openDraftStore();
    const live = await draft(SHEET);
    await live.edit({ version: 1 }, [{ row: 3, column: 1, value: "5" }]);

    const [ours, file] = [await plan(live), await planText(SHEET.replace("beş", "5"))];

    expect(await decisions(ours)).toEqual(await decisions(file));
    expect(ours.progress.draft).toEqual({ id: live.id, version: 2, excluded: 0 });
    expect((await live.details()).run).toEqual({ id: ours.id, isCurrent: true });
  });

  it("leaves excluded rows out and says how many there are", async () => {
    const { draft, plan, decisions } = await openDraftStore();
    const live = await draft(SHEET);
    await live.exclude({ version: 1 }, { rows: [3, 4], isExcluded: true });

    const run = await plan(live);

    expect(await decisions(run)).toMatchObject([{ row: 2 }]);
    expect(run.warnings).toMatchObject([
      {
        code: "W_ROWS_EXCLUDED",
        message: { tr: "Taslakta 2 satır çıkarıldı; bu satırlar planda yok." },
      },
    ]);
  });

  it("refuses a plan whose draft was changed afterwards", async () => {
    const { draft, plan, connection } = await openDraftStore();
    const live = await draft(SHEET);
    const run = await plan(live);
    await assertPlanCurrent(connection, run);

    await live.edit({ version: 1 }, [{ row: 3, column: 1, value: "5" }]);

    await expect(assertPlanCurrent(connection, run)).rejects.toMatchObject({
      code: "E_PLAN_DRAFT",
    });
    expect((await live.details()).run).toEqual({ id: run.id, isCurrent: false });
  });

  it("refuses a draft whose columns are not settled", async () => {
    const { draft, plan } = await openDraftStore();
    const live = await draft("Xyz;Stok\nKOD-1;7\n");

    await expect(plan(live)).rejects.toMatchObject({ code: "E_DRAFT_UNREADY" });
  });
});
