/**
 * Whether a value is the mark of a value that advice leaves open (`--set "Model=…"`), pasted as it
 * stands.
 */
export const isPlaceholder = (value: string): boolean => /^\s*(?:…|\.{3})\s*$/u.test(value);
