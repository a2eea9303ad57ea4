const TAG = /<\/?[a-z][^>]*>/giu;

/** The words of a text with HTML, as they are read; other texts stay as they are. */
export const toPlainText = (text: string): string => {
  if (text.search(TAG) === -1) return text;
  // Words of two blocks do not join; the parsed document runs and loads nothing.
  const { body } = new DOMParser().parseFromString(text.replaceAll(BLOCK, " $&"), "text/html");
  return (body.textContent ?? "").replaceAll(/\s+/gu, " ").trim();
};

const BLOCK = /<\/?(?:p|br|li|ul|ol|div|h[1-6]|tr|td|th|table)\b/giu;
