/** Row 30: how often the right category is suggested for a name of another shop, and how fast. */

import {
  type Bench,
  compareCases,
  type Figure,
  type MeasureRow,
  runCase,
  seconds,
  sized,
} from "../bench-tools.ts";
import {
  addScores,
  countKnown,
  FULL_KNOWN,
  type NameScore,
  readTitles,
} from "../names/score-names.ts";

const FULL_PRODUCTS = 20_000;
const FULL_NAMES = 4_000;
const LIMIT_MS = 8_000;

export const measureNames: MeasureRow = async (bench): Promise<readonly Figure[]> => {
  const titles = readTitles();
  const shops = [...new Set(titles.map(({ shop }) => shop))];
  const cold = new Map<string, NameScore>();
  const large = new Map<string, NameScore>();
  const small = new Map<string, NameScore>();
  for (const shop of shops) {
    const known = countKnown(titles, shop);
    cold.set(shop, await score(bench, "score", shop, 0, 1));
    const scores: NameScore[] = [];
    // The known products are drawn anew each round.
    for (let seed = 1; seed <= bench.rounds; seed += 1) {
      scores.push(await score(bench, "score", shop, known, seed));
    }
    (known === FULL_KNOWN ? large : small).set(shop, addScores(scores));
  }
  const taxonomy = await score(bench, "taxonomy");
  return [
    toFigure("cold", cold, 0.5),
    toFigure(`after ${FULL_KNOWN} products of the shop`, large, 0.2),
    toFigure("after a third of a smaller shop", small, 0.5),
    toFigure("by an English name alone", new Map([["taxonomy", taxonomy]]), 0.5),
    await measureTime(bench),
  ];
};

async function score(bench: Bench, ...args: readonly (string | number)[]): Promise<NameScore> {
  const { counts } = await runCase(bench, ["names", ...args]);
  const { asked = 0, first = 0, among = 0 } = counts;
  return { asked, first, among };
}

function toFigure(when: string, scores: ReadonlyMap<string, NameScore>, limit: number): Figure {
  const all = addScores([...scores.values()]);
  const shops = Array.from(scores, ([shop, each]) => `${shop} ${shares(each)}`).join(", ");
  return {
    row: 30,
    what: `categories not among three suggestions ${when}`,
    ours: `first and among three: ${shares(all)} of ${all.asked}; ${shops}`,
    peer: "",
    value: 1 - all.among / all.asked,
    limit,
    unit: "share",
  };
}

const shares = ({ asked, first, among }: NameScore): string =>
  `${percent(first / asked)} and ${percent(among / asked)}`;

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** The CPU time is compared, as the clock would measure other users of the machine. */
async function measureTime(bench: Bench): Promise<Figure> {
  const products = sized(bench, FULL_PRODUCTS);
  const names = sized(bench, FULL_NAMES);
  const { all } = await compareCases(bench, {
    all: () => runCase(bench, ["names", "time", products, names]),
  });
  return {
    row: 30,
    what: `suggestions for ${names} names of two titles each, ${products} known products, CPU`,
    ours: `${seconds(all.cpuMs)}, by the clock ${seconds(all.ms)}`,
    peer: "",
    value: all.cpuMs,
    limit: LIMIT_MS * bench.scale,
    unit: "ms",
  };
}
