/** HTML elements: which ones a description keeps, and which ones tell that a text is HTML. */

/** Elements that format a text, with tables and images. */
export const KEPT_TAGS: readonly string[] = [
  "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup",
  "dd del dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img",
  "ins kbd li main mark nav ol p pre q rp rt ruby s samp section small span strike strong sub",
  "summary details sup table tbody td tfoot th thead time tr tt u ul var wbr picture source",
].flatMap((line) => line.split(" "));

/** Elements that are taken out, with what stands in them where it is no text. */
const DROPPED_TAGS: readonly string[] = [
  "applet audio base body button canvas embed form frame frameset head html iframe input label link",
  "map area math meta noscript object option param script select style svg template textarea title",
  "track video",
].flatMap((line) => line.split(" "));

/** Attributes that only describe or format; event handlers and styles are no such attributes. */
export const KEPT_ATTRIBUTES: readonly string[] = [
  "align alt aria-* bgcolor border cellpadding cellspacing class cite color colspan data-* datetime",
  "dir face headers height href hspace id lang loading name nowrap rel reversed role rowspan scope",
  "sizes size span src srcset start summary tabindex target title type valign value vspace width",
].flatMap((line) => line.split(" "));

const NAMES: ReadonlySet<string> = new Set([...KEPT_TAGS, ...DROPPED_TAGS]);

const TAG = /<(?:\/?([a-z][a-z0-9]*)(?=[\s/>])|!--|!doctype)/giu;

const TAG_START = /<[a-z]/iu;
const HANDLER = /[\s/"']on\w+\s*=/iu;

/**
 * Whether a text holds an event handler. A browser runs those of elements that HTML does not have,
 * and of a tag that is not closed.
 */
export const hasHandler = (text: string): boolean =>
  text.split(">").some((part) => {
    const start = part.search(TAG_START);
    return start !== -1 && HANDLER.test(part.slice(start));
  });

/** Whether a text holds an element of HTML; signs such as `<5` and `<XL>` are text. */
export function hasHtml(text: string): boolean {
  if (!text.includes("<")) return false;
  if (hasHandler(text)) return true;
  return [...text.matchAll(TAG)].some(
    ([, name]) => name === undefined || NAMES.has(name.toLowerCase()),
  );
}
