/** Faults that a test orders: which calls they meet, and what becomes of those calls. */

import type { Localized } from "@catalog/i18n";

import { OptionError } from "../behavior/behavior-settings.ts";
import { pickNumber } from "../catalog/names.ts";

/** How a call fails. "after" means that the call is carried out first. */
export type FaultKind =
  | "latency"
  | "too-many"
  | "token-refused"
  | "error-before"
  | "error-after"
  | "refused-after"
  | "reset-before"
  | "reset-after"
  | "truncated-with-length"
  | "truncated-without-length"
  | "html"
  | "never"
  | "late-effect";

/** Description of each kind of fault. */
export const FAULT_KINDS: Readonly<Record<FaultKind, Localized>> = {
  latency: {
    en: "the answer comes `ms` later",
    tr: "yanıt `ms` kadar geç gelir",
  },
  "too-many": {
    en: "429 without effect; Retry-After when `ms` is given",
    tr: "etkisi olmadan 429; `ms` verilirse Retry-After ile",
  },
  "token-refused": {
    en: "the token ends, and the call is refused for it without effect",
    tr: "anahtar biter ve çağrı bu yüzden etkisi olmadan reddedilir",
  },
  "error-before": {
    en: "`status` without effect",
    tr: "etkisi olmadan `status`",
  },
  "error-after": {
    en: "`status` although the call was carried out",
    tr: "çağrı yerine getirildiği hâlde `status`",
  },
  "refused-after": {
    en: "carried out, and refused all the same with `status`; 200 says `status: false`, or `success: false` of questions and templates; Retry-After when `ms` is given",
    tr: "yerine getirilir, yine de `status` ile reddedilir; 200 `status: false` der, sorularla şablonlarda `success: false`; `ms` verilirse Retry-After ile",
  },
  "reset-before": {
    en: "the connection is reset without effect",
    tr: "etkisi olmadan bağlantı kopar",
  },
  "reset-after": {
    en: "the connection is reset after the call was carried out",
    tr: "çağrı yerine getirildikten sonra bağlantı kopar",
  },
  "truncated-with-length": {
    en: "carried out; half of the body that Content-Length announces",
    tr: "yerine getirilir; Content-Length'in bildirdiği gövdenin yarısı gelir",
  },
  "truncated-without-length": {
    en: "carried out; half of the body, ended as if it were whole",
    tr: "yerine getirilir; gövdenin yarısı, tammış gibi biter",
  },
  html: {
    en: "carried out; 200 with an HTML page",
    tr: "yerine getirilir; HTML sayfasıyla 200",
  },
  never: {
    en: "no effect and no answer, the connection stays open",
    tr: "etki de yanıt da yok, bağlantı açık kalır",
  },
  "late-effect": {
    en: "no answer; carried out `ms` after the client has given up",
    tr: "yanıt yok; istemci vazgeçtikten `ms` sonra yerine getirilir",
  },
};

/**
 * One fault. `nth` selects one call, `rate` a share of the calls, both together the earlier of the
 * two, and neither every call.
 */
export interface Fault {
  readonly kind: FaultKind;
  /** Name in the table, such as "product.add". @default every endpoint */
  readonly endpoint?: string | undefined;
  /** Share of the calls, from 0 to 1; the seed decides which ones. */
  readonly rate?: number | undefined;
  /** Number of the call, counted from 1. */
  readonly nth?: number | undefined;
  /**
   * Wait in milliseconds for latency, too-many, refused-after and late-effect. @default 1000, and
   * no Retry-After
   */
  readonly ms?: number | undefined;
  /**
   * HTTP status: of error-before and error-after, from 500 to 599; of refused-after, 200 or from
   * 400 to 499.
   * @default 503, and 422
   */
  readonly status?: number | undefined;
}

/**
 * Parses "kind", "kind:endpoint" or "kind:endpoint:name=value,name=value", such as
 * "reset-after:product.add:nth=3"; the endpoint may be left out. Throws an `OptionError`.
 */
export function parseFault(text: string): Fault {
  const [kind = "", ...rest] = text.split(":");
  const [endpoint, ...more] = rest.filter((part) => !part.includes("="));
  if (more.length > 0) {
    throw new OptionError({
      tr: `"${text}" birden çok uç adlandırıyor`,
      en: `"${text}" names more than one endpoint`,
    });
  }
  const settings = rest
    .filter((part) => part.includes("="))
    .flatMap((part) => part.split(","))
    .map((part) => parseSetting(part, text));
  const fault = { kind, endpoint, ...Object.fromEntries(settings) };
  assertFault(fault);
  return fault;
}

/** Throws an `OptionError` that names the invalid value of a fault. */
function assertFault(
  fault: Omit<Fault, "kind"> & { readonly kind: string },
): asserts fault is Fault {
  if (!Object.hasOwn(FAULT_KINDS, fault.kind)) {
    const kinds = Object.keys(FAULT_KINDS).join(", ");
    throw new OptionError({
      tr: `"${fault.kind}" diye bir aksaklık yok; olanlar: ${kinds}`,
      en: `no fault is of the kind "${fault.kind}"; there are ${kinds}`,
    });
  }
  for (const [name, isRight] of Object.entries(SETTINGS)) {
    const value = Object.entries(fault).find(([key]) => key === name)?.[1];
    if (value === undefined || isRight(value, fault.kind)) continue;
    throw new OptionError({
      tr: `${fault.kind} aksaklığında ${name} için ${value} yazılamaz`,
      en: `${name} of the fault ${fault.kind} cannot be ${value}`,
    });
  }
}

const SETTINGS: Readonly<Record<string, (value: unknown, kind: string) => boolean>> = {
  rate: (value) => typeof value === "number" && value >= 0 && value <= 1,
  nth: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  ms: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  status: (value, kind) =>
    kind === "refused-after" ? value === 200 || isWithin(value, 400) : isWithin(value, 500),
};

const isWithin = (status: unknown, hundred: number): boolean =>
  Number.isSafeInteger(status) && Number(status) >= hundred && Number(status) < hundred + 100;

function parseSetting(part: string, text: string): readonly [string, number] {
  const [name = "", value = ""] = part.split("=");
  const number = value.trim() === "" ? Number.NaN : Number(value);
  if (!Object.hasOwn(SETTINGS, name) || Number.isNaN(number)) {
    const names = Object.keys(SETTINGS).join(", ");
    throw new OptionError({
      tr: `"${text}" içindeki "${part}" anlaşılamadı; şunlardan birine bir sayı verin: ${names}`,
      en: `"${part}" in "${text}" is not a number for one of ${names}`,
    });
  }
  return [name, number];
}

export interface FaultPlan {
  /** The faults of the next call of this endpoint, in the order in which they were given. */
  next(endpoint: string): readonly Fault[];
  /** Resets all counts. */
  reset(): void;
  /** Number of calls that each fault has counted, in the order of the faults. */
  save(): readonly number[];
  load(counts: readonly number[]): void;
}

interface FaultPlanOptions {
  readonly faults: readonly Fault[];
  readonly seed: string;
  /** Names of endpoints that a fault can have. */
  readonly endpoints: readonly string[];
}

const STEPS = 1_000_000;

/** Makes the plan. Throws an `OptionError` for an invalid fault. */
export function createFaultPlan({ faults, seed, endpoints }: FaultPlanOptions): FaultPlan {
  for (const fault of faults) {
    assertFault(fault);
    const { endpoint } = fault;
    if (endpoint !== undefined && !endpoints.includes(endpoint)) {
      const names = endpoints.join(", ");
      throw new OptionError({
        tr: `"${endpoint}" adında bir uç yok; olanlar: ${names}`,
        en: `no endpoint is named "${endpoint}"; there are ${names}`,
      });
    }
  }
  const counts: number[] = faults.map(() => 0);

  const isMet = ({ rate, nth, ...fault }: Fault, index: number): boolean => {
    const count = (counts[index] ?? 0) + 1;
    counts[index] = count;
    if (nth !== undefined && count === nth) return true;
    if (rate === undefined) return nth === undefined;
    const pick = pickNumber(STEPS, "fault", seed, String(index), fault.kind, String(count));
    return pick < rate * STEPS;
  };

  return {
    // Every fault counts all its calls, even those that an earlier fault decides.
    next: (name) =>
      faults.filter(
        (fault, index) =>
          (fault.endpoint === undefined || fault.endpoint === name) && isMet(fault, index),
      ),
    reset: () => void counts.fill(0),
    save: () => [...counts],
    load(saved) {
      for (const index of counts.keys()) counts[index] = saved[index] ?? 0;
    },
  };
}
