/**
 * Reads the elements and attributes of an XML document of any size. Names keep their prefix. What is
 * not well formed is refused, as is a document type, so nothing can expand.
 */

import { SaxesParser } from "saxes";

import {
  assertCell,
  assertNode,
  assertWaiting,
  NestedFault,
  type NestedLimits,
  type NestedReader,
  type NodeHandler,
} from "./nested-reader.ts";

const MAX_ATTRIBUTES = 256;

/** An element that is open. */
interface OpenElement {
  text: string;
  hasElements: boolean;
}

export const createXmlReader = (handler: NodeHandler, limits: NestedLimits): NestedReader =>
  new XmlReader(handler, limits);

class XmlReader implements NestedReader {
  readonly #handler: NodeHandler;
  readonly #limits: NestedLimits;
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  readonly #open: OpenElement[] = [];
  /** Depth of the element whose content is taken as one text; 0 for none. */
  #markupDepth = 0;
  /** Characters since the parser last reported something. */
  #waiting = 0;
  #isEnding = false;

  constructor(handler: NodeHandler, limits: NestedLimits) {
    this.#handler = handler;
    this.#limits = limits;
    const parser = this.#parser;
    // The parser keeps each handler in a property of its own, and with more than six of them V8 takes
    // it for a dictionary, which made it ten times slower.
    parser.on("error", ({ message }) => {
      if (this.#isEnding) throw new NestedFault("E_FILE_TRUNCATED");
      throw new NestedFault("E_RECORD_SYNTAX", { found: message.replace(/^\d+:\d+: /u, "") });
    });
    parser.on("doctype", (doctype) => {
      if (/^\s*html\b/iu.test(doctype)) throw new NestedFault("E_FILE_TYPE", { hint: "html" });
      throw new NestedFault("E_RECORD_DOCTYPE");
    });
    parser.on("text", (text) => this.#addText(text));
    parser.on("cdata", (text) => this.#addText(text));
    parser.on("opentag", ({ name, attributes }) => this.#enter(name, Object.entries(attributes)));
    parser.on("closetag", ({ name }) => this.#leave(name));
  }

  get line(): number {
    return this.#parser.line;
  }

  write(piece: string): void {
    this.#waiting += piece.length;
    this.#parser.write(piece);
    assertWaiting(this.#waiting, this.#limits);
  }

  end(): void {
    this.#isEnding = true;
    this.#parser.close();
  }

  #addText(text: string): void {
    this.#waiting = 0;
    const element = this.#open.at(-1);
    if (element === undefined) return;
    if (this.#markupDepth > 0) this.#addSource(escapeMarkup(text));
    // Blanks between the elements of a large document would add up.
    else if (!element.hasElements || text.trim() !== "") this.#addSource(text);
  }

  /** Adds text as it stands. */
  #addSource(text: string): void {
    const element = this.#open.at(-1);
    if (element === undefined) return;
    element.text += text;
    assertCell(element.text.length, this.#limits);
  }

  #enter(name: string, attributes: readonly (readonly [string, string])[]): void {
    this.#waiting = 0;
    assertNode(name, this.#open.length + 1);
    if (attributes.length > MAX_ATTRIBUTES) {
      throw new NestedFault("E_RECORD_LIMIT", { bound: "attributes", limit: MAX_ATTRIBUTES });
    }
    const parent = this.#open.at(-1);
    if (parent !== undefined) {
      const isBlank = !parent.hasElements && parent.text.trim() === "";
      if (isBlank && this.#markupDepth === 0) parent.text = "";
      parent.hasElements = true;
    }
    if (this.#markupDepth > 0) {
      const written = attributes.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
      this.#addSource(`<${name}${written.join("")}>`);
    }
    this.#open.push({ text: "", hasElements: false });
    if (this.#markupDepth > 0) return;
    if (this.#handler.open(name)) this.#markupDepth = this.#open.length;
    for (const [key, value] of attributes) this.#reportAttribute(key, value);
  }

  #reportAttribute(key: string, value: string): void {
    if (key === "xmlns" || key.startsWith("xmlns:")) return;
    assertNode(key, this.#open.length);
    assertCell(value.length, this.#limits);
    this.#handler.open(`@${key}`);
    if (value.trim() !== "") this.#handler.value(value);
    this.#handler.close(false);
  }

  #leave(name: string): void {
    this.#waiting = 0;
    const element = this.#open.pop();
    if (element === undefined) return;
    const { text, hasElements } = element;
    const depth = this.#open.length + 1;
    if (this.#markupDepth > 0 && depth > this.#markupDepth) {
      // HTML reads the end tag of such an element as another one.
      const isVoid = text === "" && VOID.has(name.toLowerCase());
      this.#addSource(isVoid ? "" : `${text}</${name}>`);
      return;
    }
    const isMarkup = this.#markupDepth > 0;
    this.#markupDepth = 0;
    const content = isMarkup ? toContent(element).trim() : text;
    const isFilled = content.trim() !== "";
    if (isFilled && (isMarkup || !hasElements)) this.#handler.value(content);
    this.#handler.close(isFilled && hasElements && !isMarkup);
  }
}

/** Elements of HTML without content. */
const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "wbr", "col"]);

/** The markup of an element with others in it, or the text of one without. */
const toContent = ({ text, hasElements }: OpenElement): string =>
  hasElements ? text : unescapeMarkup(text);

const escapeAttribute = (value: string): string => escapeMarkup(value).replaceAll('"', "&quot;");

const escapeMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const unescapeMarkup = (text: string): string =>
  text.replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
