/** How descriptions are sent: with their HTML, or as plain text. */
export type DescriptionFormat = "html" | "text";

/**
 * Why a description is sent otherwise than its cell says. `cleaned`: scripts, styles or event
 * handlers were left out; `text`: it was turned into plain text; `decoded`: entities were decoded.
 */
export type DescriptionChange = "cleaned" | "text" | "decoded";

/** A description as it is sent. */
export interface DescriptionReading {
  readonly text: string;
  /** `undefined` where the text is sent as it stands in its cell. */
  readonly change: DescriptionChange | undefined;
}

/** Reads the text of a cell. */
export type ReadDescription = (text: string) => DescriptionReading;

/** Sends descriptions as they stand. */
export const KEEP_DESCRIPTION: ReadDescription = (text) => ({ text, change: undefined });
