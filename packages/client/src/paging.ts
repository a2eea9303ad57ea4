/** A listing as one stream of pages, or of the items in them. */

import { createHash } from "node:crypto";

import { type Page, type PageQuery, type Paging } from "@catalog/contract";

import { ShapeError } from "./errors.ts";

export interface PagingOptions<Input> {
  /** Name of the call, such as `product.list`. */
  readonly name: string;
  readonly paging: Paging;
  readonly input: Input & PageQuery;
}

/**
 * Asks for one page after the other, each as large as the specification allows unless `input` has a
 * `limit`, from page 1 unless it has a `page`. Ends when all `total` elements were passed or a page
 * is empty; a page that comes a second time is a `ShapeError`, since it would never end.
 */
export async function* readPages<Input, Item>(
  fetchPage: (input: Input & PageQuery) => Promise<Page<Item>>,
  { name, paging, input }: PagingOptions<Input>,
): AsyncGenerator<Page<Item>, void, undefined> {
  const limit = input.limit ?? paging.maxSize ?? paging.defaultSize;
  const firstPage = input.page ?? 1;
  const fingerprints = new Set<string>();
  let passed = (firstPage - 1) * limit;
  for (let page = firstPage; ; page += 1) {
    const answer = await fetchPage({ ...input, limit, page });
    if (answer.result.length === 0) return;
    assertNew(name, answer, fingerprints);
    yield answer;
    passed += answer.result.length;
    if (passed >= answer.total) return;
  }
}

/** The elements of `pages`, in order. */
export async function* readItems<Item>(
  pages: AsyncIterable<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* page.result;
}

function assertNew(name: string, answer: Page<unknown>, fingerprints: Set<string>): void {
  const text = JSON.stringify(answer.result);
  const fingerprint = createHash("sha256").update(text).digest("base64");
  if (fingerprints.has(fingerprint)) {
    const message = `${name}: a page repeats an earlier one, so the listing would never end`;
    throw new ShapeError(message, {
      endpoint: name,
      phase: "body",
      status: 200,
      reason: "mismatch",
      misfits: [{ path: "data.result", message: "repeats an earlier page" }],
    });
  }
  fingerprints.add(fingerprint);
}
