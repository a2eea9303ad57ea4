/** Category texts as other programs and people write them, made from a path. */

/** Makes a text; `other` is the path of another category, `random` gives numbers from 0 to 1. */
export type Mutation = (
  path: readonly string[],
  other: readonly string[],
  random: () => number,
) => string;

const joined =
  (separator: string): Mutation =>
  (path) =>
    path.join(separator);

const whole =
  (change: (text: string) => string): Mutation =>
  (path) =>
    change(path.join(" > "));

const leaf = (path: readonly string[]): string => path.at(-1) ?? "";

const withLeaf = (path: readonly string[], name: string): string =>
  [...path.slice(0, -1), name].join(" > ");

/** A letter lost, added, or two in the wrong order. */
function slip(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const kind = Math.floor(random() * 3);
  if (kind === 0) return word.slice(0, at) + word.slice(at + 1);
  if (kind === 1) return `${word.slice(0, at)}x${word.slice(at)}`;
  return word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1);
}

const slug = (text: string): string =>
  text
    .toLocaleLowerCase("tr")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ı", "i")
    .replaceAll(/[^a-z\d]+/gu, "-");

const otherEnding = (name: string): string =>
  /l[ae]r[ıi]?$/u.test(name) ? name.replace(/l[ae]r[ıi]?$/u, "") : `${name}lar`;

/** Texts that are a whole path, so that they are read without a question. */
export const READABLE: Readonly<Record<string, Mutation>> = {
  ...Object.fromEntries(
    [
      ">",
      " > ",
      ">>",
      "/",
      " / ",
      "»",
      " -> ",
      "=>",
      "|",
      " | ",
      "\\",
      "→",
      " › ",
      " :: ",
      "::",
    ].map((separator) => [`divided by ${separator}`, joined(separator)]),
  ),
  "on several lines": joined("\n"),
  "divided by &gt;": joined(" &gt; "),
  "divided by ＞": joined("＞"),
  "divided by commas": joined(", "),
  "divided by semicolons": joined(";"),
  "divided by dashes": joined(" - "),
  "in upper case": whole((text) => text.toLocaleUpperCase("tr")),
  "in English upper case": whole((text) => text.toUpperCase()),
  "in lower case": whole((text) => text.toLocaleLowerCase("tr")),
  "as a slug": (path) => path.map((name) => slug(name)).join("/"),
  "with no-break spaces": whole((text) => text.replaceAll(" ", "\u00a0")),
  "with + for &": whole((text) => text.replaceAll("&", "+")),
  "without &": whole((text) => text.replaceAll(" & ", " ")),
  "with and for &": whole((text) => text.replaceAll("&", "and")),
  "with ve for &": whole((text) => text.replaceAll("&", "ve")),
  "with &amp;": whole((text) => text.replaceAll("&", "&amp;")),
  "with a sign behind": whole((text) => `${text} >`),
  "in quotes": whole((text) => `"${text}"`),
  "with separate accents": whole((text) => text.normalize("NFD")),
};

/** Texts that need a question; the right category should be among its first choices. */
export const ASKED: Readonly<Record<string, Mutation>> = {
  "without the root": (path) => path.slice(1).join(" > "),
  "without a middle name": ([root = "", , ...rest]) => [root, ...rest].join(" > "),
  "the last two names": (path) => path.slice(-2).join(" > "),
  "below another name": ([root = "", ...rest], other) =>
    [root, other[1] ?? "", leaf(rest)].join(" > "),
  "behind Home": whole((text) => `Home > ${text}`),
  "behind Ürünler": whole((text) => `Anasayfa > Ürünler > ${text}`),
  "behind a number": whole((text) => `12 - ${text}`),
  "with a number": whole((text) => `${text} (345)`),
  "with another ending": (path) => withLeaf(path, otherEnding(leaf(path))),
  "from below": (path) => path.toReversed().join(" > "),
  shortened: (path) =>
    path.map((name) => name.slice(0, Math.max(4, Math.ceil(name.length * 0.7)))).join(" > "),
  "with a slip in the name": (path, _, random) => withLeaf(path, slip(leaf(path), random)),
  "with a slip in the root": ([root = "", ...rest], _, random) =>
    [slip(root, random), ...rest].join(" > "),
  "the name with a slip": (path, _, random) => slip(leaf(path), random),
  "without blanks": (path) => path.join(">").replaceAll(" ", ""),
  "the name without blanks": (path) => leaf(path).replaceAll(" ", ""),
  "the first word": (path) => leaf(path).split(" ", 1).join(""),
  "with a finer name below": whole((text) => `${text} > Özel Seri`),
  "a list of two categories": (path, other) => `${path.join(" > ")}, ${other.join(" > ")}`,
  "the name": leaf,
};
