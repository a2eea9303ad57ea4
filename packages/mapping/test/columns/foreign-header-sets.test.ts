import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { FOREIGN_HEADER_SETS } from "../helpers/foreign-header-sets.ts";

describe("files of other programs that are read without the profile of a platform", () => {
  it.each(FOREIGN_HEADER_SETS)(
    "maps no column of $name to a wrong field, and asks about the doubtful ones",
    ({ header, fields, asked, notYet }) => {
      const mapping = mapColumns({ sheet: "S", headerRow: 1, header, platform: "none" });

      const taken = mapping.columns.flatMap(({ header: text, target }) =>
        target.kind === "field" ? [`${text}=${target.field}`] : [],
      );
      expect(taken.toSorted()).toEqual([...fields, ...notYet].toSorted());
      expect(mapping.questions.map((question) => question.header)).toEqual(asked);
    },
  );
});

it("covers 31 header sets with 571 columns", () => {
  const columns = FOREIGN_HEADER_SETS.flatMap(({ header }) => header);

  expect([FOREIGN_HEADER_SETS.length, columns.length]).toEqual([31, 571]);
});
