import { type Localized } from "./localized.ts";

/** Base of the errors whose text is for people. `message` is the English text. */
export abstract class LocalizedError<Code extends string = string> extends Error {
  /** Stable; safe to branch on. The texts are not. */
  readonly code: Code;
  readonly localized: Localized;

  constructor(code: Code, localized: Localized, options?: ErrorOptions) {
    super(localized.en, options);
    this.code = code;
    this.localized = localized;
  }
}

/** What a person gave cannot be used; nothing was done. */
export class InputError extends LocalizedError {
  // Typed, so that a subclass may have a name of its own.
  override readonly name: string = "InputError";

  /** Without a `code` it is `E_USAGE`. */
  constructor(localized: Localized, options: ErrorOptions & { readonly code?: string } = {}) {
    super(options.code ?? "E_USAGE", localized, options);
  }
}
