/** What was made of a file before its rows were planned. */

import { type Localized } from "@catalog/i18n";

/** How a file was understood: for people to look at before they accept the plan. */
export interface PlanReading {
  /** One line each: how prices are read, which rules and which profile were used. */
  readonly notes: readonly Localized[];
  /** Texts that name nothing or several things, each once however many rows have it. */
  readonly openNames: readonly OpenNameCount[];
  /** To be remembered once the plan is accepted. */
  readonly columns: ColumnReading;
}

/** A text that a person has to say the meaning of. */
export interface OpenNameCount {
  /** A field key, or `property:` and the name of a property. */
  readonly field: string;
  /** The header of its column. */
  readonly column: string;
  readonly value: string;
  /** What it may have meant, best first. */
  readonly choices: readonly string[];
  readonly rows: number;
}

/** How the columns of a file were read. */
export interface ColumnReading {
  /** The name under which the person wants it remembered. */
  readonly profile: string | null;
  /** Header to field key, `property:NAME`, or `-`; all columns, or only those chosen by hand. */
  readonly columns: Readonly<Record<string, string>>;
  /** Of `columns` the ones that a person chose. */
  readonly chosen: readonly string[];
  readonly constants: Readonly<Record<string, string>>;
  readonly decimal: "comma" | "point" | null;
}
