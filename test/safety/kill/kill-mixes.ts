/** Marketplaces in which the program is killed, and the number of its homes. */

import type { Fault, SandboxOptions } from "@catalog/sandbox";

export interface KillMix {
  readonly name: string;
  readonly faults: readonly Fault[];
  readonly behavior?: SandboxOptions["personality"];
  readonly isTwice?: boolean;
  readonly isRestored?: boolean;
  /**
   * Whether duplicates are possible: two homes, or a home and its copy, know of each other only
   * through the store.
   */
  readonly mayDouble?: boolean;
}

/** 40 % of the adds get a wrong answer, most of them although they were carried out. */
export const BAD_ANSWERS: readonly Fault[] = [
  { kind: "reset-after", endpoint: "product.add", rate: 0.1 },
  { kind: "error-after", endpoint: "product.add", rate: 0.1 },
  { kind: "truncated-with-length", endpoint: "product.add", rate: 0.06 },
  { kind: "truncated-without-length", endpoint: "product.add", rate: 0.05 },
  { kind: "html", endpoint: "product.add", rate: 0.05 },
  { kind: "error-before", endpoint: "product.add", rate: 0.05 },
  { kind: "reset-before", endpoint: "product.add", rate: 0.05 },
  { kind: "latency", endpoint: "product.add", rate: 0.5, ms: 15 },
];

/** One add in seven is refused although it was carried out. */
const REFUSED_AFTER: readonly Fault[] = [
  { kind: "refused-after", endpoint: "product.add", rate: 0.03, status: 422 },
  { kind: "refused-after", endpoint: "product.add", rate: 0.03, status: 401 },
  { kind: "refused-after", endpoint: "product.add", rate: 0.02, status: 404 },
  { kind: "refused-after", endpoint: "product.add", rate: 0.03, status: 200 },
  { kind: "refused-after", endpoint: "product.add", rate: 0.02, status: 409 },
  { kind: "refused-after", endpoint: "product.add", rate: 0.01, status: 429, ms: 1_000 },
];

const ALL: readonly Fault[] = [...REFUSED_AFTER, ...BAD_ANSWERS];

export const KILL_MIXES: readonly KillMix[] = [
  { name: "refusals after the effect", faults: ALL },
  {
    name: "refusals after the effect, nothing shown",
    faults: ALL,
    behavior: { "new-product": "after-approval" },
  },
  {
    name: "pages of 20, no total",
    faults: BAD_ANSWERS,
    behavior: { "page-cap": "20", total: "zero" },
  },
  {
    name: "pages of 20 counted as asked, half a total",
    faults: ALL,
    behavior: { "page-cap": "20-of-asked", total: "half" },
  },
  {
    name: "filters that find nothing",
    faults: ALL,
    behavior: { "code-filter": "useless", "ids-filter": "useless", "date-filter": "useless" },
  },
  { name: "codes in capitals", faults: ALL, behavior: { "stored-code": "upper-cased" } },
  { name: "no date", faults: ALL, behavior: { "date-header": "missing" } },
  { name: "two homes", faults: BAD_ANSWERS, isTwice: true, mayDouble: true },
  {
    name: "two homes, shown ten minutes later",
    faults: ALL,
    behavior: { "new-product": "after-delay" },
    isTwice: true,
    mayDouble: true,
  },
  { name: "copies put back", faults: ALL, isRestored: true },
  {
    name: "copies put back, nothing shown",
    faults: ALL,
    behavior: { "new-product": "after-approval" },
    isRestored: true,
  },
  {
    name: "copies put back, shown ten minutes later",
    faults: ALL,
    behavior: { "new-product": "after-delay" },
    isRestored: true,
    mayDouble: true,
  },
];
