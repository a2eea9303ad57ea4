import { readFileSync } from "node:fs";

/**
 * The headers of a file that another program writes, and the target of each. Every column that is
 * not named must stay unknown: it is reported to the user, and not sent.
 */
export interface ForeignHeaderSet {
  readonly name: string;
  readonly header: readonly string[];
  /** `header=field`. */
  readonly fields: readonly string[];
  /** Columns about which a person is asked. */
  readonly asked: readonly string[];
  /**
   * Columns that are mapped to a field although they mean something else there; most such rows are
   * refused.
   */
  readonly notYet: readonly string[];
}

const PATH = new URL("../fixtures/foreign-headers.txt", import.meta.url);

/**
 * Lines begin with `#` for the name, `=` for fields, `?` for questions, `~` for headers that are
 * still mapped wrongly.
 */
export const FOREIGN_HEADER_SETS: readonly ForeignHeaderSet[] = readFileSync(PATH, "utf8")
  .split("\n\n")
  .map((block) => {
    const lines = block.trim().split("\n");
    const behind = (mark: string): readonly string[] =>
      lines
        .filter((line) => line.startsWith(`${mark} `))
        .flatMap((line) => line.slice(2).split(";"));
    const header = lines.filter((line) => !/^[#=?~] /u.test(line));
    return {
      name: behind("#").join(""),
      header: header.flatMap((line) => line.split(";")),
      fields: behind("="),
      asked: behind("?"),
      notYet: behind("~"),
    };
  });
