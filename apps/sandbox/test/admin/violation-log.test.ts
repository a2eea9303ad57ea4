import { describe, expect, it } from "vitest";

import { createViolationLog } from "../../src/admin/violations.ts";
import type { Violation } from "../../src/index.ts";

const wrong: Violation = { rule: "bad-value", endpoint: "product.add", field: "price" };

describe("createViolationLog", () => {
  it("counts violations by rule, endpoint and field", () => {
    const violations = createViolationLog();

    violations.note([wrong, { ...wrong, field: "title" }]);
    violations.note([wrong]);
    violations.noteUndocumented("product.add", ["properties", "properties"]);

    expect(violations.read()).toEqual({
      violations: [
        { ...wrong, count: 2 },
        { ...wrong, field: "title", count: 1 },
      ],
      undocumented: [{ endpoint: "product.add", field: "properties", count: 2 }],
    });
  });

  it("continues from loaded counts, and clears them on reset", () => {
    const [one, two] = [createViolationLog(), createViolationLog()];
    one.note([wrong]);
    one.noteUndocumented("product.add", ["properties"]);

    two.note([{ ...wrong, field: "gone" }]);
    two.load(one.read());
    expect(two.read()).toEqual(one.read());

    two.note([wrong]);
    two.noteUndocumented("product.add", ["properties"]);
    expect(two.read()).toMatchObject({ violations: [{ count: 2 }], undocumented: [{ count: 2 }] });

    two.reset();
    expect(two.read()).toEqual({ violations: [], undocumented: [] });
  });
});
