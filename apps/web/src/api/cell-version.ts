/** Apart from the schemas, so that the client half can take it. */

/** Changes with the text of a cell, so that its image is not taken for that of an earlier text. */
export function cellVersion(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return `${text.length}-${hash >>> 0}`;
}
