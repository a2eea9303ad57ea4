/**
 * Reads the keys and values of JSON of any size, or of one object a line. It accepts what
 * `JSON.parse` accepts, but for a key that an object has twice.
 */

import type { CellValue } from "../cell.ts";
import {
  assertCell,
  assertNode,
  assertWaiting,
  NestedFault,
  type NestedLimits,
  type NestedReader,
  type NodeHandler,
} from "./nested-reader.ts";

/** Name of the document itself, and of each element of an array that is the document. */
export const JSON_ROOT = ".";

/** An object or array that is open. */
interface OpenContainer {
  readonly isArray: boolean;
  /** Name of the nodes in an array. */
  readonly name: string;
  /** Whether the container is itself a node, to be closed with it. */
  readonly isNode: boolean;
  readonly keys: Set<string>;
}

/** What may follow. */
type Expected = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "root";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[-+.\w]+/y;
const BLANKS = /[ \t\n\r]*/y;
const WORDS: ReadonlyMap<string, CellValue> = new Map<string, CellValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
/** Integers with more digits are no numbers to a computer, but codes. */
const MAX_EXACT_DIGITS = 15;
const SHOWN_CHARS = 20;

export const createJsonReader = (handler: NodeHandler, limits: NestedLimits): NestedReader =>
  new JsonReader(handler, limits);

class JsonReader implements NestedReader {
  readonly #handler: NodeHandler;
  readonly #limits: NestedLimits;
  readonly #open: OpenContainer[] = [];
  #expected: Expected = "root";
  #key = "";
  /** Whether the document was an array or a single value, after which nothing may follow. */
  #isWhole = false;
  #hasValue = false;
  #source = "";
  #at = 0;
  /** Where the next line break is; it is looked for once. */
  #nextBreak = 0;
  #line = 1;
  #isEnding = false;

  constructor(handler: NodeHandler, limits: NestedLimits) {
    this.#handler = handler;
    this.#limits = limits;
  }

  get line(): number {
    this.#countLines();
    return this.#line;
  }

  write(piece: string): void {
    this.#source = this.#source.slice(this.#at) + piece;
    this.#at = 0;
    this.#nextBreak = this.#source.indexOf("\n");
    while (this.#readToken());
    this.#countLines();
    assertWaiting(this.#source.length - this.#at, this.#limits);
  }

  end(): void {
    this.#isEnding = true;
    while (this.#readToken());
    if (this.#at < this.#source.length || this.#open.length > 0 || !this.#hasValue) {
      throw new NestedFault("E_FILE_TRUNCATED");
    }
  }

  #countLines(): void {
    while (this.#nextBreak !== -1 && this.#nextBreak < this.#at) {
      this.#line += 1;
      this.#nextBreak = this.#source.indexOf("\n", this.#nextBreak + 1);
    }
  }

  /** Returns whether a token was read; the rest of another one has not arrived. */
  #readToken(): boolean {
    BLANKS.lastIndex = this.#at;
    BLANKS.test(this.#source);
    this.#at = BLANKS.lastIndex;
    if (this.#at >= this.#source.length) return false;
    const sign = this.#source.charAt(this.#at);
    if (sign === '"') return this.#readString();
    if (!"{}[]:,".includes(sign)) return this.#readWord();
    this.#at += 1;
    this.#readSign(sign);
    return true;
  }

  #readSign(sign: string): void {
    if (sign === "{" || sign === "[") {
      this.#enter(sign === "[");
    } else if (sign === "}" || sign === "]") {
      this.#leave(sign === "]");
    } else if (sign === ":" && this.#expected === "colon") {
      this.#expected = "value";
    } else if (sign === "," && this.#expected === "comma-or-end" && this.#open.length > 0) {
      this.#expected = this.#open.at(-1)?.isArray === true ? "value" : "key";
    } else {
      this.#refuse(sign);
    }
  }

  #enter(isArray: boolean): void {
    const name = this.#beginValue(isArray ? "[" : "{");
    if (this.#open.length === 0 && isArray) this.#isWhole = true;
    assertNode(name, this.#open.length + 1);
    if (!isArray) this.#handler.open(name);
    this.#open.push({ isArray, name, isNode: !isArray, keys: new Set() });
    this.#expected = isArray ? "value-or-end" : "key-or-end";
  }

  #leave(isArray: boolean): void {
    const container = this.#open.at(-1);
    const wanted = isArray ? "value-or-end" : "key-or-end";
    const isEnd = this.#expected === wanted || this.#expected === "comma-or-end";
    if (container?.isArray !== isArray || !isEnd) this.#refuse(isArray ? "]" : "}");
    this.#open.pop();
    if (container?.isNode) this.#handler.close(false);
    this.#endValue();
  }

  /** Returns the name of the node that begins. */
  #beginValue(shown: string): string {
    const container = this.#open.at(-1);
    if (container === undefined) {
      if (this.#expected !== "root" || this.#isWhole) this.#refuse(shown);
      // Lines of objects may follow each other, and nothing else.
      if (this.#hasValue && shown !== "{") this.#refuse(shown);
      this.#hasValue = true;
      if (shown !== "{") this.#isWhole = true;
      return JSON_ROOT;
    }
    if (this.#expected !== "value" && this.#expected !== "value-or-end") this.#refuse(shown);
    return container.isArray ? container.name : this.#key;
  }

  #endValue(): void {
    this.#expected = this.#open.length === 0 ? "root" : "comma-or-end";
  }

  #readString(): boolean {
    const end = this.#findStringEnd();
    if (end === -1) return false;
    const raw = this.#source.slice(this.#at, end);
    if (this.#expected === "key" || this.#expected === "key-or-end") {
      const key = this.#decode(raw);
      const keys = this.#open.at(-1)?.keys;
      if (keys?.has(key) === true) {
        throw new NestedFault("E_RECORD_CONTENT", { reason: "key-twice", found: key });
      }
      keys?.add(key);
      this.#key = key;
      this.#expected = "colon";
    } else {
      this.#report(this.#beginValue(raw.slice(0, SHOWN_CHARS)), this.#decode(raw));
    }
    this.#at = end;
    return true;
  }

  #findStringEnd(): number {
    let at = this.#at;
    for (;;) {
      at = this.#source.indexOf('"', at + 1);
      if (at === -1) return -1;
      let slashes = 0;
      while (this.#source.charAt(at - 1 - slashes) === "\\") slashes += 1;
      if (slashes % 2 === 0) return at + 1;
    }
  }

  #decode(raw: string): string {
    try {
      const text: unknown = JSON.parse(raw);
      return String(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return this.#refuse(raw.slice(0, SHOWN_CHARS));
    }
  }

  #readWord(): boolean {
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.#source)?.[0];
    if (word === undefined) return this.#refuse(this.#source.charAt(this.#at));
    const end = this.#at + word.length;
    if (end === this.#source.length && !this.#isEnding) return false;
    const value = WORDS.get(word);
    this.#report(
      this.#beginValue(word.slice(0, SHOWN_CHARS)),
      value === undefined ? this.#toNumber(word) : value,
    );
    this.#at = end;
    return true;
  }

  #toNumber(word: string): CellValue {
    NUMBER.lastIndex = 0;
    if (NUMBER.exec(word)?.[0] !== word) return this.#refuse(word.slice(0, SHOWN_CHARS));
    const isCode = /^-?\d+$/u.test(word) && word.length > MAX_EXACT_DIGITS;
    const number = Number(word);
    return isCode || !Number.isFinite(number) ? word : number;
  }

  #report(name: string, value: CellValue): void {
    assertNode(name, this.#open.length + 1);
    const isFilled = value !== null && (typeof value !== "string" || value.trim() !== "");
    if (typeof value === "string") assertCell(value.length, this.#limits);
    this.#handler.open(name);
    if (isFilled) this.#handler.value(value);
    this.#handler.close(false);
    this.#endValue();
  }

  #refuse(found: string): never {
    throw new NestedFault("E_RECORD_SYNTAX", { found });
  }
}
