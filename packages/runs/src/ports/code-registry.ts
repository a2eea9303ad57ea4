/** What is remembered of product codes that are equal or look alike. */

import type { CodePair, CodeNormalization } from "../plan/codes/code-normalization.ts";

/** A code that is in use, by a product of the store or by a row of a run. */
export interface TakenCode {
  readonly code: string;
  readonly suspectKey: string;
  /**
   * `store`: in the last listing; `sent`: in the ledger; `waiting`: on a row of a run under way.
   */
  readonly where: "store" | "sent" | "waiting";
  /** Id of the product, or of the run where the code is waiting. */
  readonly id: string;
  /** Title of the product, where it is known. */
  readonly title?: string | undefined;
}

/** The product codes of one store. */
export interface CodeRegistry {
  /**
   * Reads the codes in use that have one of these keys. Rows of the run itself, and the products
   * that they have added, are left out. For `null`, rows that wait to be sent are left out, of
   * whatever run: they may change while the caller is at work.
   */
  readLookAlikes(
    runId: string | null,
    suspectKeys: readonly string[],
  ): Promise<readonly TakenCode[]>;
  /**
   * Reads codes of our adds as sent and as the last listing shows them, pairs that differ first.
   */
  readPairs(limit: number): Promise<readonly CodePair[]>;
  /** Reads how the store rewrites codes, as it was learnt last. */
  readNormalization(): Promise<CodeNormalization | undefined>;
  saveNormalization(normalization: CodeNormalization | undefined): Promise<void>;
}
