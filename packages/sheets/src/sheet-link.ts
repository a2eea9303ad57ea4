/** Recognises a link to a shared Google sheet and where its table can be downloaded. */

/** A table behind a link. */
export interface SheetLink {
  /** Address of the one sheet that the link shows, or of the whole workbook if it shows none. */
  readonly downloadUrl: string;
  readonly kind: "csv" | "xlsx";
  /** A name for messages and for the file. */
  readonly name: string;
}

const HOST = "docs.google.com";
const DOCUMENT = /^\/spreadsheets(?:\/u\/\d+)?\/d\/([\w-]{20,})(?:\/|$)/;
const SHEET = /(?:^|[#&?])gid=(\d+)/;

/**
 * Resolves a link; `undefined` for a text that is no link. A link to anything but a Google sheet is
 * returned as it is: the caller decides whether to download it, and the content decides its kind.
 */
export function resolveSheetLink(text: string): SheetLink | undefined {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  const id = url.hostname === HOST ? DOCUMENT.exec(url.pathname)?.[1] : undefined;
  return id === undefined ? plainLink(url) : googleLink(url, id);
}

function plainLink(url: URL): SheetLink {
  const isWorkbook = /\.xlsx$/i.test(url.pathname);
  return { downloadUrl: url.href, kind: isWorkbook ? "xlsx" : "csv", name: url.href };
}

function googleLink(url: URL, id: string): SheetLink {
  const sheet = SHEET.exec(url.hash)?.[1] ?? SHEET.exec(url.search)?.[1];
  const kind = sheet === undefined ? "xlsx" : "csv";
  const gid = sheet === undefined ? "" : `&gid=${sheet}`;
  return {
    downloadUrl: `https://${HOST}/spreadsheets/d/${id}/export?format=${kind}${gid}`,
    kind,
    name: `google-sheet-${id.slice(0, 8)}.${kind}`,
  };
}
