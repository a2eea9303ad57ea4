/** Every word of a screen comes from the records of texts, so that no language has a gap. */

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { parseSync } from "vite";
import { expect, it } from "vitest";

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
