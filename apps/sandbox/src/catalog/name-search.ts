/**
 * Folds case, accents and the dotted and dotless i, so that "IŞIK", "Işık" and "isik" are equal.
 */
export function foldName(text: string): string {
  // Without the two letters that Turkish folds differently, the faster general folding is right.
  return text.replaceAll(/[Iİı]/gu, "i").toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
}

/** Whether `text` contains `wanted` when both are folded; true for an empty `wanted`. */
export function containsName(text: string, wanted: string): boolean {
  // Most listings are read without a search, and folding thousands of names takes long.
  return wanted === "" || foldName(text).includes(foldName(wanted));
}
