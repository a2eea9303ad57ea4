/** A failure as the page shows it. */

/** What events say of the database. */
export interface DatabaseView {
  /** What the server waits for, in words; `null` where the database answers. */
  readonly waitsFor: string | null;
}

/** Every answer that is not 2xx has this body. */
export interface Problem {
  /** Stable code, such as `E_DRAFT_CHANGED`. */
  readonly code: string;
  /** A sentence with the next step, in the language of the request. */
  readonly message: string;
  /** The command that prints a new link, where there is no session (401). */
  readonly command?: string;
}
