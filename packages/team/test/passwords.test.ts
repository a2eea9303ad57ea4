import { describe, expect, it } from "vitest";

import { assertStrongPassword, createPasswordHasher } from "../src/passwords.ts";
import { TeamError } from "../src/team-error.ts";

const AYSE = { login: "ayse.yilmaz@magaza.example", name: "Ayşe Yılmaz" };

const WEAK: Readonly<Record<string, string>> = {
  // Too short, also where each letter is several units of text.
  "kısa paro1a": "12 characters",
  "🐢🐢🐢🐢🐢🐢🐢🐢🐢🐢🐢": "12 characters",
  ["a".repeat(257)]: "at most 256",
  // Words and rows of keys that are tried first.
  "Password1234!": "easy to guess",
  "P@55w0rd2026!": "easy to guess",
  şifreşifre12: "easy to guess",
  Galatasaray1905: "easy to guess",
  seniseviyorum1: "easy to guess",
  "123456789012": "easy to guess",
  "098765432109": "easy to guess",
  qwertyuiop123: "easy to guess",
  "1qaz2wsx3edc4rfv": "easy to guess",
  aaaaaaaaaaaaaaaa: "easy to guess",
  abababababab: "easy to guess",
  // Seven letters beside a word, and four that differ.
  "Password kzvxqj": "easy to guess",
  kzvxkzvxxvzk: "easy to guess",
  // On the list of those that are used most, of which no rule knows anything.
  michaeljackson: "most people use",
  Counterstrike: "most people use",
  ghjcnjgfhjkm: "most people use",
  lost4815162342: "most people use",
  // Her own names, however they are written.
  AyseYilmaz1990: "own name",
  "ayşe yılmaz 5": "own name",
  "4y5e.y1lm4z.99": "own name",
};

const STRONG: readonly string[] = [
  "dört mavi kaplumbağa yürür",
  "correct horse battery staple",
  "x7#Qm2!vKp9z",
  "Password kzvxqjw",
  "kzvxqkzvxqqk",
  // A name in a long phrase is no harm.
  "ayşe pazardan limon getirdi",
  "🐢🐍🦊🦉🐙🦀🐝🐞🦋🐌🐡🐬",
  "n".repeat(7) + "ovjwqk5",
];

const outcomeOf = (password: string): string => {
  try {
    assertStrongPassword(password, AYSE);
    return "strong";
  } catch (error) {
    if (error instanceof TeamError && error.code === "E_PASSWORD_WEAK") return error.message;
    throw error;
  }
};

describe("a password", () => {
  it.each(Object.entries(WEAK))("is refused: %s", (password, reason) => {
    expect(outcomeOf(password)).toContain(reason);
  });

  it.each(STRONG)("is accepted without rules of composition: %s", (password) => {
    expect(outcomeOf(password)).toBe("strong");
  });

  it("is kept as argon2id with the cost that OWASP asks for, and another salt each time", async () => {
    const { hash } = createPasswordHasher();

    const [first, second] = [
      await hash("dört mavi kaplumbağa"),
      await hash("dört mavi kaplumbağa"),
    ];

    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u);
    expect(first).not.toBe(second);
  });

  it("is the same however the keyboard composes its letters, and no other", async () => {
    const { hash, matches } = createPasswordHasher();
    const known = await hash("dört mavi kaplumbağa".normalize("NFD"));

    const given = ["dört mavi kaplumbağa", "dört mavi kaplumbaga", "Dört mavi kaplumbağa", ""];
    const matching = await Promise.all(given.map((password) => matches(password, known)));

    expect(matching).toEqual([true, false, false, false]);
  });

  it("is not cut off where it is compared", async () => {
    const { hash, matches } = createPasswordHasher();
    const longest = "🐢".repeat(256);
    const known = await hash(longest);

    expect([await matches(longest, known), await matches(`${longest}x`, known)]).toEqual([
      true,
      false,
    ]);
  });

  it("costs a hash of the same kind where there is none to compare with", async () => {
    const { matches } = createPasswordHasher();

    expect([await matches("dört mavi", null), await matches("dört mavi", undefined)]).toEqual([
      false,
      false,
    ]);
  });
});
