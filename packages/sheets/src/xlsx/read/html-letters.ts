/** Decodes the letters of a page that are written as names or numbers. */

const LATIN_1 =
  "iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest " +
  "Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
  "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const FIRST_LATIN_1 = 0xa1;

/** Letters by the names of HTML, but those of markup. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(" ").map(
    (name, index) => [name, String.fromCodePoint(FIRST_LATIN_1 + index)] as const,
  ),
  ...Object.entries({
    scedil: "ş",
    Scedil: "Ş",
    gbreve: "ğ",
    Gbreve: "Ğ",
    inodot: "ı",
    imath: "ı",
    Idot: "İ",
    euro: "€",
    trade: "™",
    ndash: "–",
    mdash: "—",
    rsquo: "’",
    lsquo: "‘",
    rdquo: "”",
    ldquo: "“",
    hellip: "…",
    bull: "•",
  }),
]);

const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,7}));/gu;

/** The text with its letters; what could be markup stays an entity. */
export const decodeLetters = (text: string): string =>
  text.replaceAll(
    ENTITY,
    (entity: string, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return LETTERS.get(name) ?? entity;
      return decimal === undefined
        ? fromNumber(Number.parseInt(hexadecimal ?? "", 16), entity)
        : fromNumber(Number(decimal), entity);
    },
  );

/** Numbers of letters that stay entities. */
const KEPT: ReadonlyMap<number, string> = new Map([
  [0x26, "&amp;"],
  [0x3c, "&lt;"],
  [0x3e, "&gt;"],
  [0xa0, "&nbsp;"],
]);
const LAST_LETTER = 0x10ffff;
/** Numbers that HTML reads as bytes of windows-1252. */
const isWindowsByte = (code: number): boolean => code >= 0x80 && code <= 0x9f;
const isLetter = (code: number): boolean =>
  code > 0 && code <= LAST_LETTER && !(code >= 0xd800 && code <= 0xdfff);

function fromNumber(code: number, entity: string): string {
  if (!isLetter(code)) return entity;
  if (isWindowsByte(code)) return new TextDecoder("windows-1252").decode(Uint8Array.of(code));
  return KEPT.get(code) ?? String.fromCodePoint(code);
}
