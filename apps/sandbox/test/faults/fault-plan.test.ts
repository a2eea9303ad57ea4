import { describe, expect, it } from "vitest";

import { createFaultPlan, type FaultPlan } from "../../src/faults/fault.ts";
import { type Fault, startSandbox } from "../../src/index.ts";

const endpoints = ["product.add", "product.list"];

const createPlan = (faults: readonly Fault[], seed = "seed"): FaultPlan =>
  createFaultPlan({ faults, seed, endpoints });

/** The numbers of the calls that meet a fault, counted from 1. */
const metBy = (plan: FaultPlan, calls: number, endpoint = "product.add"): readonly number[] =>
  Array.from({ length: calls }, (_, index) => index + 1).filter(
    () => plan.next(endpoint).length > 0,
  );

describe("createFaultPlan", () => {
  it("meets every call without rate and number", () => {
    expect(metBy(createPlan([{ kind: "html" }]), 3)).toEqual([1, 2, 3]);
  });

  it("meets the n-th call of its endpoint once, whatever other calls come between", () => {
    const plan = createPlan([{ kind: "html", endpoint: "product.add", nth: 2 }]);

    const met = [
      plan.next("product.add"),
      plan.next("product.list"),
      plan.next("product.add"),
      plan.next("product.add"),
    ];

    expect(met.map(({ length }) => length)).toEqual([0, 0, 1, 0]);
  });

  it("meets a share of the calls, the same ones for the same seed", () => {
    const faults = [{ kind: "html", rate: 0.3 }] as const;

    const met = metBy(createPlan(faults), 1000);

    expect(met.length).toBeGreaterThan(250);
    expect(met.length).toBeLessThan(350);
    expect(metBy(createPlan(faults), 1000)).toEqual(met);
    expect(metBy(createPlan(faults, "other"), 1000)).not.toEqual(met);
  });

  it("meets none with a rate of 0 and all with a rate of 1", () => {
    expect(metBy(createPlan([{ kind: "html", rate: 0 }]), 50)).toEqual([]);
    expect(metBy(createPlan([{ kind: "html", rate: 1 }]), 50)).toHaveLength(50);
  });

  it("makes two faults of one rate meet different calls", () => {
    const plan = createPlan([
      { kind: "html", rate: 0.5 },
      { kind: "never", rate: 0.5 },
    ]);

    const kinds = Array.from({ length: 200 }, () =>
      plan
        .next("product.add")
        .map(({ kind }) => kind)
        .join("+"),
    );

    expect(new Set(kinds)).toEqual(new Set(["", "html", "never", "html+never"]));
  });

  it("counts from the first call after a reset, and continues from saved counts", () => {
    const plan = createPlan([{ kind: "html", nth: 3 }]);
    plan.next("product.add");
    const saved = plan.save();

    plan.reset();
    expect(metBy(plan, 4)).toEqual([3]);

    plan.load(saved);
    expect(metBy(plan, 4)).toEqual([2]);
  });

  it("refuses an endpoint that does not exist", async () => {
    const faults = [{ kind: "html", endpoint: "product.remove" }] as const;

    await expect(startSandbox({ faults })).rejects.toThrow('no endpoint is named "product.remove"');
  });
});
