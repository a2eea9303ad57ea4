import { describe, expect, it } from "vitest";

import { createFaultPlan, type FaultPlan } from "../../src/faults/fault.ts";
import { type Fault, FAULT_KINDS, parseFault, startSandbox } from "../../src/index.ts";

describe("parseFault", () => {
  const cases: readonly (readonly [string, Fault])[] = [
    ["html", { kind: "html" }],
    ["reset-after:product.add:nth=3", { kind: "reset-after", endpoint: "product.add", nth: 3 }],
    ["latency:rate=0.25,ms=0", { kind: "latency", rate: 0.25, ms: 0 }],
    [
      "error-after:product.add:status=502:rate=1",
      { kind: "error-after", endpoint: "product.add", status: 502, rate: 1 },
    ],
  ];

  for (const [text, expected] of cases) {
    it(`reads the fault ${text}`, () => {
      expect(parseFault(text)).toEqual(expected);
    });
  }

  it("reads every kind of fault", () => {
    const kinds = Object.keys(FAULT_KINDS);

    expect(kinds.map((kind) => parseFault(kind).kind)).toEqual(kinds);
  });

  it.each([
    ["boom", 'no fault is of the kind "boom"; there are latency'],
    ["", "no fault is of the kind"],
    ["html:product.add:product.list", "more than one endpoint"],
    ["html:every=2", '"every=2"'],
    ["html:nth=", '"nth="'],
    ["html:nth=x", '"nth=x"'],
    ["html:nth=0", "nth of the fault html cannot be 0"],
    ["html:nth=1.5", "nth of the fault html cannot be 1.5"],
    ["html:rate=1.1", "rate of the fault html cannot be 1.1"],
    ["latency:ms=-1", "ms of the fault latency cannot be -1"],
    ["error-after:status=404", "status of the fault error-after cannot be 404"],
    ["refused-after:status=502", "status of the fault refused-after cannot be 502"],
  ])("refuses %s", (text, message) => {
    expect(() => parseFault(text)).toThrow(message);
    expect(() => parseFault(text)).toThrow(RangeError);
  });
});

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
