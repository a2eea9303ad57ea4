/** What is remembered of product codes beyond those that are equal. */

import { type CodePair, type CodeWay } from "../plan/codes/code-normalization.ts";

/** A code that is taken, by a product of the store or by a row of ours. */
export interface TakenCode {
  readonly code: string;
  readonly suspectKey: string;
  /** In the last listing of the store, sent by us, or on a row of a run that is under way. */
  readonly where: "store" | "sent" | "waiting";
  /** Id of the product, or of the run. */
  readonly id: string;
}

/** The codes of one store, which the store package keeps. */
export interface CodeBook {
  /** Taken codes with one of these keys; rows of the run itself take none. */
  readAlike(runId: string, suspectKeys: readonly string[]): Promise<readonly TakenCode[]>;
  /** Codes of adds of ours, as the last listing shows them: all that differ come first. */
  readPairs(limit: number): Promise<readonly CodePair[]>;
  /** How the store writes codes, as it was learnt last. */
  readWay(): Promise<CodeWay | undefined>;
  saveWay(way: CodeWay | undefined): Promise<void>;
}
