/** What may not have happened in a demo: found by the marketplace's own count, not by ours. */

// Nothing of it remains at run time; with "type" inside the braces the module would be loaded.
import { type Lang } from "@catalog/i18n";
import type { CountedViolation, Inspection } from "@catalog/sandbox";

export interface Writes {
  readonly adds: number;
  readonly updates: number;
}

/** What the marketplace counted for each of the two imports. */
export interface Sent {
  readonly first: Writes;
  readonly second: Writes;
}

/** What the sandbox saw of both imports together. */
export type Seen = Pick<Inspection, "doubles" | "violations">;

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

/** The text that says what went wrong; undefined where all is as it must be. */
export function describeFaults(sent: Sent, seen: Seen, lang: Lang): string | undefined {
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
