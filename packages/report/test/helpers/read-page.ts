/** An HTML page as a browser parses it: elements with their attributes and texts. */

import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;

export interface PageElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text of the element and of all elements in it. */
  readonly text: string;
}

/** Every element, in the order of the page. */
export function readPage(html: string): readonly PageElement[] {
  return collect(parse(html));
}

/** Elements with this name. */
export const named = (page: readonly PageElement[], name: string): readonly PageElement[] =>
  page.filter((element) => element.name === name);

function collect(node: Node): readonly PageElement[] {
  const children: readonly Node[] = "childNodes" in node ? node.childNodes : [];
  const below = children.flatMap(collect);
  if (!("tagName" in node)) return below;
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  return [{ name: node.tagName, attributes, text: textOf(node) }, ...below];
}

function textOf(node: Node): string {
  if (node.nodeName === "#text" && "value" in node) return node.value;
  const children: readonly Node[] = "childNodes" in node ? node.childNodes : [];
  return children.map(textOf).join("");
}
