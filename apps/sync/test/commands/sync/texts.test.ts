import { expect, it } from "vitest";

import { textsFor } from "../../../src/commands/sync/texts.ts";

it("names the guards that --allow lets pass once", () => {
  expect(textsFor("tr").heldHint("r-1", ["price-scale", "price-drop"])).toContain(
    "--allow price-scale,price-drop ile",
  );
  expect(textsFor("en").heldHint("r-1", [])).not.toContain("--allow");
});

it("counts one call as one in English", () => {
  expect(textsFor("en").calls(5, 1)).toBe("Calls: 1 write, 5 reads.");
  expect(textsFor("en").calls(1, 0)).toBe("Calls: 0 writes, 1 read.");
});
