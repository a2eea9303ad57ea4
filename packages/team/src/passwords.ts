/**
 * Passwords: which are too easy to guess, and how they are kept. There are no rules of composition
 * (OWASP ASVS 5, 6.2): what counts is what is left of a password without what others try first.
 */

import type * as Argon2 from "@node-rs/argon2";
import pLimit from "p-limit";

import { isMostUsed } from "./most-used-passwords.ts";
import { TeamError } from "./team-error.ts";
import type { Person } from "./team.ts";

const MIN_LENGTH = 12;
const MAX_LENGTH = 256;
/** A character is one or two units of text. */
const MAX_UNITS = 2 * MAX_LENGTH;
/** Letters that must be left once everything easy is taken out, and how many of them must differ. */
const MIN_REST = 8;
const MIN_DIFFERENT = 5;
/** Shorter parts of names are in many words by chance. */
const MIN_NAME_PART = 3;

/** OWASP Password Storage Cheat Sheet: argon2id, 19 MiB, two passes, one lane. */
const HASHING = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

/** Words that are tried first, folded: without case, accents and digits that stand for letters. */
const COMMON: readonly string[] = `
  password passwort passphrase parola sifrem sifre secret gizli welcome hosgeldin letmein
  changeme iloveyou seniseviyorum askim administrator admin yonetici root guest misafir
  default test deneme qwertyuiop qwerty asdfghjkl asdfgh zxcvbnm azerty fghjkl abcdefgh
  galatasaray fenerbahce besiktas trabzonspor cimbom kartal aslan turkiye istanbul ankara
  izmir ataturk bismillah allah mehmet mustafa football baseball superman batman dragon monkey
  princess sunshine summer winter spring autumn ilkbahar sonbahar january december catalog
  katalog magaza pazaryeri marketplace abc
`
  .trim()
  .split(/\s+/u);

/** Rows of keys and rows of signs, in which people walk. */
const WALKS: readonly string[] = [
  "0123456789012345678901234567890",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "1q2w3e4r5t6y7u8i9o0p",
];
const MIN_WALK = 4;

/** Digits and signs that people write for a letter. */
const FOR_LETTERS: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
  ı: "i",
};

/** Text as it is hashed: the same letters, however a keyboard has made them. */
const toHashed = (password: string): string => password.normalize("NFKC");

/** Throws `TeamError` `E_PASSWORD_WEAK` where others would guess the password of this person. */
export function assertStrongPassword(
  password: string,
  { login, name }: Pick<Person, "login" | "name">,
): void {
  const { length } = Array.from(toHashed(password));
  if (length < MIN_LENGTH) throw weak(TOO_SHORT);
  if (length > MAX_LENGTH) throw weak(TOO_LONG);
  const plain = toPlain(password);
  if (isMostUsed(plain)) throw weak(MOST_USED);
  const rest = withoutWords(withoutWalks(plain), COMMON);
  if (isTooLittle(rest)) throw weak(TOO_COMMON);
  const names = [...toPlain(`${login} ${name}`).matchAll(/[\p{L}\p{N}]+/gu)]
    .map(([part]) => part)
    .filter((part) => part.length >= MIN_NAME_PART);
  if (isTooLittle(withoutWords(rest, names))) throw weak(OWN_NAME);
}

const toPlain = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ı", "i");

const isTooLittle = (rest: string): boolean =>
  Array.from(rest).length < MIN_REST || new Set(rest).size < MIN_DIFFERENT;

/** Takes out stretches of at least {@link MIN_WALK} signs that follow each other on a row, either way. */
function withoutWalks(plain: string): string {
  let rest = "";
  let at = 0;
  while (at < plain.length) {
    const length = walkAt(plain, at);
    if (length >= MIN_WALK) at += length;
    else {
      rest += plain.charAt(at);
      at += 1;
    }
  }
  return rest;
}

const BOTH_WAYS: readonly string[] = WALKS.flatMap((row) => [
  row,
  Array.from(row).toReversed().join(""),
]);

/** Length of the longest stretch of a row that begins here. */
function walkAt(plain: string, at: number): number {
  let length = 0;
  while (
    at + length < plain.length &&
    BOTH_WAYS.some((row) => row.includes(plain.slice(at, at + length + 1)))
  ) {
    length += 1;
  }
  return length;
}

/** Takes out words, however their letters are written; the longest first. */
function withoutWords(plain: string, words: readonly string[]): string {
  let rest = plain;
  for (const word of words.toSorted((a, b) => b.length - a.length)) {
    const asLetters = toLetters(word);
    for (let found = toLetters(rest).indexOf(asLetters); found !== -1;) {
      rest = rest.slice(0, found) + rest.slice(found + asLetters.length);
      found = toLetters(rest).indexOf(asLetters);
    }
  }
  return rest;
}

/** Keeps the length, so that places in the result are places in the text. */
const toLetters = (text: string): string =>
  text.replaceAll(/[013457@$!ı]/gu, (sign) => FOR_LETTERS[sign] ?? sign);

interface Reason {
  readonly tr: string;
  readonly en: string;
}

const TOO_SHORT: Reason = {
  tr: `Parola en az ${MIN_LENGTH} karakter olmalı. Birkaç sözcükten oluşan bir cümle hem akılda kalır hem güçlüdür.`,
  en: `The password needs at least ${MIN_LENGTH} characters. A phrase of a few words is easy to remember, and strong.`,
};

const TOO_LONG: Reason = {
  tr: `Parola en çok ${MAX_LENGTH} karakter olabilir.`,
  en: `The password may have at most ${MAX_LENGTH} characters.`,
};

const MOST_USED: Reason = {
  tr: "Bu parola, en çok kullanılan parolalar listesinde; ilk denenenlerden olur. Birkaç ilgisiz sözcüğü yan yana getirin.",
  en: "This password is on the list of those that most people use, so it would be among the first tries. Put a few unrelated words together.",
};

const TOO_COMMON: Reason = {
  tr: "Bu parola kolay tahmin edilir: çok kullanılan sözcüklerden ya da art arda gelen tuşlardan oluşuyor. Birkaç ilgisiz sözcüğü yan yana getirin.",
  en: "This password is easy to guess: it is made of words that many people use, or of keys in a row. Put a few unrelated words together.",
};

const OWN_NAME: Reason = {
  tr: "Bu parola neredeyse yalnızca sizin adınız. Adınızın ve adresinizin geçmediği birkaç sözcük seçin.",
  en: "This password is little more than your own name. Choose a few words without your name and address.",
};

const weak = (reason: Reason): TeamError => new TeamError("E_PASSWORD_WEAK", reason);

/** Compares with a hash of the same cost, so that an unknown login takes as long as a known one. */
const NO_HASH = `$argon2id$v=19$m=${HASHING.memoryCost},t=${HASHING.timeCost},p=${HASHING.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Hashes at a time: each takes 19 MiB and a processor. */
const MAX_AT_ONCE = 2;

// Most commands need no password, and it is a library of the machine's own code.
const loadArgon2 = async (): Promise<Pick<typeof Argon2, "hash" | "verify">> =>
  await import("@node-rs/argon2");

export interface PasswordHasher {
  readonly hash: (password: string) => Promise<string>;
  /** Without a hash the answer is no, after the same time. */
  readonly matches: (password: string, known: string | null | undefined) => Promise<boolean>;
}

export function createPasswordHasher(): PasswordHasher {
  const inTurn = pLimit(MAX_AT_ONCE);
  return {
    hash: (password) =>
      inTurn(async () => {
        const { hash } = await loadArgon2();
        return await hash(toHashed(password), HASHING);
      }),
    matches: (password, known) =>
      inTurn(async () => {
        const { verify } = await loadArgon2();
        const given = toHashed(password);
        const isRight = await verify(known ?? NO_HASH, given.slice(0, MAX_UNITS));
        return isRight && given.length <= MAX_UNITS && typeof known === "string";
      }),
  };
}
