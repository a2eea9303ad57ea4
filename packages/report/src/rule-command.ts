import { type OpenNameCount } from "@catalog/runs";

/** The command by which a person settles a name for all its rows, with the likeliest answer. */
export function ruleCommand({ field, value, choices }: OpenNameCount): string {
  const words = [/^[\w:]+$/u.test(field) ? field : quote(field), quote(value)];
  return ["catalog rules add", ...words, quote(choices[0] ?? "…")].join(" ");
}

/** For a shell to take as one word, unchanged. */
const quote = (text: string): string => `"${text.replaceAll(/["\\$`]/gu, String.raw`\$&`)}"`;
