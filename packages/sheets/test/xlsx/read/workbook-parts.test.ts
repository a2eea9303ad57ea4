import { describe, expect, it } from "vitest";

import { parseRelationships, parseWorkbook } from "../../../src/xlsx/read/workbook-parts.ts";

const RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

describe("parseWorkbook", () => {
  it("reads name, position, state and part of each sheet", () => {
    const workbook =
      `<x:workbook xmlns:x="a"><x:sheets><x:sheet name="A &amp; &#304;" sheetId="4" r:id="b"/>` +
      `<x:sheet name='Gizli' sheetId="2" state="veryHidden" ns1:id="a"/>` +
      `<x:sheet name="Grafik" sheetId="3" r:id="c"/></x:sheets></x:workbook>`;
    const relationships =
      `<Relationships><Relationship Id="a" Type="${RELATIONSHIP}/worksheet" Target="/xl/worksheets/s1.xml"/>` +
      `<Relationship Target="worksheets/s2.xml" Id="b" Type="${RELATIONSHIP}/worksheet"></Relationship>` +
      `<Relationship Id="c" Type="${RELATIONSHIP}/chartsheet" Target="chartsheets/s3.xml"/></Relationships>`;

    expect(
      parseWorkbook(
        workbook,
        "xl/workbook.xml",
        parseRelationships(relationships, "xl/workbook.xml"),
      ).sheets,
    ).toEqual([
      { name: "A & İ", position: 1, isVisible: true, part: "xl/worksheets/s2.xml" },
      { name: "Gizli", position: 2, isVisible: false, part: "xl/worksheets/s1.xml" },
      { name: "Grafik", position: 3, isVisible: true, part: undefined },
    ]);
  });
});
