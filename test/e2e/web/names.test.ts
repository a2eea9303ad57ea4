import { createSandboxCatalog } from "@catalog/sandbox";
import type { DraftView, LookupView, NameView } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, postBody } from "../../helpers/web/runs.ts";

const NAME = "Aksesuar";

/** A brand, a category of the name that has it, and one that has it not. */
function findBrand(): { readonly brand: string; readonly home: string; readonly other: string } {
  const catalog = createSandboxCatalog();
  const named = catalog.categories.filter(({ id, name }) => name === NAME && catalog.isLeaf(id));
  const brandsOf = named.map(({ id }) => new Set(catalog.brands(id).map(({ name }) => name)));
  // Behind the three categories that an issue names.
  const at = 5;
  for (const brand of brandsOf[at] ?? []) {
    if (brandsOf.some((brands, other) => other !== at && brands.has(brand))) continue;
    const [home, other] = [named[at]?.category_path ?? "", named[0]?.category_path ?? ""];
    return { brand, home, other };
  }
  throw new Error("no brand is in one of the categories alone");
}

const readNames = (session: WebSession, id: string): Promise<readonly NameView[]> =>
  getBody<readonly NameView[]>(session, `/drafts/${id}/names`);

describe("open names on the page", { timeout: 60_000 }, () => {
  it("lead from a wrong category of a brand back to the one that has it", async () => {
    const { brand, home, other } = findBrand();
    const session = await (await openWeb(await openTestStore())).openSession();
    const file = Buffer.from(`Ürün Kodu;Kategori;Marka;Stok\nA-1;${NAME};${brand};5\n`);
    const { id, version } = await uploadDraft(session, "liste.csv", file);
    const answer = (body: object): Promise<DraftView> =>
      postBody<DraftView>(session, `/drafts/${id}/names`, body);

    const [asked] = await readNames(session, id);
    const chosen = { field: "category", value: NAME, target: other, isRemembered: true };
    const wrong = await answer({ version, ...chosen });
    const [unknown] = await readNames(session, id);
    const found = await getBody<readonly LookupView[]>(
      session,
      `/drafts/${id}/lookup?column=2&row=2&text=`,
    );
    const back = { field: "brand", value: brand, target: home };
    const right = await answer({
      version: wrong.version,
      ...back,
      isRemembered: false,
      isCategory: true,
    });

    expect(asked).toMatchObject({ field: "category", category: null });
    expect(asked?.choices[0]).toMatchObject({
      target: home,
      hint: `“${brand}” markası burada var`,
    });
    expect(unknown).toMatchObject({
      field: "brand",
      category: { path: other, column: 1, isAnswered: true },
    });
    expect(unknown?.category?.choices[0]).toMatchObject({ target: home });
    expect(found.length).toBeGreaterThan(5);
    expect(right.openNames).toBe(0);
    const rows = await getBody(session, `/drafts/${id}/rows?n=2`);
    expect(rows).toMatchObject([{ cells: ["A-1", home, brand, "5"], edited: [1] }]);
  });
});
