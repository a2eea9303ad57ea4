/** Reads OpenMetrics text strictly: it throws for what a scraper may refuse. */

/** Values by series, such as `catalog_rows{state="held",store="s"}`. */
export type Series = ReadonlyMap<string, number>;

const META = /^# (?<word>TYPE|HELP|UNIT) (?<family>[a-z][a-z0-9_]*) (?<text>.+)$/u;
const SAMPLE = /^(?<name>[a-z][a-z0-9_]*)\{(?<labels>[^}]*)\} (?<value>\S+)$/u;
const LABEL = /^[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"$/u;

export function parseMetrics(text: string): Series {
  if (!text.endsWith("\n# EOF\n")) throw new Error(`no end: ${text.slice(-40)}`);
  const types = new Map<string, string>();
  const series = new Map<string, number>();
  let family = "";
  for (const line of text.slice(0, -"# EOF\n".length).trimEnd().split("\n")) {
    const meta = META.exec(line)?.groups;
    if (meta !== undefined) {
      const { word = "", family: name = "", text: said = "" } = meta;
      if (word === "TYPE") {
        if (types.has(name)) throw new Error(`a family twice: ${line}`);
        types.set(name, said);
      }
      family = name;
    } else addSample(line, { series, family, type: types.get(family) });
  }
  return series;
}

interface Family {
  readonly series: Map<string, number>;
  readonly family: string;
  readonly type: string | undefined;
}

function addSample(line: string, { series, family, type }: Family): void {
  const { name = "", labels = "", value } = SAMPLE.exec(line)?.groups ?? {};
  const list = labels.split(",");
  const faults = {
    "no type": type !== "counter" && type !== "gauge",
    "another family": name !== (type === "counter" ? `${family}_total` : family),
    "no labels": !list.every((label) => LABEL.test(label)),
    "no number": !Number.isFinite(Number(value)),
  };
  for (const [fault, isFound] of Object.entries(faults)) {
    if (isFound) throw new Error(`${fault}: ${line}`);
  }
  const key = `${name}{${list.toSorted().join(",")}}`;
  if (series.has(key)) throw new Error(`a series twice: ${line}`);
  series.set(key, Number(value));
}

/** Sums the values of a metric, or those of its series whose labels match. */
export const sumOf = (series: Series, name: string, labels: RegExp = /(?:)/u): number =>
  [...series]
    .filter(([key]) => key.startsWith(`${name}{`) && labels.test(key))
    .reduce((sum, [, value]) => sum + value, 0);
