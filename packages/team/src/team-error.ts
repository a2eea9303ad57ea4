/** Refusals that a person can do something about. */

import type { Localized } from "@catalog/i18n";

export type TeamErrorCode =
  | "E_INVITATION_USED"
  | "E_KEY_MISSING"
  | "E_LAST_ADMIN"
  | "E_LOGIN_TAKEN"
  | "E_PASSWORD_WEAK"
  | "E_STORE_NAME_TAKEN";

export class TeamError extends Error {
  readonly code: TeamErrorCode;
  readonly localized: Localized;

  constructor(code: TeamErrorCode, localized: Localized) {
    super(localized.en);
    this.name = "TeamError";
    this.code = code;
    this.localized = localized;
  }
}
