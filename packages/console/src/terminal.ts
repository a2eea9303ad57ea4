/**
 * Where texts go. The result goes to `out`; progress, questions and warnings go to `err`. Whatever a
 * text is made of, no control character of it but the line feed gets there: see `toVisibleText`.
 */
export interface Terminal {
  /** Text, or a JSON document, which stays equal to what it was. */
  out(text: string): void;
  err(text: string): void;
  /** A piece of a file as the result: as it is, except where a person looks at it. */
  outFile(text: string): void;
  /**
   * Draws the line on `err` that is drawn again and again; an empty one takes it away. Only where
   * `isTerminal`.
   */
  redraw(line: string): void;
  /** `err` is a terminal: lines may be drawn again. */
  readonly isTerminal: boolean;
  /** A person can be asked. */
  readonly canAsk: boolean;
  /** Colours are wanted on `out` and `err`. */
  readonly hasColor: boolean;
  /** Width of the terminal behind `err`, in columns. */
  readonly columns: number;
  /** Width of the terminal behind `out`; `Infinity` where it is a file or a pipe. */
  readonly outColumns: number;
  /**
   * Asks for yes or no, in the words given; `undefined` when the question was broken off. Enter
   * alone is a no, and keys that were typed before the question stood there answer nothing.
   */
  ask(
    question: string,
    words: { readonly yes: string; readonly no: string },
  ): Promise<boolean | undefined>;
  /**
   * Asks for one of several answers; `undefined` when the question was broken off. Absent where
   * only yes and no can be asked.
   */
  readonly choose?: (question: string, choices: readonly Choice[]) => Promise<string | undefined>;
  /**
   * Asks for a text, which comes without blanks around it; `undefined` when the question was broken
   * off. Absent where only yes and no can be asked.
   */
  readonly askText?: (question: string) => Promise<string | undefined>;
}

/** One of several answers. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Prints a document as one line of JSON, for a program that reads the result. */
export function printJson(terminal: Pick<Terminal, "out">, document: object): void {
  terminal.out(`${JSON.stringify(document)}\n`);
}
