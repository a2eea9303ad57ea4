/** Which sheets a workbook has, and in which part each one is. */

/** A sheet as the workbook lists it. */
export interface ListedSheet {
  readonly name: string;
  /** Its place among all the sheets, from 1. */
  readonly position: number;
  readonly isVisible: boolean;
  /** The name of its part; undefined for a chart or a macro sheet. */
  readonly part: string | undefined;
}

const ELEMENT = /<(?:[\w-]+:)?(sheet|Relationship)\s([^>]*)>/g;
const ATTRIBUTE = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITY = /&(?:#(\d+|x[0-9a-f]+)|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Reads `xl/workbook.xml` and its relationships. */
export function parseSheetList(workbook: string, relationships: string): readonly ListedSheet[] {
  const targets = new Map(
    elements(relationships, "Relationship")
      .filter((it) => it.get("Type")?.endsWith("/worksheet"))
      .map((it) => [it.get("Id"), toPartName(it.get("Target") ?? "")]),
  );
  return elements(workbook, "sheet")
    .filter((it) => (it.get("name") ?? "") !== "")
    .map((it, index) => ({
      name: it.get("name") ?? "",
      position: index + 1,
      isVisible: (it.get("state") ?? "visible") === "visible",
      part: targets.get(relationshipId(it)),
    }));
}

/** `id` in whatever the file calls the namespace of relationships. */
const relationshipId = (it: ReadonlyMap<string, string>): string | undefined =>
  [...it].find(([name]) => name.endsWith(":id"))?.[1];

const toPartName = (target: string): string =>
  target.startsWith("/") ? target.slice(1) : `xl/${target.replace(/^\.\//, "")}`;

function elements(xml: string, tag: string): readonly ReadonlyMap<string, string>[] {
  return [...xml.matchAll(ELEMENT)]
    .filter(([, name]) => name === tag)
    .map(([, , attributes]) => parseAttributes(attributes ?? ""));
}

const parseAttributes = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name, double, single]) => [
      name ?? "",
      decodeEntities(double ?? single ?? ""),
    ]),
  );

const decodeEntities = (text: string): string =>
  text.replaceAll(ENTITY, (whole, number?: string, name?: string) => {
    if (number === undefined) return NAMED[name?.toLowerCase() ?? ""] ?? whole;
    return String.fromCodePoint(Number(number.replace(/^x/i, "0x")));
  });
