import { readFileSync } from "node:fs";

import { createColumnScan } from "../../src/columns/column-cells.ts";
import type { ColumnMapping } from "../../src/columns/column-mapping.ts";
import { mapColumns } from "../../src/columns/map-columns.ts";

/** The headers that a platform writes, from documents or from code that reads or writes its files. */
export interface PlatformHeaderSet {
  readonly name: string;
  /** Value of `--platform`, or `none` where the headers do not tell the platform. */
  readonly platform: string;
  readonly sources: readonly string[];
  readonly header: readonly string[];
  /** `header=field`. */
  readonly fields: readonly string[];
  /** Columns about which a person is asked. */
  readonly asked: readonly string[];
  /** `header=field` of columns that hold a field and are not used. */
  readonly missed: readonly string[];
  readonly empty: readonly string[];
  /** 0 for XML and JSON. */
  readonly headerRow: number;
}

const readFixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8").trimEnd();

/**
 * Lines begin with `#` for the name, `@` for the platform, `&` for a source, `=` for fields, `?`
 * for questions, `!` for fields that are missed, `-` for columns without values.
 */
const readSets = (name: string, headerRow = 1): readonly PlatformHeaderSet[] =>
  readFixture(name)
    .split("\n\n")
    .map((block) => {
      const lines = block.trim().split("\n");
      const behind = (mark: string): readonly string[] =>
        lines.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(2));
      const list = (mark: string): readonly string[] =>
        behind(mark).flatMap((text) => text.split(";"));
      return {
        name: behind("#").join(""),
        platform: behind("@").join(""),
        sources: behind("&"),
        header: lines
          .filter((line) => !/^[#@&=?!-] /u.test(line))
          .flatMap((text) => text.split(";")),
        fields: list("="),
        asked: list("?"),
        missed: list("!"),
        empty: list("-"),
        headerRow,
      };
    });

export const PLATFORM_HEADER_SETS: readonly PlatformHeaderSet[] = readSets("platform-headers.txt");

/** The columns that XML and JSON have; their sources stand with the profiles. */
export const FEED_HEADER_SETS: readonly PlatformHeaderSet[] = readSets("feed-headers.txt", 0);

/** Maps the columns of a file in which only the columns named as empty have no values. */
export function mapPlatformFile({
  header,
  empty,
  headerRow,
}: Pick<PlatformHeaderSet, "header" | "empty" | "headerRow">): ColumnMapping {
  const sheet = { sheet: "S", headerRow, header };
  const scan = createColumnScan(mapColumns(sheet).watched);
  scan.observe(header.map((text) => (empty.includes(text) ? null : "1")));
  return mapColumns({ ...sheet, cells: scan.cells });
}
