/** The names that people give to their stores: which are allowed, and when two are the same. */

import { UsageError } from "@catalog/console";
import { FIRST_STORE_NAME, type Localized, storeNameKey } from "@catalog/i18n";

import { findNear } from "../command-line/check.ts";

/** The name of a login that was stored without one. */
export const FIRST_NAME: string = FIRST_STORE_NAME;

const MAX_LENGTH = 32;

/** Letters of English and Turkish, and digits; single words of a shell, and no flags. */
const NAME =
  /^[\da-zA-ZçğıöşüâîûÇĞİÖŞÜÂÎÛ](?:[-\da-zA-ZçğıöşüâîûÇĞİÖŞÜÂÎÛ]{0,30}[\da-zA-ZçğıöşüâîûÇĞİÖŞÜÂÎÛ])?$/u;

/** Returns the name as it is stored and shown. Throws {@link UsageError} for one that is not allowed. */
export function parseStoreName(text: string): string {
  const name = text.normalize("NFC");
  if (NAME.test(name)) return name;
  throw new UsageError({
    tr: `Bir mağaza adında yalnızca harf, rakam ve - olabilir; harf ya da rakamla başlar ve biter, en çok ${MAX_LENGTH} karakterdir. Örnek: mutfak`,
    en: `A store's name has letters, digits and - only; it begins and ends with a letter or digit and has at most ${MAX_LENGTH} characters. Example: kitchen`,
  });
}

/** Finds a store by the name that a person has typed. */
export const findNamed = <Store extends { readonly name: string }>(
  stores: readonly Store[],
  name: string,
): Store | undefined => stores.find((store) => storeNameKey(store.name) === storeNameKey(name));

/** The error of a name that no store has; it lists the names that there are. */
export function unknownStore(typed: string, names: readonly string[]): UsageError {
  const name = parseStoreName(typed);
  const near = findNear(name, names);
  const list = names.join(", ");
  const meant: Localized =
    near === undefined
      ? { tr: "", en: "" }
      : { tr: ` “${near}” mi demek istediniz?`, en: ` Did you mean “${near}”?` };
  const known: Localized =
    names.length === 0
      ? { tr: " Adıyla saklanan bir mağaza yok.", en: " No store is stored by name." }
      : { tr: ` Mağazalar: ${list}.`, en: ` The stores: ${list}.` };
  return new UsageError({
    tr: `“${name}” adında bir mağaza yok.${meant.tr}${known.tr} Eklemek için: catalog login --store ${name}`,
    en: `There is no store “${name}”.${meant.en}${known.en} To add it: catalog login --store ${name}`,
  });
}
