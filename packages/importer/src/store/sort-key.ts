/**
 * Keys of texts that compare sign by sign as the texts are sorted in Turkish, so that a database can
 * sort them: ç after c, ı before i, numbers by their value, case and foreign accents without weight.
 */

/** Signs that are no letters, in the order of the Unicode collation; all others come after them. */
const SIGNS = " _-,;:!?.'\"()[]{}@*/\\&#%^+<=>|~$";
const LETTERS = "abcçdefgğhıijklmnoöpqrsştuüvwxyz";

/** Places of the keys' signs, all of them ASCII: signs, the lengths of numbers, digits, letters. */
const FIRST_SIGN = 0x01;
const FIRST_LENGTH = 0x22;
const LAST_LENGTH = 0x2f;
const FIRST_LETTER = 0x41;
/** Stands before a sign that has no place of its own. */
const OTHER = "\u007f";

/** Longer keys sort no two texts that a person would tell apart. */
const MAX_SIGNS = 200;

/** Creates the function that makes the key; it remembers each sign that it has met. */
export function createSortKey(): (text: string) => string {
  const known = new Map<string, string>(
    SIGNS.split("").map((sign, at) => [sign, String.fromCharCode(FIRST_SIGN + at)]),
  );
  for (const [at, letter] of LETTERS.split("").entries()) {
    const place = String.fromCharCode(FIRST_LETTER + at);
    known.set(letter, place);
    known.set(letter.toLocaleUpperCase("tr"), place);
  }
  const toPlace = (sign: string): string => {
    const place = known.get(sign) ?? placeOf(sign, known);
    known.set(sign, place);
    return place;
  };
  return (text) => {
    const parts = text
      .trim()
      .slice(0, MAX_SIGNS)
      .split(/0*(\d+)/u);
    // Every second part is a number.
    return parts
      .map((part, at) => (at % 2 === 1 ? toNumber(part) : Array.from(part, toPlace).join("")))
      .join("");
  };
}

/** A longer number is a larger one. */
const toNumber = (digits: string): string =>
  String.fromCharCode(Math.min(FIRST_LENGTH + digits.length - 1, LAST_LENGTH)) + digits;

/** A letter with a foreign accent stands with the letter, and `æ` with `ae`. */
function placeOf(sign: string, known: ReadonlyMap<string, string>): string {
  const plain = sign.normalize("NFKD").toLocaleLowerCase("tr").replaceAll(/\p{M}/gu, "");
  const parts = Array.from(TWO_LETTERS[plain] ?? plain, (part) => known.get(part));
  return parts.includes(undefined) ? OTHER + sign : parts.join("");
}

const TWO_LETTERS: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe" };
