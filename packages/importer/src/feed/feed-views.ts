/** A feed as a page shows it. Types only, which a browser program may take as well. */

import type { Localized } from "@catalog/i18n/localized";

/** The beginning of a feed, as a sync would read it, and what stops a sync of it. */
export interface FeedSample {
  /** The file, or its address without secrets. */
  readonly name: string;
  /** When the file was last changed, in ISO 8601; `null` where that is not known. */
  readonly dataAt: string | null;
  readonly columns: readonly FeedSampleColumn[];
  /** Cells as they stand in the file. */
  readonly rows: readonly (readonly string[])[];
  /** Field by header: the answers about columns that it was read with. */
  readonly answers: Readonly<Record<string, string>>;
  /** Headers of earlier answers that the feed no longer has. */
  readonly gone: readonly string[];
  /** The encodings to choose from, each with words as it reads them; empty where none is asked. */
  readonly encodings: readonly { readonly encoding: string; readonly sample: string }[];
  /** The records of XML or JSON to choose from; empty where none is asked. */
  readonly records: readonly {
    readonly name: string;
    readonly rows: number;
    /** The first names of its values. */
    readonly values: readonly string[];
  }[];
  /** What is wrong with the columns and can be cured by choosing another one, or in the file. */
  readonly problems: readonly Localized[];
  /** Fields that the last accepted version gave, and this one does not. */
  readonly lost: readonly {
    readonly field: string;
    readonly label: Localized;
    readonly header: string;
  }[];
  /** Whether prices are sent and nothing shows their unit in the store. */
  readonly isUnitOpen: boolean;
}

/** A column, and what a sync takes from it. */
export interface FeedSampleColumn {
  readonly header: string;
  /** Key of the field; `null` for a column that is not used. */
  readonly field: string | null;
  /** Whether a person has said so, now or for an earlier file. */
  readonly answer: "given" | "remembered" | null;
  /** What only a person can decide; `null` for nothing. */
  readonly question: Localized | null;
  /** The possible answers, the likely ones first: the key of a field or `-`, with its words. */
  readonly choices: readonly { readonly value: string; readonly label: Localized }[];
  /** Whether its numbers can be read in two ways, and nothing tells which. */
  readonly isUnclear: boolean;
}
