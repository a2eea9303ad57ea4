/**
 * Reads descriptions: HTML loses scripts, styles and event handlers, or becomes plain text; entities
 * of a text without HTML are decoded once. A text that needs none of this is not changed. Apart from
 * the package's index, because the sanitizer takes 50 ms to load.
 */

import sanitizeHtml from "sanitize-html";

import { findPlatform } from "./platforms/platform-matcher.ts";
import type { DescriptionFormat, DescriptionReading, ReadDescription } from "./rows/row-work.ts";
import { trimText } from "./text-keys.ts";

/** Elements that format a text, with tables and images. */
const KEPT_TAGS: readonly string[] = [
  "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup",
  "dd del dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img",
  "ins kbd li main mark nav ol p pre q rp rt ruby s samp section small span strike strong sub",
  "summary details sup table tbody td tfoot th thead time tr tt u ul var wbr picture source",
].flatMap((line) => line.split(" "));

/** Elements that are taken out, with what stands in them where it is no text. */
const DROPPED_TAGS: readonly string[] = [
  "applet audio base body button canvas embed form frame frameset head html iframe input label link",
  "map area math meta noscript object option param script select style svg template textarea title",
  "track video",
].flatMap((line) => line.split(" "));

/** Attributes that only describe or format; event handlers and styles are no such attributes. */
const KEPT_ATTRIBUTES: readonly string[] = [
  "align alt aria-* bgcolor border cellpadding cellspacing class cite color colspan data-* datetime",
  "dir face headers height href hspace id lang loading name nowrap rel reversed role rowspan scope",
  "sizes size span src srcset start summary tabindex target title type valign value vspace width",
].flatMap((line) => line.split(" "));

const NAMES: ReadonlySet<string> = new Set([...KEPT_TAGS, ...DROPPED_TAGS]);

const TAG = /<(?:\/?([a-z][a-z0-9]*)(?=[\s/>])|!--|!doctype)/giu;

const TAG_START = /<[a-z]/iu;
const HANDLER = /[\s/"']on\w+\s*=/iu;

/**
 * Whether a text holds an event handler. A browser runs those of elements that HTML does not have,
 * and of a tag that is not closed.
 */
const hasHandler = (text: string): boolean =>
  text.split(">").some((part) => {
    const start = part.search(TAG_START);
    return start !== -1 && HANDLER.test(part.slice(start));
  });

/** Whether a text holds an element of HTML; signs such as `<5` and `<XL>` are text. */
function hasHtml(text: string): boolean {
  if (!text.includes("<")) return false;
  if (hasHandler(text)) return true;
  return [...text.matchAll(TAG)].some(
    ([, name]) => name === undefined || NAMES.has(name.toLowerCase()),
  );
}

/** Variants of one product have one description, so that the last ones are kept. */
const MAX_KEPT = 16;

/** How descriptions are read. */
interface DescriptionReaderOptions {
  /** @default HTML is kept */
  readonly format?: DescriptionFormat | undefined;
  /** Name of the platform that wrote the file. @default none */
  readonly platform?: string | undefined;
}

/** Makes the reader of descriptions. */
export function createDescriptionReader({
  format = "html",
  platform,
}: DescriptionReaderOptions = {}): ReadDescription {
  const kept = new Map<string, DescriptionReading>();
  const isEscaped = platform !== undefined && findPlatform(platform)?.escapesLines === true;
  return (cell) => {
    const text = isEscaped ? unescapeLines(cell) : cell;
    if (!text.includes("<") && !text.includes("&")) return { text, change: undefined };
    const known = kept.get(text);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (kept.size === MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    const reading = read(text, format);
    kept.set(text, reading);
    return reading;
  };
}

const unescapeLines = (text: string): string =>
  text.replaceAll(/\\(?<isText>\\)?n/gu, (_, isText?: string) =>
    isText === undefined ? "\n" : "\\n",
  );

function read(text: string, format: DescriptionFormat): DescriptionReading {
  const html = hasHtml(text) ? text : decodeEntities(text);
  if (!hasHtml(html)) return { text: html, change: html === text ? undefined : "decoded" };
  if (format === "text") return { text: toPlainText(html), change: "text" };
  const cleaned = clean(html);
  // The sanitizer writes the same HTML in another way, so that only what it leaves out counts.
  // A tag that is not closed is left out by both.
  const isLess = hasHandler(html) || cleaned !== rewrite(html);
  if (isLess) return { text: trimText(cleaned), change: "cleaned" };
  return { text: html, change: html === text ? undefined : "decoded" };
}

const COMMON: sanitizeHtml.IOptions = { parseStyleAttributes: false };

const CLEAN: sanitizeHtml.IOptions = {
  ...COMMON,
  allowedTags: [...KEPT_TAGS],
  allowedAttributes: { "*": [...KEPT_ATTRIBUTES] },
  allowedSchemes: ["http", "https", "mailto", "tel"],
};

/** Leaves nothing out. */
const ALL: sanitizeHtml.IOptions = {
  ...COMMON,
  allowedTags: false,
  allowedAttributes: false,
  allowVulnerableTags: true,
  allowedSchemesAppliedToAttributes: [],
  nonTextTags: [],
  enforceHtmlBoundary: false,
};

const clean = (html: string): string => sanitizeHtml(html, CLEAN);

/** A comment is left out by the sanitizer whatever it keeps. */
const rewrite = (html: string): string =>
  sanitizeHtml(html, ALL) + (html.includes("<!--") ? "<!-- -->" : "");

const LINES = ["p", "div", "br", "li", "tr", "td", "th", "hr", "h1", "h2", "h3", "h4", "h5", "h6"];
const BLOCKS = ["blockquote", "dd", "dt", "ol", "pre", "section", "table", "ul"];

const STRIPPED: sanitizeHtml.IOptions = {
  ...COMMON,
  allowedTags: [...LINES, ...BLOCKS],
  allowedAttributes: {},
};

/** Breaks of lines in place of blocks, a dash before each entry of a list, blanks between cells. */
function toPlainText(html: string): string {
  const marked = sanitizeHtml(html, STRIPPED)
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/<li>/gu, "\n- ")
    .replaceAll(/<\/?t[dh]>/gu, " ")
    .replaceAll(/<(?:br|hr) ?\/?>/gu, "\n")
    .replaceAll(/<\/?(?:p|h[1-6]|table|ul|ol|blockquote|pre|section|dl)>/gu, "\n\n")
    .replaceAll(/<[^<>]*>/gu, "\n");
  const lines = unescape(marked)
    .split("\n")
    .map((line) => line.replaceAll(/ +/gu, " ").trim());
  return trimText(
    lines
      .join("\n")
      .replaceAll(/\n{3,}/gu, "\n\n")
      .replaceAll(/\n\n(?=- )/gu, "\n"),
  );
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
  ["&quot;", '"'],
]);

/** In one pass, so that nothing is decoded twice. */
const unescape = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|amp|quot);/gu, (entity) => ESCAPES.get(entity) ?? entity);

const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iu;
const BARE_AMPERSAND = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/giu;

/** Entities without a semicolon are text, as in the address `?a=1&copy=2`. */
function decodeEntities(text: string): string {
  if (!ENTITY.test(text)) return text;
  const shielded = text
    .replaceAll(BARE_AMPERSAND, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
  return unescape(sanitizeHtml(shielded, { allowedTags: [], allowedAttributes: {} }));
}
