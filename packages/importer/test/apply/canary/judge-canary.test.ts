import { elapse } from "@catalog/clock/testing";
import {
  createTestConnection,
  CUP,
  RUN_ID,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { endpoints, productId } from "@catalog/contract";
import { createFakeMarketplace } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { applyPlan, readRun } from "../../../src/apply/apply-plan.ts";
import { countSent, viewCanary } from "../../../src/apply/canary/judge-canary.ts";

const toAdd = (code: string): StoredRow => ({
  cells: [code],
  action: "add",
  payload: endpoints.product.add.input.parse({ ...CUP, product_code: code }),
});

describe("a canary row that was taken back before its request left", () => {
  it.each(["unsent", "recovery-unsent"] as const)(
    "does not count as sent when a recheck holds it afterwards (%s)",
    async (cause) => {
      const { connection: context, clock } = await createTestConnection({ concurrency: 1 });
      const marketplace = createFakeMarketplace({
        serverTimeMs: () => clock.now(),
        products: [
          {
            placement: "approved",
            product: { id: productId.parse("p-1"), product_code: "KOD-1" },
          },
        ],
      });
      const connection = { ...context, marketplace };
      const takenBack: StoredRow = { ...toAdd("KOD-1"), outcome: { to: "ready", cause } };
      const rows = [takenBack, toAdd("KOD-2"), toAdd("KOD-3")];
      const run = await storeRun(connection, { header: ["Ürün Kodu"], rows });
      await connection.runs.update(RUN_ID, { state: "planned", settings: { canary: 1 } });
      const message: string[] = [];

      const { end } = await elapse(
        clock,
        applyPlan(connection, {
          runId: RUN_ID,
          recheck: "adds",
          onCanary: ({ en }) => message.push(en),
        }),
      );

      const states = (await connection.journal.readRows(RUN_ID, { limit: 9 })).map(
        (row) => row.state,
      );
      const { log } = marketplace;
      const sentFirst = log.slice(0, log.indexOf("LIST approved new-1"));
      expect([end, ...states]).toEqual(["finished", "held", "done", "done"]);
      expect(sentFirst.filter((request) => request.startsWith("ADD"))).toEqual(["ADD KOD-2"]);
      expect(message).toEqual(["Canary: 1 row was sent, 1 shown as sent."]);
      expect((await readRun(connection, RUN_ID)).progress.canaryVerdict).toBe("passed");
      expect(await countSent(connection, run)).toBe(2);
      expect(await viewCanary(connection, run)).toMatchObject({ sent: 2, unknown: 0 });
    },
  );
});
