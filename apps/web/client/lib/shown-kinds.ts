const MAX_KINDS = 12;

/** The kinds of issues that have a button: the first ones, or all where a later one is chosen. */
export const toShownKinds = <Kind extends { readonly code: string }>(
  kinds: readonly Kind[],
  { isWhole, chosen }: { readonly isWhole: boolean; readonly chosen: string | undefined },
): readonly Kind[] => {
  const first = kinds.slice(0, MAX_KINDS);
  const isLater = chosen !== undefined && !first.some(({ code }) => code === chosen);
  return isWhole || isLater ? kinds : first;
};
