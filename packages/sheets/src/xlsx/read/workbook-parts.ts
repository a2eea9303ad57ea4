/** Reads which sheets a workbook has, the names of its parts, and the start of its dates. */

import { parseAttributes, scanXml } from "./xml/xml-scanner.ts";

/** A sheet as the workbook lists it. */
export interface ListedSheet {
  readonly name: string;
  /** Its position among all sheets, from 1. */
  readonly position: number;
  readonly isVisible: boolean;
  /** The name of its part; undefined for a chart or a macro sheet. */
  readonly part: string | undefined;
}

/**
 * What the workbook part states. Names of parts are full, and a named part may be missing from the
 * file. Shared parts that it does not name are expected in its own folder.
 */
export interface WorkbookParts {
  readonly sheets: readonly ListedSheet[];
  readonly sharedStrings: string;
  readonly styles: string;
  /** Whether dates count from 1904 instead of 1900. */
  readonly isDate1904: boolean;
}

/** A part that another one names. */
export interface Relationship {
  readonly id: string;
  /**
   * The last segment of its type, such as `worksheet`; the rest depends on the variant of OOXML.
   */
  readonly kind: string;
  readonly part: string;
}

export const ROOT_RELATIONSHIPS = "_rels/.rels";

/** Name of the part that lists a part's relationships. */
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
        // Programs write other words for visible sheets, such as `show`.
        isVisible: !/hidden$/iu.test(attributes.get("state") ?? ""),
        part: sheetParts.get(attributes.get("id") ?? ""),
      })),
    sharedStrings: partOf("sharedStrings"),
    styles: partOf("styles"),
    isDate1904: found.some(({ attributes }) => isTrue(attributes.get("date1904"))),
  };
}

/** Whether a text is one of OOXML's forms of true. */
export const isTrue = (value: string | undefined): boolean => value === "1" || value === "true";

/**
 * Resolves a part's name: one with a slash is absolute, any other is relative to the folder of
 * `owner`.
 */
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
