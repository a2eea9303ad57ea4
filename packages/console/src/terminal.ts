/**
 * Output for people and programs. The result goes to `out`; progress, questions and warnings go to
 * `err`. No control character of a text but the line feed is written: see `toVisibleText`.
 */
export interface Terminal {
  /** Writes text, or a JSON document, whose value is not changed. */
  out(text: string): void;
  err(text: string): void;
  /**
   * The text as `out` and `err` write it: commands as the person's shell knows the program, paths
   * without the shell's folder. A text is made so before it is wrapped, so that its lines do not
   * depend on where the folder is.
   */
  readonly shown: (text: string) => string;
  /** Writes a piece of a file as the result: unchanged, except on a terminal. */
  outFile(text: string): void;
  /** Draws the progress line on `err`; an empty one removes it. Only where `isTerminal`. */
  redraw(line: string): void;
  /** Whether `err` is a terminal, on which lines can be redrawn. */
  readonly isTerminal: boolean;
  /** Words that start the program, for commands in files. @default "catalog" */
  readonly program?: string | undefined;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** Whether `out` and `err` should have colours. */
  readonly hasColor: boolean;
  /** Width of the terminal behind `err`, in columns. */
  readonly columns: number;
  /** Width of the terminal behind `out`, in columns; `Infinity` for a file or a pipe. */
  readonly outColumns: number;
  /**
   * Asks for yes or no, in the given words; `undefined` when the question was cancelled. Enter
   * alone means no, and keys that were typed before the question was shown are ignored.
   */
  ask(
    question: string,
    words: { readonly yes: string; readonly no: string },
  ): Promise<boolean | undefined>;
  /**
   * Asks for one of several answers; `undefined` when the question was cancelled. Absent where only
   * yes and no can be asked.
   */
  readonly choose?: (question: string, choices: readonly Choice[]) => Promise<string | undefined>;
  /**
   * Asks for a text and returns it without blanks around it; `undefined` when the question was
   * cancelled. Absent where only yes and no can be asked.
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

/** The output that a text is made for; a {@link Terminal} is one. Without a width no line is wrapped. */
export type TextView = Partial<Pick<Terminal, "shown" | "outColumns">>;
