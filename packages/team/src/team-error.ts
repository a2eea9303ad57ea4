/** Refusals that a person can do something about. */

import { InputError, type Localized } from "@catalog/i18n";

export type TeamErrorCode =
  | "E_INVITATION_USED"
  | "E_KEY_INVALID"
  | "E_KEY_MISSING"
  | "E_LAST_ADMIN"
  | "E_LOGIN_INVALID"
  | "E_LOGIN_TAKEN"
  | "E_PASSWORD_WEAK"
  | "E_PERSON_UNKNOWN"
  | "E_RUN_UNKNOWN"
  | "E_STORE_NAME"
  | "E_STORE_NAME_TAKEN"
  | "E_STORE_UNKNOWN";

export class TeamError extends InputError {
  override readonly name = "TeamError";
  override readonly code: TeamErrorCode;

  constructor(code: TeamErrorCode, localized: Localized, options: ErrorOptions = {}) {
    super(localized, { ...options, code });
    this.code = code;
  }
}
