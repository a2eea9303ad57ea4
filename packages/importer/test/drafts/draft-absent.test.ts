import { describe, expect, it } from "vitest";

import type { LiveDraft } from "../../src/drafts/live-draft.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

const SHEET = "Ürün Kodu;Stok\nKOD-1;8\nYOK-1;9\n";

const codesOf = (draft: LiveDraft): readonly (readonly string[])[] =>
  draft.rows([2, 3]).map(({ issues }) => issues.map(({ code }) => code));

describe("a code that the store does not show", () => {
  it("is said at its cell where the store was listed and the file can add no product", async () => {
    const { draft, planText } = await openDraftStore();
    await planText("Ürün Kodu;Stok\nKOD-1;7\nKOD-2;7\nKOD-3;7\n");

    const live = await draft(SHEET);

    expect(codesOf(live)).toEqual([[], ["W_CODE_ABSENT"]]);
    expect(live.rows([3])[0]?.issues[0]).toMatchObject({ column: 0, severity: "warning" });
  });

  it("is not said of a store that was never read", async () => {
    const { draft } = await openDraftStore();

    const live = await draft(SHEET);

    expect(codesOf(live)).toEqual([[], []]);
  });

  it("goes away with a code that the store shows", async () => {
    const { draft, planText } = await openDraftStore();
    await planText("Ürün Kodu;Stok\nKOD-1;7\n");
    const live = await draft(SHEET);

    await live.edit({ version: 1 }, [{ row: 3, column: 0, value: "KOD-2" }]);

    expect(codesOf(live)).toEqual([[], []]);
  });
});
