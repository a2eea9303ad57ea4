import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createRefusalTrust, type RefusalSignature } from "../../src/reconcile/refusal-trust.ts";

const KIND: RefusalSignature = { key: "422", status: 422, isJson: true };

/** Returns for each of several rejections in a row whether it is trusted. */
async function meet(
  times: number,
  found: readonly ("applied" | "not-applied")[],
  kind = KIND,
): Promise<readonly boolean[]> {
  const count = (finding: string): number => found.filter((each) => each === finding).length;
  const evidence = {
    applied: count("applied"),
    notApplied: count("not-applied"),
    lastSeenMs: 0,
  };
  const journal = { readSignature: async () => evidence };
  const trust = createRefusalTrust({ journal, clock: createFakeClock() });
  const believed: boolean[] = [];
  for (let n = 0; n < times; n += 1) believed.push(await trust.trusts(kind));
  return believed;
}

const looked = (believed: readonly boolean[]): readonly number[] =>
  [...believed.keys()].filter((at) => believed[at] === false);

describe("a rejection of a known kind", () => {
  it("looks a known kind up at every start, and then once in twenty times", async () => {
    expect(looked(await meet(45, ["not-applied"]))).toEqual([0, 20, 40]);
  });

  it("trusts a kind after three lookups that prove nothing", async () => {
    expect(looked(await meet(22, []))).toEqual([0, 1, 2, 20]);
  });

  it("never trusts a kind again once such a refusal has left a product", async () => {
    expect(await meet(30, ["not-applied", "not-applied", "applied"])).not.toContain(true);
  });

  it("never trusts a refusal without JSON or with a status of an outage", async () => {
    const found = Array.from({ length: 9 }, () => "not-applied" as const);

    expect(await meet(9, found, { ...KIND, isJson: false })).not.toContain(true);
    expect(await meet(9, found, { ...KIND, status: 500 })).not.toContain(true);
  });
});
