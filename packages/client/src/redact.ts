/**
 * Takes secrets out of text that people or logs may see: known values, and whatever has the form of
 * one.
 */

/** Takes the secrets out of a text. */
export type Redact = (text: string) => string;

const REPLACEMENT = "[redacted]";

/** Shorter values occur in ordinary words, so only their parameter forms are removed. */
const MIN_SECRET_LENGTH = 4;

/** A shorter start of a secret, or less than half of it, is treated as an ordinary word. */
const MIN_CUT_LENGTH = 8;

/** `name=value`, `"name": "value"` and the same with escaped quotes or a percent-encoded sign. */
const PARAMETERS =
  /(access_token|client_secret)((?:\\*["'])?\s*(?:[=:]|%3d)\s*(?:\\*["'])?)[^&\s"'\\,}]+/giu;

/**
 * Removes the values of `access_token` and `client_secret` parameters, and each of `secrets`
 * wherever it stands, plain, percent-encoded or escaped in JSON. A secret that the end of the text
 * cuts off is removed as well, unless more than half of it is missing. Values under four characters
 * are only removed as parameters.
 */
export function redact(text: string, secrets: Iterable<string> = []): string {
  const forms = [...secrets]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap(formsOf);
  // A secret that contains another one is replaced first; otherwise the rest of it would remain.
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  const known = longestFirst.reduce(removeForm, text);
  return known.replaceAll(PARAMETERS, `$1$2${REPLACEMENT}`);
}

function removeForm(text: string, form: string): string {
  const whole = text.replaceAll(form, REPLACEMENT);
  const min = Math.max(MIN_CUT_LENGTH, form.length / 2);
  for (let length = form.length - 1; length >= min; length -= 1) {
    if (whole.endsWith(form.slice(0, length))) return whole.slice(0, -length) + REPLACEMENT;
  }
  return whole;
}

function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)];
}

/** Remembers the secrets of one client, old tokens included. */
export interface Redactor {
  add(secret: string): void;
  readonly redact: Redact;
}

/** Creates a redactor without secrets. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    add: (secret) => void secrets.add(secret),
    redact: (text) => redact(text, secrets),
  };
}
