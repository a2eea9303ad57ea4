/**
 * Finds work whose time grows faster than linearly with the length of its text. The growth of CPU
 * times is compared, each the minimum of several measurements, so that a busy machine changes
 * nothing.
 */

/** A text on which patterns and loops may backtrack. */
interface Hostile {
  readonly name: string;
  /** Characters before and after the repeated part, so that neither end of a text matches it. */
  readonly text: (chars: number) => string;
}

const filled = (name: string, unit: string, [before, after] = ["a", "a"]): Hostile => ({
  name,
  text: (chars) => {
    const count = Math.ceil(chars / unit.length);
    return `${before}${unit.repeat(count).slice(0, chars)}${after}`;
  },
});

/** Repeated characters, repeated pairs that almost match, and combinations. */
export const HOSTILE: readonly Hostile[] = [
  filled("blanks", " "),
  filled("blanks alone", " ", ["", ""]),
  filled("line breaks", "\n"),
  filled("blanks between blanks", " ", [" a", "a "]),
  filled("line breaks between blanks", "\r\n", [" a", "a "]),
  filled("zero-width signs", "\u200b", [" a", "a "]),
  filled("double quotes", '"'),
  filled("single quotes", "'"),
  filled("opening quotes", "“«"),
  filled("digits", "1"),
  filled("grouped digits", "1.234,", ["", "x"]),
  filled("digits and blanks", "1 ", ["", "x"]),
  filled("percent signs", "5% ", ["", "x"]),
  filled("letters", "a"),
  filled("capital dotted letters", "İI"),
  filled("digits among letters", "a1"),
  filled("separators", ";|,"),
  filled("commas and blanks", ", "),
  filled("arrows", " > ", ["a", " -"]),
  filled("shafts", "-=", ["a", "x"]),
  filled("slashes", " / "),
  filled("opening brackets", "([{<"),
  filled("clear words", "< ", ["<", "x"]),
  filled("open tags", "<a ", ["", "x"]),
  filled("open tags with names of handlers", "<a on", ["", "x"]),
  filled("combining marks", "\u0301", ["e", "e"]),
  filled("addresses", "https://a.example/ ", ["", "x"]),
  filled("dots", "."),
  filled("minus signs", "-"),
  filled("escape signs", "\u001b["),
  filled("mixture", 'a \n"1.2,3;|\u200b(é > ', ["", "x"]),
];

export interface Work {
  readonly name: string;
  readonly run: (text: string) => unknown;
}

/**
 * Lengths of the longest text in characters; the shortest is an eighth of it. Work that is slow at
 * one length may have left the caches or filled the memory of young objects; quadratic work is slow
 * at each.
 */
const LENGTHS = [8_000, 16_000, 32_000] as const;
const TIMES = 8;
/**
 * Work that is faster with the longest text is not measured, as quadratic work takes several times
 * as long: 32 million steps at the shortest length.
 */
const FLOOR_MS = 10;
/** Eight times the length may take 20 times as long; quadratic work takes 64 times. */
const MAX_RATIO = 20;
const MEASURES = 3;

/** Work of more than linear time, such as `price of blanks: 9 ms, 580 ms`; empty without any. */
export async function findSlow(works: readonly Work[]): Promise<readonly string[]> {
  const slow: string[] = [];
  for (const work of works) {
    // The first call of a function is slower for other reasons.
    await work.run("a");
    for (const hostile of HOSTILE) {
      const found = await measureGrowth(work, hostile);
      if (found !== undefined) slow.push(found);
    }
  }
  return slow;
}

/** Returns what the longest texts have shown where the work is slow at every length. */
async function measureGrowth(work: Work, hostile: Hostile): Promise<string | undefined> {
  let found: string | undefined;
  for (const chars of LENGTHS) {
    found = await measure(work, hostile, chars);
    if (found === undefined) return undefined;
  }
  return found;
}

async function measure(
  { name, run }: Work,
  hostile: Hostile,
  chars: number,
): Promise<string | undefined> {
  const long = hostile.text(chars);
  if ((await timeOf(run, [long])) < FLOOR_MS) return undefined;
  // The same number of characters, so that work too short for the clock is measured as well.
  const short = Array.from({ length: TIMES }, () => hostile.text(chars / TIMES));
  const shortMs = (await minOf(run, short)) / TIMES;
  const longMs = await minOf(run, [long]);
  if (longMs < FLOOR_MS || longMs <= shortMs * MAX_RATIO) return undefined;
  return `${name} of ${hostile.name}: ${shortMs.toFixed(1)} ms, ${longMs.toFixed(0)} ms`;
}

async function minOf(run: Work["run"], texts: readonly string[]): Promise<number> {
  let min = Infinity;
  for (let n = 0; n < MEASURES; n += 1) min = Math.min(min, await timeOf(run, texts));
  return min;
}

/** CPU time, which other work of the machine does not change. */
async function timeOf(run: Work["run"], texts: readonly string[]): Promise<number> {
  const begun = process.threadCpuUsage();
  for (const text of texts) await run(text);
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}
