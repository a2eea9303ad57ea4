import type { OpenNameCount } from "@catalog/runs";

/** The command that resolves a name for all its rows, with the likeliest answer. */
export function ruleCommand({ field, value, choices }: OpenNameCount): string {
  const words = [/^[\w:]+$/u.test(field) ? field : quote(field), quote(value)];
  return ["catalog rules add", ...words, quote(choices[0] ?? "…")].join(" ");
}

/** Quotes a text for a shell as one unchanged word. */
const quote = (text: string): string => `"${text.replaceAll(/["\\$`]/gu, String.raw`\$&`)}"`;
