import { InputError } from "@catalog/i18n";
import { PLATFORM_NAMES } from "@catalog/mapping";

/**
 * The platform that a person names, in any case; `undefined` where none is named. Throws
 * {@link InputError} with the list of names for any other text.
 */
export function parsePlatform(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const name = PLATFORM_NAMES.find((each) => each === text.toLowerCase());
  if (name !== undefined) return name;
  const list = PLATFORM_NAMES.join(", ");
  throw new InputError({
    tr: `“${text}” diye bir platform tanınmıyor; olanlar: ${list}.`,
    en: `No platform is known as “${text}”; there are: ${list}.`,
  });
}
