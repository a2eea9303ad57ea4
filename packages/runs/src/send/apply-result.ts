import { type Localized } from "@catalog/i18n";

/** Why no more rows were sent. All but `finished` leave a run that can be resumed. */
export type ApplyEnd =
  | "finished"
  | "stopped"
  | "breaker"
  | "too-many-rejected"
  | "login"
  | "permission";

/** How sending ended. */
export interface ApplyResult {
  readonly end: ApplyEnd;
  /** What the marketplace said last, when it is the reason. */
  readonly reason?: Localized | undefined;
}
