import { join } from "node:path";

import { writeTemplate } from "@catalog/sheets";
import { expect, it } from "vitest";

import type { LiveDraft } from "../../src/drafts/live-draft.ts";
import { type DraftStore, openDraftStore } from "./helpers/open-test-draft.ts";

const column = (
  key: string,
  header: string,
): Parameters<typeof writeTemplate>[0]["columns"][number] => ({
  key,
  header,
  required: false,
  kind: "text",
  note: "",
});

/** A filled-in template, whose hidden second row holds the machine keys. */
async function openTemplate({ folder, draftOf }: DraftStore): Promise<LiveDraft> {
  const path = join(folder, "sablon.xlsx");
  await writeTemplate({
    path,
    dataSheet: "Ürünler",
    guideSheet: { name: "Rehber", header: ["Sütun"], rows: [] },
    columns: [column("product_code", "Ürün Kodu"), column("stock", "Stok")],
    lists: [],
    meta: {},
    rows: [["KOD-1", "7"]],
  });
  return await draftOf(path);
}

it("shows no machine keys among the samples of a column", async () => {
  const live = await openTemplate(await openDraftStore());

  const columns = (await live.details()).columns?.columns.map(({ samples }) => samples);

  expect([...(await live.order())]).toEqual([3]);
  expect(columns).toEqual([["KOD-1"], ["7"]]);
});

it("does not warn of the hidden row of machine keys when it is planned", async () => {
  const store = await openDraftStore();

  const run = await store.plan(await openTemplate(store));

  expect(run.warnings.map(({ code }) => code)).not.toContain("W_HIDDEN_ROWS");
});
