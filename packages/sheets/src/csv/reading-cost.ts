/**
 * How unlikely a decoded word is, in points: a word of a Turkish catalog has few, a wrongly decoded
 * word has many. Only letters beyond ASCII cost points; ASCII letters are their context.
 */

const COST = {
  circumflex: 4,
  /** A letter of a neighbouring language, as brand names have it. */
  foreign: 5,
  rare: 9,
  otherAlphabet: 12,
  /** A letter of another language right behind a letter beyond ASCII. */
  foreignInRow: 4,
  sign: 3,
  /** A dash without a blank on either side. */
  tightDash: 6,
  misplacedSign: 10,
  unknownSign: 14,
  miscased: 8,
  besideDigit: 5,
  aloneLetter: 4,
  noSyllable: 6,
  noHarmony: 3,
  loanWord: 1,
} as const;

/**
 * Characters beyond ASCII of Turkish text. The higher frequency of İ than Ü is ignored, because in
 * capitals one encoding's Ü is another's İ, and a list of GÜMÜŞ YÜZÜK must not be read as GİMİŞ
 * YİZİK.
 */
const TURKISH: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ı: 1,
    ü: 2,
    ş: 2,
    ç: 2,
    ğ: 2,
    İ: 2.5,
    Ş: 2,
    Ç: 2,
    ö: 2.5,
    Ö: 2.5,
    Ü: 2.5,
    Ğ: 2.5,
  }),
);
const CIRCUMFLEX = /[âîû]/iu;
const FOREIGN = /[àáâãäåæçèéêëìíîïñòóôõöøùúûüßœ]/iu;

const DIAMETER = "Ø";

/** Signs of a catalog and their context: behind or before a digit, a letter, or neither. */
const SIGNS: readonly (readonly [signs: string, before: string, after: string])[] = [
  ["“‘„‚¿¡", "-", "DL"],
  ["”™®©…", "DL-", "-"],
  ["’", "DL", "L-"],
  ["€£¥½¼¾±×÷", "D-", "D-"],
  ["°", "D-", "L-"],
  ["°º", "L", "D"],
  ["ºª²³", "D", "-"],
  ["–—•·§\u00a0", "D-", "DL-"],
  ["–—", "L", "D-"],
  ["\u00a0", "L", "DL-"],
  ["µ", "D-", "L"],
  [DIAMETER, "-", "D-"],
];
/** Units that a square or a cube sign follows. */
const UNIT = /(?:^|\d)[cdkm]?m$/iu;

const VOWELS = "aıoueiöü";
/** Vowel harmony of a Turkish word; loan words break it with i, and rarely with ı or ö. */
const HARMONY = /^(?:[aı][aı]|[ou][au]|[ei][ei]|[öü][eü])$/u;
const LOAN_HARMONY = /^(?:[aou]i|i[aou]|ü[aou])$/u;

const isLetter = (sign: string): boolean => /\p{L}/u.test(sign);
const isSmall = (sign: string): boolean => /\p{Ll}/u.test(sign);
const isCapital = (sign: string): boolean => /\p{Lu}/u.test(sign);
const isBeyondAscii = (sign: string): boolean => sign >= "\u0080";
/** Turkish lower case; the locale of the runtime takes ten times as long. */
const toSmall = (text: string): string =>
  text.replaceAll("İ", "i").replaceAll("I", "ı").toLowerCase();
const isVowel = (sign: string): boolean => sign !== "" && VOWELS.includes(toSmall(sign));
const isConsonant = (sign: string): boolean => isLetter(sign) && !isVowel(sign);

/** A sign and its neighbours in the word, which are empty at the ends. */
interface PatternPart {
  readonly sign: string;
  readonly before: string;
  readonly after: string;
  /** The word up to the sign. */
  readonly start: string;
}

/** The cost of a word in points; 0 for ASCII only. */
export function readingCost(word: string): number {
  const parts = partsBeyondAscii(word);
  const cost = parts.reduce((sum, part) => sum + partCost(part), 0);
  return cost + harmonyCost(Array.from(word));
}

/** Whether a character stands where no language writes it. */
export const isBroken = (word: string): boolean => partsBeyondAscii(word).some(isBrokenAt);

function partsBeyondAscii(word: string): readonly PatternPart[] {
  const signs = Array.from(word);
  return signs.flatMap((sign, at) => {
    if (!isBeyondAscii(sign)) return [];
    const [before = "", after = ""] = [signs[at - 1], signs[at + 1]];
    return [{ sign, before, after, start: signs.slice(0, at).join("") }];
  });
}

const partCost = (part: PatternPart): number => (isSign(part) ? signCost(part) : letterCost(part));

const isBrokenAt = (part: PatternPart): boolean =>
  isSign(part) ? signCost(part) >= COST.tightDash : isMiscased(part);

/** Whether it is a sign; Unicode counts some catalog signs as letters. */
function isSign({ sign, before, after }: PatternPart): boolean {
  if (sign === DIAMETER) return !isLetter(before) && !isLetter(after);
  return !isLetter(sign) || SIGNS.some(([signs]) => signs.includes(sign));
}

function signCost({ sign, before, after, start }: PatternPart): number {
  if ("–—".includes(sign) && isLetter(before) && isLetter(after)) return COST.tightDash;
  const known = SIGNS.filter(([signs]) => signs.includes(sign));
  if (known.length === 0) return COST.unknownSign;
  const isPlaced = known.some(
    ([, left, right]) => left.includes(kindOf(before)) && right.includes(kindOf(after)),
  );
  const isPower = "²³".includes(sign) && UNIT.test(start);
  return isPlaced || isPower ? COST.sign : COST.misplacedSign;
}

function kindOf(sign: string): "D" | "L" | "-" {
  if (/\d/u.test(sign)) return "D";
  return isLetter(sign) ? "L" : "-";
}

function letterCost(part: PatternPart): number {
  const { sign, before, after } = part;
  let cost = rarity(sign);
  if (cost >= COST.foreign && isLetter(before) && isBeyondAscii(before)) cost += COST.foreignInRow;
  if (/\d/u.test(before + after)) cost += COST.besideDigit;
  else if (!isLetter(before) && !isLetter(after)) cost += COST.aloneLetter;
  if (isMiscased(part)) cost += COST.miscased;
  if (breaksSyllable(part)) cost += COST.noSyllable;
  return cost;
}

function rarity(letter: string): number {
  const turkish = TURKISH.get(letter);
  if (turkish !== undefined) return turkish;
  if (CIRCUMFLEX.test(letter)) return COST.circumflex;
  if (FOREIGN.test(letter)) return COST.foreign;
  return /\p{Script=Latin}/u.test(letter) ? COST.rare : COST.otherAlphabet;
}

/** Whether a capital stands within lower-case letters, or a lower-case letter beside capitals. */
function isMiscased({ sign, before, after, start }: PatternPart): boolean {
  if (isCapital(sign)) return isSmall(before) || (isCapital(before) && isSmall(after));
  return isSmall(sign) && (isCapital(after) || /\p{Lu}{2}$/u.test(start));
}

/**
 * Whether a syllable is impossible in Turkish: ğ without a vowel before it, two vowels, or ç and ş
 * among consonants.
 */
function breaksSyllable({ sign, before, after, start }: PatternPart): boolean {
  const letter = toSmall(sign);
  if (letter === "ğ") return !isVowel(before);
  if ("ıiüö".includes(letter)) return isVowel(before) || isVowel(after);
  if (!"çş".includes(letter)) return false;
  return isConsonant(before) && (start.length === 1 || isConsonant(after));
}

function harmonyCost(signs: readonly string[]): number {
  let cost = 0;
  let before = "";
  for (const vowel of signs.filter(isVowel)) {
    const pair = toSmall(before + vowel);
    const isTold = before !== "" && (isBeyondAscii(before) || isBeyondAscii(vowel));
    if (isTold && !HARMONY.test(pair)) {
      cost += LOAN_HARMONY.test(pair) ? COST.loanWord : COST.noHarmony;
    }
    before = vowel;
  }
  return cost;
}
