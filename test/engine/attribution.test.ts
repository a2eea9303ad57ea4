import { toCounts } from "@catalog/runs";
import { answered, lost, refused, type Reply, RUN, toAdd, toUpdate } from "@catalog/runs/testing";
import fc from "fast-check";
import { expect, it } from "vitest";

import { openApplyFixture } from "./helpers/apply-fixture.ts";

const RUNS = 100;

/** Possible replies to a request. */
const REPLIES: readonly (Reply | undefined)[] = [
  undefined,
  answered({ status: false, message: "no" }),
  answered("<html>", "now"),
  refused(400),
  refused(503, { effect: "now" }),
  lost("none"),
  lost("started", { effect: "now" }),
  lost("headers"),
];

const script = fc.array(fc.constantFrom(...REPLIES), { minLength: 1, maxLength: 12 });

/** Every row has its own product: adds by their code, updates of listed products. */
const isUpdateAt = (index: number): boolean => index % 3 === 2;

it("ends every row in one class, with its own cells and its own product", async () => {
  await fc.assert(
    fc.asyncProperty(
      script,
      fc.array(fc.nat(6), { minLength: 12, maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (replies, turns, concurrency) => {
        const decisions = replies.map((_, index) =>
          isUpdateAt(index)
            ? toUpdate(index + 2, `P${index + 2}`, { title: `Title ${index + 2}` })
            : toAdd(index + 2, `A${index + 2}`),
        );
        const requests = replies.flatMap((reply, index) => {
          const request = isUpdateAt(index) ? `UPDATE P${index + 2}` : `ADD A${index + 2}`;
          return reply === undefined ? [] : [[request, [reply]] as const];
        });
        let arrivals = 0;
        const onRequest = async (): Promise<void> => {
          // Answers arrive in another order than the requests were sent.
          const max = turns[arrivals++ % turns.length] ?? 0;
          for (let turn = 0; turn < max; turn += 1) await Promise.resolve();
        };
        const fixture = await openApplyFixture(decisions, {
          script: Object.fromEntries(requests),
          onRequest,
        });

        await fixture.apply({ concurrency });

        const { rows: total, ...classes } = toCounts(await fixture.journal.countRows(RUN));
        const rows = await fixture.journal.readRows(RUN, { limit: 100 });
        expect(Object.values(classes).reduce((sum, count) => sum + count, 0)).toBe(total);
        expect(rows.map(({ row }) => row)).toEqual(decisions.map(({ row }) => row));
        for (const { row, action, state, cells, productId } of rows) {
          const code = `A${row}`;
          if (action === "update") {
            expect([row, productId]).toEqual([row, `P${row}`]);
            continue;
          }
          expect(cells).toEqual([code]);
          const own = fixture.marketplace.products.filter(
            ({ product }) => product.product_code === code,
          );
          // No product belongs to two rows, and a done row names the product with its code.
          expect(own.length).toBeLessThanOrEqual(1);
          if (state === "done") expect(productId).toBe(own[0]?.product.id);
          if (state === "rejected") expect(own).toEqual([]);
        }
      },
    ),
    { numRuns: RUNS },
  );
}, 120_000);
