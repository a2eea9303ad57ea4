import { describe, expect, it } from "vitest";

import { createFilterProofs } from "../../src/repositories/code-registry.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";

describe("createFilterProofs", () => {
  it("keeps the latest proof of each filter, separately for each store", async () => {
    const { database } = await openTestJournal();
    const ours = { baseUrl: "https://a.example", storeId: "s1" };
    const others = { baseUrl: "https://a.example", storeId: "s2" };
    const proofs = createFilterProofs({ database, store: ours });

    await proofs.saveProof("ids", { works: true, atMs: 5 });
    await proofs.saveProof("product_code", { works: true, atMs: 6 });
    await proofs.saveProof("product_code", { works: false, atMs: 7 });

    const again = createFilterProofs({ database, store: ours });
    expect(await again.readProof("ids")).toEqual({ works: true, atMs: 5 });
    expect(await again.readProof("product_code")).toEqual({ works: false, atMs: 7 });
    expect(await again.readProof("start_date")).toBeUndefined();
    const foreign = createFilterProofs({ database, store: others });
    expect(await foreign.readProof("ids")).toBeUndefined();
  });
});
