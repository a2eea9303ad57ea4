import { describe, expect, it } from "vitest";

import { type Fault, FAULT_KINDS, parseFault } from "../../src/index.ts";

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
