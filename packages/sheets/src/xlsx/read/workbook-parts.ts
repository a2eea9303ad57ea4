/** Which sheets a workbook has, in which parts they and what they share are, and from when it counts. */

import { parseAttributes, scanXml } from "./xml/xml-scanner.ts";

/** A sheet as the workbook lists it. */
export interface ListedSheet {
  readonly name: string;
  /** Its place among all the sheets, from 1. */
  readonly position: number;
  readonly isVisible: boolean;
  /** The name of its part; undefined for a chart or a macro sheet. */
  readonly part: string | undefined;
}

/**
 * What the workbook itself says; the parts under their full names, which a file need not have. A
 * workbook that does not name the parts that its sheets share has them beside itself.
 */
export interface WorkbookParts {
  readonly sheets: readonly ListedSheet[];
  readonly sharedStrings: string;
  readonly styles: string;
  /** Dates count from 1904 and not from 1900. */
  readonly isDate1904: boolean;
}

/** A part that another one names. */
export interface Relationship {
  readonly id: string;
  /** The last word of its type, such as `worksheet`; the rest depends on the kind of OOXML. */
  readonly kind: string;
  readonly part: string;
}

export const ROOT_RELATIONSHIPS = "_rels/.rels";

/** Where a part lists its relationships. */
export function relationshipsOf(part: string): string {
  const slash = part.lastIndexOf("/") + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/** Reads a part of relationships that belongs to the part `owner`. */
export function parseRelationships(xml: string, owner: string): readonly Relationship[] {
  return elements(xml, new Set(["Relationship"]))
    .filter(({ attributes }) => attributes.get("TargetMode") !== "External")
    .map(({ attributes }) => ({
      id: attributes.get("Id") ?? "",
      kind: attributes.get("Type")?.split("/").at(-1) ?? "",
      part: resolvePart(attributes.get("Target") ?? "", owner),
    }));
}

/** Reads the workbook part, which has the name `owner`. */
export function parseWorkbook(
  xml: string,
  owner: string,
  relationships: readonly Relationship[],
): WorkbookParts {
  const sheetParts = new Map(
    relationships.filter(({ kind }) => kind === "worksheet").map(({ id, part }) => [id, part]),
  );
  const found = elements(xml, new Set(["sheet", "workbookPr"]));
  const partOf = (wanted: string): string =>
    relationships.find(({ kind }) => kind === wanted)?.part ?? resolvePart(`${wanted}.xml`, owner);
  return {
    sheets: found
      .filter(({ name, attributes }) => name === "sheet" && (attributes.get("name") ?? "") !== "")
      .map(({ attributes }, index) => ({
        name: attributes.get("name") ?? "",
        position: index + 1,
        isVisible: (attributes.get("state") ?? "visible") === "visible",
        part: sheetParts.get(attributes.get("id") ?? ""),
      })),
    sharedStrings: partOf("sharedStrings"),
    styles: partOf("styles"),
    isDate1904: found.some(({ attributes }) => isTrue(attributes.get("date1904"))),
  };
}

/** How OOXML writes a yes. */
export const isTrue = (value: string | undefined): boolean => value === "1" || value === "true";

/** Absolute names begin with a slash; the others count from the folder of the part that names them. */
function resolvePart(target: string, owner: string): string {
  const folder = target.startsWith("/") ? [] : owner.split("/").slice(0, -1);
  const path: string[] = [...folder];
  for (const step of target.split("/")) {
    if (step === "..") path.pop();
    else if (step !== "." && step !== "") path.push(step);
  }
  return path.join("/");
}

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

function elements(xml: string, names: ReadonlySet<string>): readonly Element[] {
  const found: Element[] = [];
  scanXml(xml, {
    open: (name, source) => {
      if (names.has(name)) found.push({ name, attributes: parseAttributes(source) });
    },
    text: () => {},
    close: () => {},
  });
  return found;
}
