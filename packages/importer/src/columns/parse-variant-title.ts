import { InputError } from "@catalog/i18n";
import { findUnknownPlaces } from "@catalog/mapping";

/**
 * A pattern of the titles of variants; `undefined` where none is given. Throws {@link InputError} for
 * a pattern without the product's title or with a name that stands for nothing.
 */
export function parseVariantTitle(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const unknown = findUnknownPlaces(text).map((name) => `{${name}}`);
  if (unknown.length === 0 && text.includes("{title}")) return text;
  const wrong = unknown.length === 0 ? text : unknown.join(", ");
  throw new InputError({
    tr: `Varyant başlığının kalıbı anlaşılamadı: “${wrong}”. {title} geçmeli; yanında {options} ya da {option1}, {option2} … olabilir.`,
    en: `The pattern of variant titles is not understood: “${wrong}”. It needs {title}; {options} or {option1}, {option2} … may stand beside it.`,
  });
}
