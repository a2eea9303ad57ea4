/** What the readers of XML and of JSON have in common: the nodes that they report, and their limits. */

import type { CellValue } from "../cell.ts";
import type { SheetErrorCode, SheetErrorDetails } from "../sheet-error.ts";
import type { ReadLimits } from "../sheet-rows.ts";

/**
 * Receives the nodes of a document in order: elements, attributes as `@name`, and the keys of
 * objects. The elements of an array are nodes of its own name, one after another.
 */
export interface NodeHandler {
  /** Returns whether the content of the node is wanted as one text, markup included. */
  open(name: string): boolean;
  /** At most once for each node, before it is closed; not called for an empty one. */
  value(value: CellValue): void;
  /** `isMixed` is true for an element with both text and elements, which are lost otherwise. */
  close(isMixed: boolean): void;
}

/** Reads a document piece by piece. */
export interface NestedReader {
  /** Throws a `NestedFault`. */
  write(piece: string): void;
  /** To be called once, after the last piece. Throws a `NestedFault`. */
  end(): void;
  /** The line that is being read, from 1. */
  readonly line: number;
}

export type NestedLimits = Pick<ReadLimits, "cellChars" | "recordChars">;

/** Why a document is refused, without its place, which only the reader of the records knows. */
export class NestedFault extends Error {
  override readonly name = "NestedFault";
  readonly code: SheetErrorCode;
  readonly details: SheetErrorDetails;

  constructor(code: SheetErrorCode, details: SheetErrorDetails = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** A document that people or programs make for people has no deeper node. */
const MAX_DEPTH = 64;
const MAX_NAME_CHARS = 256;

/** Throws a fault for a node below too many others or with a name that none has. */
export function assertNode(name: string, depth: number): void {
  if (depth > MAX_DEPTH) {
    throw new NestedFault("E_RECORD_LIMIT", { bound: "depth", limit: MAX_DEPTH });
  }
  if (name.length > MAX_NAME_CHARS) {
    throw new NestedFault("E_RECORD_LIMIT", { bound: "name", limit: MAX_NAME_CHARS });
  }
}

/** Throws a fault for a text that no cell can hold. */
export function assertCell(chars: number, { cellChars }: NestedLimits): void {
  if (chars > cellChars) throw new NestedFault("E_CELL_TOO_LONG", { limit: cellChars });
}

/** Throws a fault where so many characters are part of something that has not ended yet. */
export function assertWaiting(chars: number, { recordChars }: NestedLimits): void {
  if (chars > recordChars) {
    const details = { bound: "endless", limit: recordChars, setting: "recordChars" } as const;
    throw new NestedFault("E_RECORD_LIMIT", details);
  }
}
