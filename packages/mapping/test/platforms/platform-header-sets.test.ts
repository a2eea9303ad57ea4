import { describe, expect, it } from "vitest";

import { mapPlatformFile, PLATFORM_HEADER_SETS } from "../helpers/platform-header-sets.ts";

describe("the files of other platforms", () => {
  it.each(PLATFORM_HEADER_SETS)("are read right: $name", (set) => {
    const mapping = mapPlatformFile(set);

    const used = mapping.columns.flatMap(({ header, target }) =>
      target.kind === "field" ? [`${header}=${target.field}`] : [],
    );
    expect(mapping.platform?.name ?? "none").toBe(set.platform);
    expect(used.toSorted()).toEqual(set.fields.toSorted());
    expect(mapping.questions.map(({ header }) => header)).toEqual(set.asked);
    expect(mapping.issues.filter(({ code }) => !code.startsWith("E_COLUMN_"))).toEqual([]);
  });

  it("have at least 97 % of their columns right and none wrong", () => {
    const columns = PLATFORM_HEADER_SETS.flatMap(({ header }) => header).length;
    const missed = PLATFORM_HEADER_SETS.flatMap((set) => set.missed).length;

    expect([PLATFORM_HEADER_SETS.length, columns, missed]).toEqual([25, 698, 11]);
    expect(1 - missed / columns).toBeGreaterThan(0.97);
  });

  it.each(PLATFORM_HEADER_SETS)("are known from a source: $name", ({ sources }) => {
    expect(sources).not.toEqual([]);
  });
});
