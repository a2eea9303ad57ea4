/**
 * What an editor shows of a text, and what the text becomes when it is edited there. A control
 * cannot hold every text: a text area turns each line break into a line feed, a line drops them.
 * Only what was typed changes; every other sign stays as it is in the cell.
 */

interface ShownText {
  readonly text: string;
  /** Where each sign of the shown text, and its end, stands in the text of the cell. */
  readonly starts: readonly number[];
}

const LINE_BREAK = /\r\n|\r|\n/gu;

const show = (text: string, lineBreak: "\n" | ""): ShownText => {
  const starts: number[] = [];
  let shown = "";
  let at = 0;
  const take = (end: number): void => {
    for (; at < end; at += 1) starts.push(at);
  };
  for (const found of text.matchAll(LINE_BREAK)) {
    shown += text.slice(at, found.index) + lineBreak;
    take(found.index);
    if (lineBreak !== "") starts.push(at);
    at += found[0].length;
  }
  shown += text.slice(at);
  take(text.length);
  return { text: shown, starts: [...starts, text.length] };
};

/** The text as a control holds it: with line feeds, or without line breaks. */
export const showText = (text: string, lineBreak: "\n" | ""): string => show(text, lineBreak).text;

const countSame = (left: string, right: string): number => {
  const max = Math.min(left.length, right.length);
  let count = 0;
  while (count < max && left[count] === right[count]) count += 1;
  return count;
};

const countSameAtEnd = (left: string, right: string, max: number): number => {
  let count = 0;
  while (count < max && left.at(-1 - count) === right.at(-1 - count)) count += 1;
  return count;
};

/** The text after its shown form became `typed`; new lines break as those of the text do. */
export const applyTyping = (text: string, typed: string, lineBreak: "\n" | ""): string => {
  const shown = show(text, lineBreak);
  if (shown.text === typed) return text;
  const head = countSame(shown.text, typed);
  const rest = Math.min(shown.text.length, typed.length) - head;
  const tail = countSameAtEnd(shown.text, typed, rest);
  const from = shown.starts[head] ?? text.length;
  const end = shown.text.length - tail;
  // A line break that the control has dropped stays behind what is taken out before it.
  const dropped = (shown.starts[end - 1] ?? 0) + 1;
  const next = shown.starts[end] ?? text.length;
  const to = end === head ? from : lineBreak === "" ? dropped : next;
  const inserted = typed.slice(head, typed.length - tail);
  const ownBreak = /\r\n|\r|\n/u.exec(text)?.[0] ?? "\n";
  return text.slice(0, from) + inserted.replaceAll("\n", ownBreak) + text.slice(to);
};
