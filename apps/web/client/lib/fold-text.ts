/** A text for searching: case, accents and the Turkish i do not count. */
export const foldText = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ı", "i")
    .replaceAll("İ", "i")
    .toLowerCase()
    .trim();
