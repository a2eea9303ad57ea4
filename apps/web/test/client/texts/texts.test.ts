/** The limits of uploads stand in the manuals and on the page as the server holds them. */

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

import { TEXTS } from "../../../client/texts/texts.ts";
import { MAX_UPLOAD_BYTES, MAX_UPLOADS_BYTES } from "../../../src/api/session.ts";

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

const listLeaves = (value: unknown, path = ""): readonly Leaf[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, part]) => listLeaves(part, `${path}.${key}`))
    : [{ path, value }];

/** The words of a leaf; those that are made are made with numbers. */
const wordsOf = ({ value }: Leaf): string =>
  typeof value === "function" ? String(value(2, 2, 2)) : String(value);

const tr = listLeaves(TEXTS.tr);
const en = listLeaves(TEXTS.en);

/** Words that are the same in both languages. */
const SAME = new Set([
  ".work.alerts.kinds.slack",
  ".work.alerts.kinds.telegram",
  ".fix.ofTotal",
  ".fix.cellName",
  ".program.openCommand",
  ".file.encodings.utf-8",
  ".file.encodings.iso-8859-9",
]);

const isKey = (leaf: Leaf): boolean =>
  /^\.help\.(?:keys|shellKeys|listKeys)\.\d+\.0$|^\.palette\.(?:key|leave)$/u.test(leaf.path);

const shape = (leaves: readonly Leaf[]): readonly string[] =>
  leaves.map(({ path, value }) => `${path} ${typeof value}`).toSorted();

describe("texts", () => {
  it("are complete in both languages, kind for kind", () => {
    expect(shape(en)).toEqual(shape(tr));
  });

  it("are never empty", () => {
    expect([...tr, ...en].filter((leaf) => wordsOf(leaf).trim() === "")).toEqual([]);
  });

  it("are translated", () => {
    const turkish = new Map(tr.map((leaf) => [leaf.path, wordsOf(leaf)]));
    const same = en.filter((leaf) => turkish.get(leaf.path) === wordsOf(leaf));

    expect(same.filter((leaf) => !SAME.has(leaf.path) && !isKey(leaf))).toEqual([]);
  });

  it("have no word of the code", () => {
    const words = /undefined|null|\bNaN\b|\b[EW]_[A-Z]+|draft|HTTP/u;

    const shown = tr.map(wordsOf).filter((text) => words.test(text));

    expect(shown).toEqual([]);
  });

  it("put counts into the singular and the plural of English", () => {
    expect(TEXTS.en.preview.rowCount(1)).toBe("1 row");
    expect(TEXTS.en.preview.rowCount(1_200)).toBe("1,200 rows");
    expect(TEXTS.tr.preview.rowCount(1_200)).toBe("1.200 satır");
  });
});

/** A noun that a number is before, such as "2 new rows"; "0" and more have the plural. */
const NOUN =
  "(?:new |added |held )?(row|column|guess|product|call|cell|sheet|rule|value|name|file|thing)";
const WRONG_EN: Readonly<Record<number, RegExp>> = {
  0: new RegExp(String.raw`\b0 ${NOUN}\b`, "u"),
  1: new RegExp(
    String.raw`\b1 ${NOUN}e?s\b|\b(?:all|every) 1\b|\b1 [a-z ]+ (?:that change|wait|go|(?<!do not )need)\b`,
    "u",
  ),
  2: new RegExp(String.raw`\b2 ${NOUN}\b`, "u"),
};
/** Turkish has no plural behind a number, and one thing is not "all" of something. */
const WRONG_TR: Readonly<Record<number, RegExp>> = {
  0: /\b0 [a-zçğıöşü]+(?:lar|ler)\b/u,
  1: /\b1 [a-zçğıöşü]+(?:lar|ler)\b|\b1 .*\bhepsi/u,
  2: /\b2 [a-zçğıöşü]+(?:lar|ler)\b/u,
};

describe("texts with a number", () => {
  for (const count of [0, 1, 2]) {
    const callWith = ({ value }: Leaf): string =>
      typeof value === "function" ? String(value(count, count, count)) : "";

    it(`are right for ${count}`, () => {
      const english = en.map(callWith).filter((text) => WRONG_EN[count]?.test(text));
      const turkish = tr.map(callWith).filter((text) => WRONG_TR[count]?.test(text));

      expect([...english, ...turkish]).toEqual([]);
    });
  }
});

describe("the sentence about errors", () => {
  it("says nothing of warnings where there are none", () => {
    const { fix } = TEXTS.tr;

    expect(fix.status(2, 0, 10)).toBe("2 satırda hata var.");
    expect(fix.status(2, 1, 10)).toBe("2 satırda hata, 1 satırda uyarı var.");
    expect(fix.status(0, 1, 10)).toBe("Hata kalmadı: 10 satır, 1 satırda uyarı var.");
    expect(fix.status(0, 0, 10)).toBe("Hata kalmadı: 10 satır.");
  });
});

const MEGABYTE = 1024 * 1024;

const readSource = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../../docs/${name}`, import.meta.url)), "utf8");

it("are told by the page and by the manuals", () => {
  const one = `${MAX_UPLOAD_BYTES / MEGABYTE} MB`;
  const all = `${MAX_UPLOADS_BYTES / MEGABYTE} MB`;

  for (const name of ["usage.tr.md", "usage.en.md", "limits.md"]) {
    expect([name, readSource(name).includes(one), readSource(name).includes(all)]).toEqual([
      name,
      true,
      true,
    ]);
  }
  expect([TEXTS.tr.upload.kinds, TEXTS.en.upload.kinds].map((text) => text.includes(one))).toEqual([
    true,
    true,
  ]);
});

/* Every word of a screen comes from the records of texts, so that no language has a gap. */

const CLIENT = fileURLToPath(new URL("../../../client", import.meta.url));

/** Attributes that a person reads or hears. */
const SPOKEN =
  /^(?:title|label|hint|placeholder|alt|none|text|aria-(?:label|description|valuetext))$/u;

/** Commands, which are the same in every language. */
const COMMANDS: ReadonlySet<string> = new Set(["catalog web", "catalog login"]);

const isWords = (text: string): boolean => /\p{L}/u.test(text) && !COMMANDS.has(text.trim());

/** Literal words of the JSX of a parsed file. */
function listWords(node: unknown): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  const read = (key: string): unknown => Reflect.get(node, key);
  const parts = Object.values(node).flatMap(listWords);
  const type = read("type");
  if (type === "JSXText") parts.push(String(read("value")));
  if (type === "JSXElement" || type === "JSXFragment") {
    parts.push(...[read("children")].flat().flatMap(listLiterals));
  }
  if (type === "JSXAttribute" && SPOKEN.test(String(Object(read("name")).name))) {
    parts.push(...listLiterals(read("value")));
  }
  return parts.filter(isWords);
}

/** Texts that an expression shows as they stand, also as one of two choices or as a template. */
function listLiterals(node: unknown): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  const read = (key: string): unknown => Reflect.get(node, key);
  if (read("type") === "Literal")
    return typeof read("value") === "string" ? [String(read("value"))] : [];
  if (read("type") === "JSXExpressionContainer") return listLiterals(read("expression"));
  if (read("type") === "ConditionalExpression") {
    return [...listLiterals(read("consequent")), ...listLiterals(read("alternate"))];
  }
  if (read("type") === "LogicalExpression") return listLiterals(read("right"));
  if (read("type") !== "TemplateLiteral") return [];
  return [read("quasis")].flat().map((part) => String(Reflect.get(Object(part).value, "cooked")));
}

const find = (name: string, source: string): readonly string[] =>
  listWords(parseSync(name, source).program).map((words) => `${name}: ${words.trim()}`);

it("finds words of a component that no record holds", () => {
  const source =
    'const A = () => <p title="Başlık" className="x">Metin {n} <b>{n === 1 ? "tek" : `${n} çok`}</b></p>;';

  expect(find("a.tsx", source).toSorted()).toEqual([
    "a.tsx: Başlık",
    "a.tsx: Metin",
    "a.tsx: tek",
    "a.tsx: çok",
  ]);
});

it("finds none in the page", () => {
  const files = globSync("**/*.tsx", { cwd: CLIENT });

  expect(files.length).toBeGreaterThan(30);
  const words = files.flatMap((file) => find(file, readFileSync(join(CLIENT, file), "utf8")));
  expect(words).toEqual([]);
});
