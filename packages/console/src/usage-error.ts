import { InputError } from "@catalog/i18n";

/** The command line or the settings are wrong; nothing was done. */
export class UsageError extends InputError {
  override readonly name = "UsageError";
}
