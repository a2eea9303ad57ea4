/**
 * Formats a page with a thumbnail of every image, for people to check. The page is self-contained:
 * no script, no request, and every text from a sheet or a server is escaped.
 */

import { createHash } from "node:crypto";
import { basename } from "node:path";

import { formatBytes, type Lang, type Localized } from "@catalog/i18n";

import type { CheckedImage, ImageRow, NamedImage } from "./file-images.ts";
import type { ImageFacts } from "./image-rules.ts";
import { describeProblem, type ImageProblem } from "./problem.ts";

/** Maximum number of wrong images on the page, which browsers open slowly with more. */
const MAX_WRONG = 1_500;
const MAX_WELL = 500;

/** The row of an image. */
type SheetRow = Pick<ImageRow<NamedImage>, "row" | "code" | "title">;

/** One image on the page. */
interface SheetImage extends SheetRow, Pick<NamedImage, "cell" | "column"> {
  /** The address or file name. */
  readonly text: string;
  readonly facts: ImageFacts | undefined;
  readonly problems: readonly {
    readonly isBlocking: boolean;
    readonly message: Localized;
    readonly suggestion: Localized;
  }[];
}

/** Collects the images of a file: it keeps the first right and wrong ones, and counts all. */
interface ContactSheet {
  readonly total: number;
  readonly broken: number;
  add(row: SheetRow, checked: readonly CheckedImage[]): void;
  /** Formats the page as HTML; `title` is the path of the file that was read. */
  format(options: { readonly title: string; readonly lang: Lang }): string;
}

export function createContactSheet(isStrict: boolean): ContactSheet {
  const wrong: SheetImage[] = [];
  const well: SheetImage[] = [];
  let total = 0;
  let broken = 0;
  return {
    get total() {
      return total;
    },
    get broken() {
      return broken;
    },
    add({ row, code, title }, checked) {
      for (const { image, facts, problems, refusal } of checked) {
        total += 1;
        const described = problems.map((each) =>
          describe(each, isStrict && each.code.startsWith("E_")),
        );
        if (refusal !== undefined) described.unshift(describe(refusal, true));
        const isWell = described.length === 0;
        if (!isWell) broken += 1;
        const [list, max] = isWell ? [well, MAX_WELL] : [wrong, MAX_WRONG];
        const { cell, column, text } = image;
        if (list.length >= max) continue;
        list.push({ row, code, title, cell, column, text, facts, problems: described });
      }
    },
    format({ title, lang }) {
      // Rows that wait for an upload are added later than the rows below them.
      const lists = { wrong: wrong.toSorted(byRow), well: well.toSorted(byRow) };
      return formatPage({ ...lists, lang, title: basename(title), total, broken });
    },
  };
}

interface Texts {
  readonly images: string;
  readonly notShown: (count: number) => string;
  readonly wrong: string;
  readonly well: string;
  readonly row: string;
  readonly noImage: string;
}

/** Says in a sentence how many of the images have a problem. */
export function describeBroken(total: number, broken: number): Localized {
  const images = `${total} ${total === 1 ? "image" : "images"}`;
  if (broken > 0) {
    return {
      tr: `${total} görselden ${broken} tanesinde sorun var.`,
      en: `Of ${images}, ${broken} ${broken === 1 ? "has" : "have"} a problem.`,
    };
  }
  return {
    tr: total === 1 ? "1 görsel sorunsuz." : `${total} görselin hepsi sorunsuz.`,
    en: `No problem was found in ${images}.`,
  };
}

const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: {
    images: "Görseller",
    notShown: (count) => `${count} görsel daha var; bu sayfada gösterilmiyor.`,
    wrong: "Sorunlu",
    well: "Sorunsuz",
    row: "Satır",
    noImage: "açılamadı",
  },
  en: {
    images: "Images",
    notShown: (count) =>
      `${count} more ${count === 1 ? "image is" : "images are"} not shown on this page.`,
    wrong: "With a problem",
    well: "Without a problem",
    row: "Row",
    noImage: "not opened",
  },
};

const STYLE = `
:root { color-scheme: light dark; --line: #d5d9df; --bad: #b3261e; --warn: #8a5a00; --soft: #5c6470; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3c434d; --bad: #ff8a80; --warn: #f3c069; --soft: #a5adb8; }
}
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; }
p { margin: .25rem 0; }
.soft { color: var(--soft); }
ul { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(21rem, 1fr)); list-style: none; margin: 0; padding: 0; }
.well { grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); }
li { border: 1px solid var(--line); border-radius: .5rem; display: flex; gap: .75rem; padding: .6rem; }
.well li { flex-direction: column; gap: .4rem; }
.frame { align-items: center; background: #fff; border-radius: .3rem; color: #5c6470; display: flex; flex: none; font-size: .8rem; height: 128px; justify-content: center; width: 128px; }
.frame img { max-height: 128px; max-width: 128px; }
.text { min-width: 0; }
.text p, .text a { overflow-wrap: anywhere; }
.well .product { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
.value { font-size: .8rem; }
.well .value { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.bad { color: var(--bad); font-weight: 600; }
.warn { color: var(--warn); font-weight: 600; }
`;

const describe = (found: ImageProblem, isBlocking: boolean): SheetImage["problems"][number] => ({
  isBlocking,
  ...describeProblem(found),
});

const byRow = (a: SheetRow, b: SheetRow): number => a.row - b.row;

interface Page extends Pick<ContactSheet, "total" | "broken"> {
  readonly wrong: readonly SheetImage[];
  readonly well: readonly SheetImage[];
  readonly lang: Lang;
  readonly title: string;
}

function formatPage({ wrong, well, lang, title, total, broken }: Page): string {
  const texts = TEXTS[lang];
  const hidden = total - wrong.length - well.length;
  const hash = createHash("sha256").update(STYLE).digest("base64");
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return [
    `<!doctype html>`,
    `<html lang="${lang}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="referrer" content="no-referrer">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${texts.images} · ${escapeHtml(title)}</title><style>${STYLE}</style></head><body>`,
    `<h1>${texts.images} · ${escapeHtml(title)}</h1>`,
    `<p>${describeBroken(total, broken)[lang]}</p>`,
    hidden > 0 ? `<p class="soft">${texts.notShown(hidden)}</p>` : "",
    formatList(wrong, { lang, heading: texts.wrong, className: "wrong" }),
    formatList(well, { lang, heading: texts.well, className: "well" }),
    `</body></html>\n`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

interface List {
  readonly lang: Lang;
  readonly heading: string;
  readonly className: string;
}

function formatList(images: readonly SheetImage[], list: List): string {
  if (images.length === 0) return "";
  const items = images.map((image) => formatImage(image, list.lang));
  return `<h2>${list.heading}</h2>\n<ul class="${list.className}">\n${items.join("\n")}\n</ul>`;
}

function formatImage(image: SheetImage, lang: Lang): string {
  const { facts, row, code, title, cell, column, problems } = image;
  const texts = TEXTS[lang];
  const frame =
    facts === undefined
      ? texts.noImage
      : `<img alt="" src="data:image/webp;base64,${escapeHtml(facts.thumbnail)}">`;
  const product = [code, title].filter((part) => part !== "").join(" · ");
  const name =
    product === "" ? "" : `<p class="product"><strong>${escapeHtml(product)}</strong></p>`;
  const location = [`${texts.row} ${row}`, cell, column].filter((part) => part !== "").join(" · ");
  const size =
    facts === undefined
      ? ""
      : `<p class="soft">${facts.width} × ${facts.height} · ${formatBytes(facts.sizeBytes, lang)}</p>`;
  const found = problems.map(
    ({ isBlocking, message, suggestion }) =>
      `<p class="${isBlocking ? "bad" : "warn"}">${escapeHtml(message[lang])}</p>` +
      `<p>${escapeHtml(suggestion[lang])}</p>`,
  );
  return [
    `<li><div class="frame">${frame}</div><div class="text">`,
    `${name}<p>${escapeHtml(location)}</p>${found.join("")}${size}`,
    `<p class="value">${formatValue(image.text)}</p></div></li>`,
  ].join("");
}

/** Makes a link of an http or https address only. */
function formatValue(value: string): string {
  const shown = escapeHtml(value);
  const isLink = /^https:\/\//iu.test(value) && URL.canParse(value);
  return isLink ? `<a href="${shown}" rel="noreferrer noopener">${shown}</a>` : shown;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => ESCAPES[character] ?? "");
}
