/** When two names of stores mean the same store. */

/** The name of a store that nobody has named. */
export const FIRST_STORE_NAME = "main";

/** Equal for two names that mean the same store; İ, I, ı and i count as one letter. */
export const storeNameKey = (name: string): string =>
  name.normalize("NFC").replaceAll(/[İIı]/gu, "i").toLowerCase();
