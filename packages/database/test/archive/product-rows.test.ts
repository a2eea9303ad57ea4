import { expect, it } from "vitest";

import { openPruning } from "../helpers/open-pruning.ts";
import { toProductId } from "../helpers/runs-and-rows.ts";

const P1 = toProductId("p-1");
const BOTH = { productId: P1, codeKeys: ['%_"1'] };
const code = BOTH.codeKeys[0] ?? "";

it("finds archived rows whose values were sent again by their code, until they are deleted", async () => {
  const store = await openPruning();
  for (const [at, id] of ["run-1", "run-2", "run-3"].entries()) {
    await store.create(id);
    await store.send({ runId: id, row: 2, code, productId: "p-1", fields: { price: at + 1 } });
    await store.send({ runId: id, row: 3, code: `${code}x`, productId: "p-2" });
    await store.finish(id);
    await store.goOn();
    await store.pass(2);
  }
  const all = ["run-3", "run-2", "run-1"].map((runId) => ({ runId, row: 2 }));

  const archived = await store.journal.findProductRows(BOTH);
  const byId = await store.journal.findProductRows({ ...BOTH, codeKeys: [] });
  await store.pass(200);
  const deleted = await store.journal.findProductRows(BOTH);

  expect(archived).toEqual(all);
  expect(byId).toEqual(all.slice(0, 1));
  expect(deleted).toEqual(all.slice(0, 1));
});
