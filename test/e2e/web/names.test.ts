import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { NamesView } from "@catalog/web";
import { expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb } from "../../helpers/web/open-web.ts";
import { getBody } from "../../helpers/web/runs.ts";

interface MapNames {
  readonly names: readonly {
    readonly field: string;
    readonly value: string;
    readonly rows: number;
    readonly titles: readonly string[];
    readonly choices: readonly string[];
  }[];
}

/** Categories whose rows have brands in turns, so that the rows of one brand do not stand together. */
const SHEET = [
  "Ürün Kodu;Başlık;Kategori;Marka;Stok",
  ...["Filter coffee", "Women > Dresses", "Kol Saatleri", "Çaydanlıklar"].flatMap((category, at) =>
    ["Bir kahve", "Türk kahvesi", "İki saat", "Üç elbise", "Dört"].map(
      (title, row) => `N-${at}-${row};${title} ${at};${category};${row % 2 ? "Bosh" : "Applle"};5`,
    ),
  ),
  "",
].join("\n");

it("lists on the page what catalog map lists", async () => {
  const store = await openTestStore({ products: 40 });
  const file = join(store.folder, "liste.csv");
  writeFileSync(file, SHEET);

  const mapped: MapNames = await store.json("map", file, "--no-market-search");
  const session = await (await openWeb(store)).openSession();
  const { id } = await uploadDraft(session, "liste.csv", Buffer.from(SHEET));
  const { names } = await getBody<NamesView>(session, `/drafts/${id}/names`);

  expect(mapped.names.length).toBeGreaterThan(3);
  expect(
    names.map(({ field, value, rows, titles, choices }) => ({
      field,
      value,
      rows,
      titles,
      choices: choices.map(({ target }) => target),
    })),
  ).toEqual(
    mapped.names.map(({ field, value, rows, titles, choices }) => ({
      field,
      value,
      rows,
      titles,
      choices,
    })),
  );
});
