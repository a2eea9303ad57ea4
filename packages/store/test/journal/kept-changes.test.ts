import { describe, expect, it } from "vitest";

import { openStore } from "../helpers/open-store.ts";
import { planToSend } from "../helpers/runs-and-rows.ts";

describe("the changes of a row", () => {
  it("stay what they were through a move that names no others", async () => {
    const { journal } = await openStore();
    const key = await planToSend(journal, { runId: "run-1", row: 1, code: "A" });
    const changes = [{ field: "price", old: 7_500, new: 7_000 }];
    const read = async (): Promise<unknown> =>
      (await journal.readRows("run-1", { limit: 1 })).map((row) => row.changes);

    await journal.settle({ ...key, from: "ready" }, { to: "held", cause: "changed", changes });
    const held = await read();
    await journal.settle({ ...key, from: "held" }, { to: "ready", cause: "released-resend" });

    expect([held, await read()]).toEqual([[changes], [changes]]);
  });
});
