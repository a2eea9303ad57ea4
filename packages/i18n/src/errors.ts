import type { Localized } from "./localized.ts";

/** Base of the errors whose texts are for people. `message` is the English text. */
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

/** The input of a person cannot be used; nothing was done. */
export class InputError extends LocalizedError {
  // Typed as string, so that a subclass can have its own name.
  override readonly name: string = "InputError";

  /** Makes the error; without a `code` its code is `E_USAGE`. */
  constructor(localized: Localized, options: ErrorOptions & { readonly code?: string } = {}) {
    super(options.code ?? "E_USAGE", localized, options);
  }
}
