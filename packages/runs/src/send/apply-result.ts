import type { Localized } from "@catalog/i18n";

/** Why no more rows were sent. All but `finished` leave a run that can be resumed. */
export type ApplyEnd =
  | "finished"
  | "stopped"
  | "breaker"
  | "too-many-rejected"
  | "login"
  | "permission";

/** The result of sending a run. */
export interface ApplyResult {
  readonly end: ApplyEnd;
  /** The marketplace's last message, where it is the reason. */
  readonly reason?: Localized | undefined;
}
