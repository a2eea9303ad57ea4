/** Finds faults of a demo in the marketplace's own counts, not in ours. */

// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Lang } from "@catalog/i18n";
import type { CountedViolation, Inspection } from "@catalog/sandbox";

export interface Writes {
  readonly adds: number;
  readonly updates: number;
}

/** The marketplace's counts for each of the two imports. */
export interface DemoWrites {
  readonly first: Writes;
  readonly second: Writes;
}

/** The sandbox's findings for both imports together. */
export type InspectedFaults = Pick<Inspection, "doubles" | "violations">;

const TEXTS = {
  tr: {
    nothing: "ilk içe aktarma hiçbir ürün eklemedi",
    again: "ikinci içe aktarma bir şey gönderdi",
    doubled: (codes: string) => `iki kez eklenen ürün kodları: ${codes}`,
    violated: ({ rule, endpoint, field, count }: CountedViolation) =>
      `belirtime aykırı ${count} istek: ${[endpoint, field].filter(Boolean).join(" ")} (${rule})`,
    fault: (what: string) => `Beklenmedik: ${what}.\n`,
    report: "Bu, programın bir hatasıdır; bu çıktıyla birlikte bildirin.\n",
  },
  en: {
    nothing: "the first import added no product",
    again: "the second import sent something",
    doubled: (codes: string) => `product codes added twice: ${codes}`,
    violated: ({ rule, endpoint, field, count }: CountedViolation) =>
      `${count} calls against the specification: ${[endpoint, field].filter(Boolean).join(" ")} (${rule})`,
    fault: (what: string) => `Unexpected: ${what}.\n`,
    report: "This is a bug of the program; report it together with this output.\n",
  },
} as const;

/** A text for the faults that were found; `undefined` where there are none. */
export function describeFaults(
  sent: DemoWrites,
  seen: InspectedFaults,
  lang: Lang,
): string | undefined {
  const texts = TEXTS[lang];
  const doubled = Object.keys(seen.doubles);
  const faults = [
    ...(sent.first.adds === 0 ? [texts.nothing] : []),
    ...(sent.second.adds + sent.second.updates > 0 ? [texts.again] : []),
    ...(doubled.length > 0 ? [texts.doubled(doubled.join(", "))] : []),
    ...seen.violations.map(texts.violated),
  ];
  if (faults.length === 0) return undefined;
  return [...faults.map(texts.fault), texts.report].join("");
}
