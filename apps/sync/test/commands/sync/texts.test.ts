import { expect, it } from "vitest";

import { textsFor } from "../../../src/commands/sync/texts.ts";

it("names the guards that --allow lets pass once", () => {
  expect(
    textsFor("tr").heldHint("r-1", { guards: ["price-scale", "price-drop"], file: null }),
  ).toContain("--allow price-scale,price-drop ile");
  expect(textsFor("en").heldHint("r-1", { guards: [], file: null })).not.toContain("--allow");
});

it("names the file of held rows in the command that takes it", () => {
  const hint = { guards: [], file: "/a/b c/held.xlsx" };

  for (const lang of ["tr", "en"] as const) {
    expect(textsFor(lang).heldHint("r-1", hint)).toContain(
      `catalog release r-1 --approved "/a/b c/held.xlsx"`,
    );
    expect(textsFor(lang).heldHint("r-1", { ...hint, file: null })).not.toContain("--approved");
  }
});

it("counts one call as one in English", () => {
  expect(textsFor("en").calls(5, 1)).toBe("Calls: 1 write, 5 reads.");
  expect(textsFor("en").calls(1, 0)).toBe("Calls: 0 writes, 1 read.");
});
