import { groupDigits } from "@catalog/mapping";

const SIGNS = { tr: { group: ".", point: "," }, en: { group: ",", point: "." } } as const;

/** Minor units as an amount with two decimals, without a currency. */
export function formatMinor(minor: number, lang: "tr" | "en"): string {
  const { group, point } = SIGNS[lang];
  const digits = String(Math.abs(Math.round(minor))).padStart(3, "0");
  const whole = groupDigits(digits.slice(0, -2), group);
  return `${minor < 0 ? "-" : ""}${whole}${point}${digits.slice(-2)}`;
}

/** A change in percent, without decimals but for small ones. */
export function formatPercent(percent: number, lang: "tr" | "en"): string {
  const isSmall = Math.abs(percent) < 10;
  const { group, point } = SIGNS[lang];
  const [whole = "", ...decimals] = Math.abs(percent)
    .toFixed(isSmall ? 1 : 0)
    .split(".");
  const text = [groupDigits(whole, group), ...decimals].join(point);
  const sign = percent < 0 ? "−" : "+";
  return lang === "tr" ? `${sign}%${text}` : `${sign}${text}%`;
}
