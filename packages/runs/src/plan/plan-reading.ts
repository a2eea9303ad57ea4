/** How a file was understood before its rows were planned. */

import type { Localized } from "@catalog/i18n";

/** How a file was understood, for a person to check before accepting the plan. */
export interface PlanReading {
  /** One line each: how prices are read, which rules and which profile were used. */
  readonly notes: readonly Localized[];
  /** Texts that match no name or several names, each once for all its rows. */
  readonly openNames: readonly OpenNameCount[];
  /** The columns, which are remembered once the plan is accepted. */
  readonly columns: ColumnReading;
}

/** A text whose meaning a person has to choose. */
export interface OpenNameCount {
  /** A field key, or `property:` and the name of a property. */
  readonly field: string;
  /** The header of its column. */
  readonly column: string;
  readonly value: string;
  /** Possible meanings, best first. */
  readonly choices: readonly string[];
  readonly rows: number;
}

/** How the columns of a file were read. */
export interface ColumnReading {
  /** The name of the profile to save, as the person chose it. */
  readonly profile: string | null;
  /** Header to field key, `property:NAME`, or `-`; all columns, or only those chosen by hand. */
  readonly columns: Readonly<Record<string, string>>;
  /** The headers among `columns` that a person chose. */
  readonly chosen: readonly string[];
  readonly constants: Readonly<Record<string, string>>;
  readonly decimal: "comma" | "point" | null;
  /**
   * Field key of each column in the order of the file, `property:NAME`, `-` for one that is not sent,
   * `variants` for one that tells variants apart, or `?` for one that is not known.
   */
  readonly used?: readonly string[];
}
