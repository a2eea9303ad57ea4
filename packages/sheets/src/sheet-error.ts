/**
 * Why a file is refused, with a code for programs and a text for people: what happened, then what to do.
 */

import { formatNumber, type Lang, type Localized, LocalizedError, quoteText } from "@catalog/i18n";

import { columnLetters } from "./cell.ts";
import type { EncodingReading } from "./csv/encoding.ts";
import { countedSheets, type ReadLimits } from "./sheet-rows.ts";
import { toVisibleLine } from "./visible-text.ts";

/** Number of bytes that `detectKind` needs. */
export const KIND_BYTES = 4096;

/** What kind of file the first bytes show. */
type FileKind =
  | { readonly kind: "workbook" | "xml" | "json" }
  | { readonly kind: "text" }
  | { readonly kind: "other"; readonly hint: FileHint };

const SIGNATURES: readonly (readonly [hex: string, hint: FileHint])[] = [
  ["25504446", "pdf"],
  ["89504e47", "picture"],
  ["ffd8ff", "picture"],
  ["47494638", "picture"],
  ["1f8b08", "archive"],
  ["52617221", "archive"],
  ["377abcaf", "archive"],
];

const ZIP = /^504b(?:0304|0506)/;
/**
 * The beginning of a compound file, which old workbooks and workbooks with a password are, or of the
 * bare records that Excel wrote up to version 4.
 */
export const OLD_WORKBOOK: RegExp = /^(?:d0cf11e0|09(?:000400|020600|040600|080800|081000))/;

// Matched after every NUL is removed, so that UTF-16 matches as well. Of other elements another one
// follows the first, since the first header of a CSV file may be written as one.
const MARKUP =
  /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*<(?:!doctype|\?xml|!--|(?:html|head|body|meta|table|style|div|span|p|center|font|form|script)[\s>]|[a-z_\u0080-\u00ff][\w.:\u0080-\u009f\u00a1-\u00ff-]*(?:\s[^<>]*)?>\s*<[a-z_!/\u0080-\u00ff]|[a-z_\u0080-\u00ff][\w.:\u0080-\u009f\u00a1-\u00ff-]*(?:\s[^<>]*)?\/>\s*$)/i;
const JSON_START = /^(?:\u00ef\u00bb\u00bf)?\s*(?:\{\s*["}]|\[\s*[[{"\]])/u;

/** Detects the kind of a file by its first `KIND_BYTES` bytes. */
export function detectKind(head: Buffer): FileKind {
  const hex = head.toString("hex", 0, 8);
  if (ZIP.test(hex) || OLD_WORKBOOK.test(hex)) return { kind: "workbook" };
  const hint = SIGNATURES.find(([signature]) => hex.startsWith(signature))?.[1];
  if (hint !== undefined) return { kind: "other", hint };
  const text = head.toString("latin1").replaceAll("\0", "");
  // The process that reads workbooks finds the table in a page and in a workbook of markup.
  if (MARKUP.test(text)) return { kind: WORKBOOK_MARKUP.test(text) ? "workbook" : "xml" };
  return { kind: JSON_START.test(text) ? "json" : "text" };
}

/** A page, XML Spreadsheet 2003 or OpenDocument in one file, behind what may precede an element. */
const WORKBOOK_MARKUP =
  /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*(?:<(?:\?[^>]*\?|!--.*?--)>\s*)*<(?:!doctype\s+html|(?:html|head|body|meta|title|link|style|script|table|t[hr]|thead|tbody|div|span|p|br?|h[1-6]|center|font|form)[\s/>]|office:document\s|[^>]*urn:schemas-microsoft-com:office:spreadsheet)/isu;

/** What a file that is no sheet probably is. */
type FileHint =
  | "password"
  | "html"
  | "binary-excel"
  | "text"
  | "pdf"
  | "picture"
  | "archive"
  | "old-openoffice";

const HINTS: Readonly<Record<FileHint, Localized>> = {
  password: {
    tr: "Şifreli bir Excel dosyası; Excel parola sormadan açsa bile içi okunamıyor. Excel'de açın, şifreyi kaldırın (Dosya > Bilgi > Çalışma Kitabını Koru) ve “Excel Çalışma Kitabı (.xlsx)” olarak kaydedin.",
    en: "It is an encrypted Excel file, which cannot be read even where Excel opens it without asking. Open it in Excel, remove the encryption (File > Info > Protect Workbook), and save it as “Excel Workbook (.xlsx)”.",
  },
  html: {
    tr: "Dosya bir web sayfası; adı .xls veya .xlsx olsa da Excel dosyası değil. Excel'de açıp “Excel Çalışma Kitabı (.xlsx)” olarak kaydedin.",
    en: "It is a web page, whatever its name says. Open it in Excel and save it as “Excel Workbook (.xlsx)”.",
  },
  "binary-excel": {
    tr: "Bu bir ikili Excel (.xlsb) dosyası. “Excel Çalışma Kitabı (.xlsx)” olarak kaydedin.",
    en: "It is a binary Excel (.xlsb) file. Save it as “Excel Workbook (.xlsx)”.",
  },
  text: {
    tr: "Adı .xlsx olsa da bu bir metin (CSV) dosyası. Adının sonunu .csv yapın ya da “Excel Çalışma Kitabı (.xlsx)” olarak kaydedin.",
    en: "It is a text (CSV) file, though its name ends in .xlsx. Let its name end in .csv, or save it as “Excel Workbook (.xlsx)”.",
  },
  pdf: {
    tr: "Bu bir PDF. Tabloyu Excel ya da CSV dosyası olarak isteyin.",
    en: "It is a PDF. Ask for the table as an Excel or CSV file.",
  },
  picture: {
    tr: "Bu bir resim. Excel (.xlsx) ya da CSV dosyası seçin.",
    en: "It is a picture. Choose an Excel (.xlsx) or CSV file.",
  },
  archive: {
    tr: "Bu, açılamayan türden bir sıkıştırılmış dosya (.rar, .7z ya da .tar). Açıp içindeki Excel ya da CSV dosyasını seçin; gzip (.gz) ve zip doğrudan okunur.",
    en: "It is a compressed file that is not unpacked here (.rar, .7z or .tar). Unpack it, and choose the Excel or CSV file inside; gzip (.gz) and zip are read as they are.",
  },
  "old-openoffice": {
    tr: "Bu bir eski OpenOffice (.sxc) dosyası. LibreOffice'te açıp “Excel 2007-365 (.xlsx)” olarak kaydedin.",
    en: "It is a file of an old OpenOffice (.sxc). Open it in LibreOffice and save it as “Excel 2007-365 (.xlsx)”.",
  },
};

const named = (d: SheetErrorDetails): Localized => ({
  tr: d.file === undefined ? "Dosya" : `“${toVisibleLine(d.file)}”`,
  en: d.file === undefined ? "The file" : `“${toVisibleLine(d.file)}”`,
});

const location = (d: SheetErrorDetails): Localized =>
  d.path === undefined ? cellPlace(d) : nodePlace(d);

/** The record with its code, the path in it and the line, as far as they are known. */
function nodePlace({ record, code, path = "", line }: SheetErrorDetails): Localized {
  const codeText = code === undefined ? "" : ` (${toVisibleLine(code)})`;
  const parts = (recordText: string, lineText: string): string =>
    [
      ...(record === undefined ? [] : [`${recordText}${codeText}`]),
      ...(path === "" ? [] : [toVisibleLine(path)]),
      ...(line === undefined ? [] : [lineText]),
    ].join(", ");
  return {
    tr: parts(`${record}. kayıt`, `${line}. satır`),
    en: parts(`record ${record}`, `line ${line}`),
  };
}

const cellPlace = (d: SheetErrorDetails): Localized => ({
  tr: d.column === undefined ? `${d.row}. satır` : `${d.row}. satır, ${d.column}. sütun`,
  en: d.column === undefined ? `row ${d.row}` : `row ${d.row}, column ${d.column}`,
});

const choices = ({ names = [], rowCounts = [] }: SheetErrorDetails): Localized =>
  countedSheets(names.map((name, index) => ({ name, rows: rowCounts[index] })));

/** What there is instead, in brackets. */
const listed = ({ names = [] }: SheetErrorDetails): Localized => {
  const list = names.map((name) => `“${toVisibleLine(name)}”`).join(", ");
  return list === "" ? { tr: "", en: "" } : { tr: ` (${list})`, en: ` (${list})` };
};

/** The row that was taken for the headers, where it is known. */
const headersIn = ({ row }: SheetErrorDetails): Localized => ({
  tr: row === undefined ? "" : `, başlık: ${row}. satır`,
  en: row === undefined ? "" : `, headers: row ${row}`,
});

const sheetName = ({ names = [] }: SheetErrorDetails, index: number): string =>
  toVisibleLine(names[index] ?? "");

const differing = ({ headers = [] }: SheetErrorDetails, index: number): string =>
  toVisibleLine(headers[index] ?? "");

/** The argument that names a sheet, to be pasted; quotes in a name end in a shell's. */
const sheetFlag = ({ names: [name = ""] = [] }: SheetErrorDetails): string =>
  `--sheet ${quoteText(toVisibleLine(name))}`;

const SHOWN_HEADERS = 6;

/** The records to choose from, each with how often it occurs and what it holds. */
function recordChoices(d: SheetErrorDetails): Localized {
  const { names = [], rowCounts = [], samples = [] } = d;
  const list = (lang: Lang): string =>
    names
      .map((name, index) => {
        const held = (samples[index] ?? []).slice(0, SHOWN_HEADERS).map(toVisibleLine).join(", ");
        return `“${toVisibleLine(name)}” (${formatNumber(rowCounts[index] ?? 0, lang)}: ${held})`;
      })
      .join("; ");
  return { tr: list("tr"), en: list("en") };
}

/** The argument that names a record, to be pasted. */
const recordFlag = ({ names: [name = ""] = [] }: SheetErrorDetails): string =>
  `--record ${quoteText(toVisibleLine(name))}`;

/** Bounds of XML and JSON that no setting changes, but for the last. */
const BOUNDS: Readonly<Record<NonNullable<SheetErrorDetails["bound"]>, Localized>> = {
  depth: { tr: "iç içe # düzeyden derin", en: "it is nested more than # levels deep" },
  name: { tr: "adı # karakterden uzun", en: "a name has more than # characters" },
  attributes: { tr: "#’dan çok özniteliği var", en: "an element has more than # attributes" },
  paths: { tr: "#’den çok farklı yol var", en: "there are more than # different paths" },
  endless: {
    tr: "# karakter içinde bitmeyen bir etiket ya da metin var",
    en: "a tag or text does not end within # characters",
  },
};

const REASONS: Readonly<Record<NonNullable<SheetErrorDetails["reason"]>, Localized>> = {
  "key-twice": { tr: "“#” anahtarı iki kez var", en: "the key “#” occurs twice" },
  mixed: {
    tr: "kayıtların arasında, hiçbir kayda ait olmayan metin var",
    en: "there is text between the records that belongs to none",
  },
  late: {
    tr: "içindeki kayıtlardan çok sonra gelen bir değeri var",
    en: "it has a value that comes long after the records in it",
  },
};

/** Each encoding with the words that differ in it. */
const shownReadings = (d: SheetErrorDetails): string =>
  (d.readings ?? [])
    .map(({ encoding, words }) => `${encoding}: ${words.map((word) => `“${word}”`).join(", ")}`)
    .join("; ");

const exampleOf = (d: SheetErrorDetails): string =>
  `--encoding ${d.readings?.[0]?.encoding ?? "windows-1254"}`;

/** Delimiters in readable form. */
const shown = (delimiter = ""): string => (delimiter === "\t" ? "TAB" : `“${delimiter}”`);

/** A limit as people write it. */
const limitOf = ({ limit = 0 }: SheetErrorDetails): Localized => ({
  tr: formatNumber(limit, "tr"),
  en: formatNumber(limit, "en"),
});

/** How to raise the limit that was exceeded; a part of a sentence. */
const raising = ({ setting }: SheetErrorDetails): Localized => ({
  tr: `catalog.config.json içinde limits.${setting} değerini yükseltin`,
  en: `raise limits.${setting} in catalog.config.json`,
});

const READER_LIMITS: Partial<Readonly<Record<string, Localized>>> = {
  readerSeconds: { tr: "süre sınırını", en: "time" },
  readerHeapMb: { tr: "bellek sınırını", en: "memory" },
  readerRssMb: { tr: "bellek sınırını", en: "memory" },
};

export const MESSAGES: Readonly<Record<SheetErrorCode, (d: SheetErrorDetails) => Localized>> = {
  E_FILE_MISSING: (d) => ({
    tr: `${named(d).tr} bulunamadı. Yolunu ve adını denetleyin.`,
    en: `${named(d).en} was not found. Check its folder and name.`,
  }),
  E_FILE_DIRECTORY: (d) => ({
    tr: `${named(d).tr} bir klasör. İçindeki dosyayı seçin.`,
    en: `${named(d).en} is a folder. Choose the file in it.`,
  }),
  E_FILE_UNREADABLE: (d) => ({
    tr: `${named(d).tr} okunamadı. Okuma izniniz olduğundan ve başka bir programda açık olmadığından emin olun; Excel dosyasıysa Excel'de açıp yeniden kaydedin.`,
    en: `${named(d).en} could not be read. Make sure that you may read it and that no other program holds it; if it is an Excel file, open it in Excel and save it again.`,
  }),
  E_FILE_EMPTY: (d) =>
    d.names === undefined
      ? {
          tr: `${named(d).tr} boş: hiç dolu satır yok. Doğru dosyayı ya da sayfayı seçin.`,
          en: `${named(d).en} is empty: no row has anything in it. Choose the right file or sheet.`,
        }
      : {
          tr: `${named(d).tr} dosyasının görünen sayfaları boş; veri gizli sayfalarda: ${choices(d).tr}. Okunacaksa sayfayı belirtin: ${sheetFlag(d)}`,
          en: `The visible sheets of ${named(d).en} are empty; hidden sheets have data: ${choices(d).en}. To read one, name it: ${sheetFlag(d)}`,
        },
  E_FILE_TYPE: (d) => {
    const hint = d.hint === undefined ? undefined : HINTS[d.hint];
    return {
      tr: `${named(d).tr} okunabilecek bir tablo değil. ${hint?.tr ?? "Excel (.xlsx) ya da CSV dosyası seçin."}`,
      en: `${named(d).en} is not a table that can be read. ${hint?.en ?? "Choose an Excel (.xlsx) or CSV file."}`,
    };
  },
  E_FILE_TRUNCATED: (d) => ({
    tr: `${named(d).tr} yarım kalmış: sonu yok. Yeniden indirin ya da kaydedin.`,
    en: `${named(d).en} was cut off: its end is missing. Download or save it again.`,
  }),
  E_FILE_DAMAGED: (d) => ({
    tr: `${named(d).tr} bozuk: içeriği sağlamasını tutmuyor. Yeniden indirin ya da Excel'de açıp yeni bir dosya olarak kaydedin.`,
    en: `${named(d).en} is damaged: its content does not match its own checks. Download it again, or open it in Excel and save it as a new file.`,
  }),
  E_FILE_LINK: (d) => ({
    tr: `${named(d).tr} bir bağlantı; bağlantıdan okunmadı. Tabloyu şu adresten indirip dosyayı verin: ${d.found}`,
    en: `${named(d).en} is a link, and links are not read here. Download the table from this address and give the file: ${d.found}`,
  }),
  E_ZIP_RATIO: (d) => ({
    tr: `${named(d).tr} açılınca güvenle okunamayacak kadar büyüyor. Excel'de açıp boş satır ve sütunları silin, yeni bir dosya olarak kaydedin; dosyaya güveniyorsanız ${raising(d).tr} (şimdi ${limitOf(d).tr}).`,
    en: `${named(d).en} unpacks to more than can be read safely. Open it in Excel, delete the empty rows and columns, and save it as a new file; if you trust the file, ${raising(d).en} (now ${limitOf(d).en}).`,
  }),
  E_ZIP_DUP_ENTRY: (d) => ({
    tr: `${named(d).tr} aynı adı taşıyan iki parça içeriyor; hangisinin geçerli olduğu belli değil. Excel'de açıp yeni bir dosya olarak kaydedin.`,
    en: `${named(d).en} has two parts of one name, so it is not clear which one counts. Open it in Excel and save it as a new file.`,
  }),
  E_PACKED_SIZE: (d) => ({
    tr: `${named(d).tr} açılınca güvenle okunamayacak kadar büyüyor. Dosyaya güveniyorsanız ${raising(d).tr} (şimdi ${limitOf(d).tr}).`,
    en: `${named(d).en} unpacks to more than can be read safely. If you trust the file, ${raising(d).en} (now ${limitOf(d).en}).`,
  }),
  E_PACKED_LOCKED: (d) => ({
    tr: `${named(d).tr} parolayla korunan bir zip. Parolasız bir zip ya da içindeki dosyayı isteyin.`,
    en: `${named(d).en} is a zip that is protected by a password. Ask for one without, or for the file in it.`,
  }),
  E_PACKED_NONE: (d) => ({
    tr: `${named(d).tr} içinde tablo yok${listed(d).tr}. İçinde .csv, .xlsx, .xml ya da .json dosyası olan bir zip verin.`,
    en: `There is no table in ${named(d).en}${listed(d).en}. Give a zip with a .csv, .xlsx, .xml or .json file in it.`,
  }),
  E_PACKED_CHOICE: (d) => ({
    tr: `${named(d).tr} içinde birden çok tablo var: ${choices(d).tr}. Birini okumak için: ${sheetFlag(d)}`,
    en: `There are several tables in ${named(d).en}: ${choices(d).en}. To read one: ${sheetFlag(d)}`,
  }),
  E_XML: (d) => ({
    tr: `${named(d).tr} içindeki XML bozuk ya da izin verilmeyen bir bildirim taşıyor. Excel'de açıp yeni bir dosya olarak kaydedin.`,
    en: `${named(d).en} has XML that is broken or declares what is not allowed. Open it in Excel and save it as a new file.`,
  }),
  E_READER_LIMIT: (d) => {
    const exceeded = READER_LIMITS[d.setting ?? ""];
    if (exceeded === undefined) {
      return {
        tr: `${named(d).tr} okunurken bilgisayarın belleği yetmedi. Daha küçük dosyalara bölün ya da CSV olarak kaydedin.`,
        en: `The machine ran out of memory while ${named(d).en} was read. Split it into smaller files, or save it as CSV.`,
      };
    }
    return {
      tr: `${named(d).tr} okunurken ${exceeded.tr} aştı (${limitOf(d).tr}). CSV olarak kaydedin, daha küçük dosyalara bölün ya da ${raising(d).tr}.`,
      en: `${named(d).en} took more ${exceeded.en} than reading may take (${limitOf(d).en}). Save it as CSV, split it into smaller files, or ${raising(d).en}.`,
    };
  },
  E_NOT_XLSX: (d) => ({
    tr: `${named(d).tr} bir Excel çalışma kitabı değil ya da parçaları eksik. Zip ise içinden dosyayı çıkarın; çalışma kitabıysa Excel'de açıp yeni bir dosya olarak kaydedin.`,
    en: `${named(d).en} is not an Excel workbook, or lacks parts of one. If it is a zip, take the file out of it; if it is a workbook, open it in Excel and save it as a new file.`,
  }),
  E_ENCODING: (d) => ({
    tr: `${named(d).tr} “${d.found}” kodlamasıyla okunamıyor. Kodlamayı belirtmeyin ya da dosyayı UTF-8 olarak kaydedin.`,
    en: `${named(d).en} cannot be read as “${d.found}”. Leave the encoding out, or save the file as UTF-8.`,
  }),
  E_ENCODING_UNSURE: (d) => ({
    tr: `${named(d).tr} hangi karakter kodlamasıyla kaydedilmiş, kesin değil; aynı harfler farklı okunabiliyor. ${shownReadings(d)}. Doğru okunanı --encoding ile belirtin (örneğin ${exampleOf(d)}) ya da dosyayı UTF-8 olarak yeniden kaydedin.`,
    en: `The encoding of ${named(d).en} is not certain: its letters can be read in more than one way. ${shownReadings(d)}. Give the right one with --encoding (for example ${exampleOf(d)}), or save the file again as UTF-8.`,
  }),
  E_NUL: (d) => ({
    tr: `${named(d).tr} metin dosyası değil: içinde NUL baytı var. Excel (.xlsx) ya da UTF-8 CSV olarak kaydedin.`,
    en: `${named(d).en} is not a text file: it has NUL bytes. Save it as Excel (.xlsx) or UTF-8 CSV.`,
  }),
  E_CSV_QUOTE: (d) => {
    const isEndless = d.setting === "recordChars";
    return {
      tr: `${named(d).tr}, ${location(d).tr}: burada açılan tırnak (") düzgün kapanmıyor. Tırnağı kapatın ya da silin; dosyadan hiçbir satır alınmadı.${isEndless ? ` Satır gerçekten ${limitOf(d).tr} karakterden uzunsa ${raising(d).tr}.` : ""}`,
      en: `${named(d).en}, ${location(d).en}: a quote (") that opens here is not closed properly. Close or remove it; no row of the file was taken.${isEndless ? ` If the row really is longer than ${limitOf(d).en} characters, ${raising(d).en}.` : ""}`,
    };
  },
  E_DELIMITER: (d) => ({
    tr: `${named(d).tr}: satırların çoğunun hücre sayısı başlıktakinden farklı (ayırıcı: ${shown(d.found)}${headersIn(d).tr}). Başlıklar başka bir satırdaysa --header-row ile, ayırıcı başkaysa --delimiter ile belirtin; ya da dosyayı Excel'den yeniden kaydedin.`,
    en: `${named(d).en}: too many rows have more or fewer cells than the headers (delimiter: ${shown(d.found)}${headersIn(d).en}). Name the row of the headers with --header-row if it is another one, or the delimiter with --delimiter; or save the file again from Excel.`,
  }),
  E_SHEET_UNKNOWN: (d) => ({
    tr: `“${d.found}” adlı bir sayfa yok. Sayfalar: ${choices(d).tr}.`,
    en: `There is no sheet “${d.found}”. The sheets are: ${choices(d).en}.`,
  }),
  E_SHEET_CHOICE: (d) => ({
    tr: `Birden çok sayfada veri var: ${choices(d).tr}. Birini okumak için: ${sheetFlag(d)}; birkaçını okumak için her biri için bir --sheet yazın; aynı başlıklı sayfaların hepsi okunacaksa: --sheet all`,
    en: `Several sheets have data: ${choices(d).en}. To read one: ${sheetFlag(d)}; to read several, give one --sheet for each; to read all of them that have the same headers: --sheet all`,
  }),
  E_SHEETS_DIFFER: (d) => ({
    tr: `“${sheetName(d, 0)}” ve “${sheetName(d, 1)}” sayfaları birlikte okunamaz, başlıkları aynı değil: ${columnLetters(d.column ?? 1)} sütununda birinde “${differing(d, 0)}”, öbüründe “${differing(d, 1)}” var. Başlıkları eşitleyin ya da sayfaları tek tek okutun.`,
    en: `The sheets “${sheetName(d, 0)}” and “${sheetName(d, 1)}” cannot be read together, as their headers differ: column ${columnLetters(d.column ?? 1)} has “${differing(d, 0)}” in one and “${differing(d, 1)}” in the other. Make the headers equal, or read one sheet at a time.`,
  }),
  E_RECORD_CHOICE: (d) => ({
    tr: `${named(d).tr} içinde hangi kaydın ürün olduğu belli değil: ${recordChoices(d).tr}. Birini belirtin: ${recordFlag(d)}`,
    en: `It is not clear which records of ${named(d).en} are the products: ${recordChoices(d).en}. Name them: ${recordFlag(d)}`,
  }),
  E_RECORD_UNKNOWN: (d) => ({
    tr: `${named(d).tr} içinde “${toVisibleLine(d.found ?? "")}” yolunda kayıt yok. Olanlar: ${recordChoices(d).tr}. Birini belirtin: ${recordFlag(d)}`,
    en: `${named(d).en} has no records at “${toVisibleLine(d.found ?? "")}”. It has: ${recordChoices(d).en}. Name one: ${recordFlag(d)}`,
  }),
  E_RECORD_SYNTAX: (d) => ({
    tr: `${named(d).tr} bozuk; ${location(d).tr} (${toVisibleLine(d.found ?? "")}). Dosyayı veren programda düzeltin; dosyadan hiçbir kayıt alınmadı.`,
    en: `${named(d).en} is not well formed; ${location(d).en} (${toVisibleLine(d.found ?? "")}). Correct it in the program that writes it; no record of the file was taken.`,
  }),
  E_RECORD_DOCTYPE: (d) => ({
    tr: `${named(d).tr} bir belge türü (DOCTYPE) ya da kendi varlıklarını bildiriyor; böyle XML güvenle okunamaz. Dosyayı DOCTYPE olmadan isteyin.`,
    en: `${named(d).en} declares a document type (DOCTYPE) or entities of its own; such XML cannot be read safely. Ask for the file without a DOCTYPE.`,
  }),
  E_RECORD_LIMIT: (d) => {
    const bound = BOUNDS[d.bound ?? "endless"];
    const raise = d.setting === undefined ? { tr: "", en: "" } : raising(d);
    return {
      tr: `${named(d).tr}, ${location(d).tr}: ${bound.tr.replace("#", limitOf(d).tr)}. Dosyayı veren programda düzeltin${raise.tr === "" ? "" : ` ya da ${raise.tr}`}.`,
      en: `${named(d).en}, ${location(d).en}: ${bound.en.replace("#", limitOf(d).en)}. Correct it in the program that writes the file${raise.en === "" ? "" : `, or ${raise.en}`}.`,
    };
  },
  E_RECORD_CONTENT: (d) => {
    const reason = REASONS[d.reason ?? "mixed"];
    const found = toVisibleLine(d.found ?? "");
    return {
      tr: `${named(d).tr}, ${location(d).tr}: ${reason.tr.replace("#", found)}. Dosyayı veren programda düzeltin.`,
      en: `${named(d).en}, ${location(d).en}: ${reason.en.replace("#", found)}. Correct it in the program that writes the file.`,
    };
  },
  E_HEADER_ROW: (d) => ({
    tr: `Başlık satırı olarak verilen ${d.row}. satır boş ya da yok. Başlıkların bulunduğu satırın numarasını verin.`,
    en: `Row ${d.row}, given as the header row, is empty or missing. Give the number of the row with the headers.`,
  }),
  E_ROWS_NONE: () => ({
    tr: "Dosyada başlıktan başka satır yok. Ürünleri ekleyip dosyayı yeniden yükleyin; başlık başka bir satırdaysa onu seçin.",
    en: "The file has no row besides its header. Add the products and upload the file again; if the header is in another row, choose that one.",
  }),
  E_ROW_RANGE: (d) => ({
    tr: `${named(d).tr}: ${d.row}. satırın numarası “${d.found}” sırayla gelmiyor ya da Excel'in son satırından büyük. Excel'de açıp yeni bir dosya olarak kaydedin.`,
    en: `${named(d).en}: the number “${d.found}” at row ${d.row} is out of order or beyond Excel's last row. Open it in Excel and save it as a new file.`,
  }),
  E_CELL_REF: (d) => ({
    tr: `${named(d).tr}, ${d.row}. satır: “${d.found}” burada bir hücre adresi olamaz. Excel'de açıp yeni bir dosya olarak kaydedin.`,
    en: `${named(d).en}, row ${d.row}: “${d.found}” cannot be the address of a cell here. Open it in Excel and save it as a new file.`,
  }),
  E_CELL_VALUE: (d) => ({
    tr: `${named(d).tr}, ${location(d).tr}: hücrenin değeri “${d.found}” türüne uymuyor. Hücreyi Excel'de yeniden yazıp dosyayı kaydedin.`,
    en: `${named(d).en}, ${location(d).en}: the value “${d.found}” does not fit the type of the cell. Type it again in Excel and save the file.`,
  }),
  E_TOO_MANY_ROWS: (d) => ({
    tr: `${named(d).tr} ${limitOf(d).tr} satırdan uzun. Daha küçük dosyalara bölün ya da ${raising(d).tr}.`,
    en: `${named(d).en} has more than ${limitOf(d).en} rows. Split it into smaller files, or ${raising(d).en}.`,
  }),
  E_TOO_MANY_COLUMNS: (d) => ({
    tr: `${location(d).tr}: ${limitOf(d).tr} sütundan sonrası dolu. Fazla sütunları silin, CSV ise ayırıcıyı denetleyin ya da ${raising(d).tr}.`,
    en: `${location(d).en}: there is something beyond column ${limitOf(d).en}. Remove the extra columns, in a CSV file check the delimiter, or ${raising(d).en}.`,
  }),
  E_CELL_TOO_LONG: (d) => ({
    tr: `${location(d).tr}: ${d.setting === "recordChars" ? "satırda" : "hücrede"} ${limitOf(d).tr} karakterden uzun metin var. Kısaltın ya da ${raising(d).tr}.`,
    en: `${location(d).en}: the text of this ${d.setting === "recordChars" ? "row" : "cell"} is longer than ${limitOf(d).en} characters. Shorten it, or ${raising(d).en}.`,
  }),
  E_TOO_LARGE: (d) => ({
    tr: `${named(d).tr} ${limitOf(d).tr} MB sınırından büyük. Daha küçük dosyalara bölün ya da ${raising(d).tr}.`,
    en: `${named(d).en} is larger than ${limitOf(d).en} MB. Split it into smaller files, or ${raising(d).en}.`,
  }),
};

/** Why a file could not be read. Stable: safe to branch on and to store. */
export type SheetErrorCode =
  | "E_FILE_MISSING"
  | "E_FILE_DIRECTORY"
  | "E_FILE_UNREADABLE"
  | "E_FILE_EMPTY"
  | "E_FILE_TYPE"
  | "E_FILE_TRUNCATED"
  | "E_FILE_DAMAGED"
  | "E_FILE_LINK"
  | "E_NOT_XLSX"
  | "E_ZIP_RATIO"
  | "E_ZIP_DUP_ENTRY"
  | "E_PACKED_SIZE"
  | "E_PACKED_LOCKED"
  | "E_PACKED_NONE"
  | "E_PACKED_CHOICE"
  | "E_XML"
  | "E_READER_LIMIT"
  | "E_ENCODING"
  | "E_ENCODING_UNSURE"
  | "E_NUL"
  | "E_CSV_QUOTE"
  | "E_DELIMITER"
  | "E_SHEET_UNKNOWN"
  | "E_SHEET_CHOICE"
  | "E_SHEETS_DIFFER"
  | "E_RECORD_CHOICE"
  | "E_RECORD_UNKNOWN"
  | "E_RECORD_SYNTAX"
  | "E_RECORD_DOCTYPE"
  | "E_RECORD_LIMIT"
  | "E_RECORD_CONTENT"
  | "E_HEADER_ROW"
  | "E_ROWS_NONE"
  | "E_ROW_RANGE"
  | "E_CELL_REF"
  | "E_CELL_VALUE"
  | "E_TOO_MANY_ROWS"
  | "E_TOO_MANY_COLUMNS"
  | "E_CELL_TOO_LONG"
  | "E_TOO_LARGE";

/** Details of a failure, as far as they are known. */
export interface SheetErrorDetails {
  /** The file's base name. */
  readonly file?: string;
  /** As Excel shows it. */
  readonly row?: number;
  /** From 1. */
  readonly column?: number;
  /** The limit that was exceeded, in the unit of the limit. */
  readonly limit?: number;
  /** The setting of that limit. */
  readonly setting?: keyof ReadLimits;
  /** What was requested or found. */
  readonly found?: string;
  /** The names to choose from. */
  readonly names?: readonly string[];
  /** Headers that differ, of the sheets in `names`. */
  readonly headers?: readonly string[];
  /** Numbers of rows of the sheets in `names`; a number from 10,000 on stands for more. */
  readonly rowCounts?: readonly number[];
  /** The encodings to choose from, best first, with the words that differ in each of them. */
  readonly readings?: readonly EncodingReading[];
  /** What the file probably is. */
  readonly hint?: FileHint;
  /** XML and JSON: the number of the record, from 1. */
  readonly record?: number;
  /** XML and JSON: the product code of that record. */
  readonly code?: string;
  /** XML and JSON: the path that was being read. */
  readonly path?: string;
  /** XML and JSON: the line of the file, from 1. */
  readonly line?: number;
  /** Names of values of the records in `names`. */
  readonly samples?: readonly (readonly string[])[];
  /** Which bound of XML and JSON was exceeded. */
  readonly bound?: "depth" | "name" | "attributes" | "paths" | "endless";
  /** What XML or JSON holds that cannot be a table. */
  readonly reason?: "key-twice" | "mixed" | "late";
}

/** The setting of the limit that a code is about, where it is always the same. */
const SETTINGS: Partial<Readonly<Record<SheetErrorCode, keyof ReadLimits>>> = {
  E_TOO_MANY_ROWS: "rows",
  E_TOO_MANY_COLUMNS: "columns",
  E_CELL_TOO_LONG: "cellChars",
  E_TOO_LARGE: "fileMb",
};

/** A file, or the sheet in it, could not be read. `message` is the English text. */
export class SheetError extends LocalizedError<SheetErrorCode> {
  override readonly name = "SheetError";
  readonly details: SheetErrorDetails;

  constructor(code: SheetErrorCode, details: SheetErrorDetails = {}, options?: ErrorOptions) {
    const setting = details.setting ?? SETTINGS[code];
    const known = setting === undefined ? details : { ...details, setting };
    super(code, MESSAGES[code](known), options);
    this.details = known;
  }
}

const FILE_ERRORS: ReadonlyMap<unknown, SheetErrorCode> = new Map([
  ["ENOENT", "E_FILE_MISSING"],
  ["ENOTDIR", "E_FILE_MISSING"],
  ["EISDIR", "E_FILE_DIRECTORY"],
  ["EACCES", "E_FILE_UNREADABLE"],
  ["EPERM", "E_FILE_UNREADABLE"],
  ["EBUSY", "E_FILE_UNREADABLE"],
  ["EIO", "E_FILE_UNREADABLE"],
]);

/** Turns a failure of the file system into a `SheetError`; returns any other value as it is. */
export function fromFileError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const code = FILE_ERRORS.get(error.code);
  return code === undefined ? error : new SheetError(code, { file }, { cause: error });
}
