import { auditDuplicates } from "@catalog/runs";
import { lost, codeKey, listed, RUN } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { adds, openApplyFixture, type ApplyFixture } from "./helpers/apply-fixture.ts";

const audit = ({ journal, marketplace }: ApplyFixture): ReturnType<typeof auditDuplicates> =>
  auditDuplicates({ runId: RUN, journal, marketplace, codeKey });

describe("auditDuplicates", () => {
  it("makes no call when every answer came", async () => {
    const fixture = await openApplyFixture(adds(3));
    await fixture.apply();
    const calls = fixture.marketplace.log.length;

    expect(await audit(fixture)).toEqual([]);

    expect(fixture.marketplace.log).toHaveLength(calls);
  });

  it("finds no duplicate when a lost add is in the store once", async () => {
    const fixture = await openApplyFixture(adds(3), {
      script: { "ADD A3": [lost("started", { effect: "now" })] },
    });
    await fixture.apply();

    expect(await audit(fixture)).toEqual([]);
  });

  it("names every product of a code that is in the store twice", async () => {
    const fixture = await openApplyFixture(adds(3), {
      products: [listed("p9", "A3", { placement: "hidden" })],
      script: { "ADD A3": [lost("started", { effect: "now" })] },
    });
    await fixture.apply();
    const [hidden] = fixture.marketplace.products;
    if (hidden !== undefined) fixture.marketplace.put(hidden.product.id, "veto");

    const found = await audit(fixture);

    expect(found).toMatchObject([{ row: 3, code: "A3", ids: ["new-2", "p9"] }]);
    expect(found[0]?.message.tr).toContain("new-2, p9");
    expect(found[0]?.message.en).toContain('"A3" of row 3');
  });
});
