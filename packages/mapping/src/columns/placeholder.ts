/** Stands in a command to paste for a text that a person has to write; it is never taken as one. */
export const PLACEHOLDER = "…";

/** Whether a text is such a mark, pasted as it stands. */
export const isPlaceholder = (text: string): boolean =>
  text.trim() === PLACEHOLDER || text.trim() === "...";
