import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { createHeaderMatcher } from "../../src/columns/header-matcher.ts";
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

/** Lines of a decision and the headers that it is about; one that is unknown may be a property. */
const COMMON = new URL("../fixtures/common-headers.txt", import.meta.url);
const DECISIONS = readFileSync(COMMON, "utf8")
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [decision = "", headers = ""] = line.split(": ");
    return headers.split(";").map((header) => ({ header, decision }));
  });

describe("a common header of shops, programs and marketplaces", () => {
  const matcher = createHeaderMatcher();

  it.each(DECISIONS)("is decided: $header is $decision", ({ header, decision }) => {
    const { target, doubt } = matcher.match(header);

    const isAsked = doubt !== undefined && doubt.kind !== "trade-list";
    const field = target.kind === "field" ? target.field : target.kind;
    expect(isAsked ? "asked" : field).toBe(decision);
  });

  it("is known or asked about in four of five cases", () => {
    const open = DECISIONS.filter(({ decision }) => decision === "unknown");

    expect(open.length).toBeLessThan(DECISIONS.length / 5);
    expect(new Set(DECISIONS.map(({ header }) => header)).size).toBe(DECISIONS.length);
  });
});
