/** Quotes a text as one word of a command, for a person to paste into a shell. */
export const quoteWord = (text: string): string => `"${text.replaceAll(/["$\\`!]/gu, "\\$&")}"`;
