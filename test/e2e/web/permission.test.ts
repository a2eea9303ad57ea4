import type { DraftView, ExportView } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { startCatalog } from "../../helpers/processes/catalog-process.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb } from "../../helpers/web/open-web.ts";
import { getBody, postBody } from "../../helpers/web/runs.ts";

describe("a store that has granted nothing", { timeout: 60_000 }, () => {
  it("is told of at the preview and at exports, with who can help and no word of a command", async () => {
    const { sandbox, folder, env } = await openTestStore({ products: 1 });
    const closed = { ...env, CATALOG_STORE_ID: sandbox.closedStoreId };
    const web = await openWeb({
      start: (...args) => startCatalog(args, { env: closed, cwd: folder }),
    });
    const session = await web.openSession();
    const table = Buffer.from("Ürün Kodu;Stok\nSBX-000001;5\n");
    const { id, version } = await uploadDraft(session, "stok.csv", table);

    await postBody(session, `/drafts/${id}/plan`, { version });
    let draft = await getBody<DraftView>(session, `/drafts/${id}`);
    await waitUntil(async () => {
      draft = await getBody<DraftView>(session, `/drafts/${id}`);
      return draft.problem !== null;
    });
    const asked = { kind: "products", format: "xlsx", filters: {}, columns: [] };
    await postBody(session, "/exports", asked);
    let [made] = await getBody<readonly ExportView[]>(session, "/exports");
    await waitUntil(async () => {
      [made] = await getBody<readonly ExportView[]>(session, "/exports");
      return made?.state === "failed";
    });

    for (const problem of [draft.problem, made?.problem]) {
      expect(problem).toMatchObject({ code: "PERMISSION_ERROR" });
      expect(problem?.message).toContain("Mağaza sahibi izni mağaza panelinden verir.");
      expect(problem?.message).not.toMatch(/CATALOG_|catalog |durum \d/u);
    }
  });
});
