import type { Localized } from "@catalog/i18n";

/** An option of the sandbox cannot be used; the message is the English text. */
export class OptionError extends RangeError {
  override readonly name = "OptionError";
  readonly localized: Localized;

  constructor(localized: Localized) {
    super(localized.en);
    this.localized = localized;
  }
}
