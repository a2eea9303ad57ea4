/** Reads OpenMetrics text strictly: it throws for what a scraper may refuse. */

/** Values by series, such as `catalog_rows{state="held",store="s"}`. */
export type Series = ReadonlyMap<string, number>;

const META = /^# (?<word>TYPE|HELP|UNIT) (?<family>[a-z][a-z0-9_]*) (?<text>.+)$/u;
const SAMPLE = /^(?<series>(?<name>[a-z][a-z0-9_]*)(?:\{(?<labels>[^}]*)\})?) (?<value>\S+)$/u;
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
  const { name, series: key = "", labels, value } = SAMPLE.exec(line)?.groups ?? {};
  if (name !== (type === "counter" ? `${family}_total` : family)) {
    throw new Error(`not of the family ${family}: ${line}`);
  }
  if (type !== "counter" && type !== "gauge") throw new Error(`no type: ${line}`);
  if (labels !== undefined && !labels.split(",").every((label) => LABEL.test(label))) {
    throw new Error(`labels: ${line}`);
  }
  const sorted = `${name}{${(labels ?? "").split(",").toSorted().join(",")}}`;
  if (series.has(sorted)) throw new Error(`a series twice: ${line}`);
  if (!Number.isFinite(Number(value))) throw new Error(`no number: ${line} of ${key}`);
  series.set(sorted, Number(value));
}

/** Sums the values of a metric. */
export const sumOf = (series: Series, name: string): number =>
  [...series].reduce((sum, [key, value]) => sum + (key.startsWith(`${name}{`) ? value : 0), 0);
