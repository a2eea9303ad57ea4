/** The images that a row of a draft names, for people to look at. Nothing is loaded or checked here. */

import type { ImageOptions, ThumbnailImage } from "@catalog/images";
import { type ColumnMapping, type SourceRow, splitImageAddresses } from "@catalog/mapping";

import { findImageSource, isImageColumn } from "../images/open-images.ts";
import { cellToText } from "./draft-rows.ts";
import type { LiveState } from "./live-state.ts";

/** The images of a row, and the code by which the store may show its product. */
interface DraftRowImages {
  readonly images: readonly ThumbnailImage[];
  readonly codeKey: string | null;
  /** The product that the row was made of. */
  readonly made: { readonly images?: readonly unknown[] | null | undefined } | undefined;
  /** Text of the cell, where one was asked for. */
  readonly text: string | undefined;
}

interface ReadImagesOptions {
  readonly row: number;
  /** Only those of the cell. @default all of the row, in the order in which they are sent */
  readonly column?: number | undefined;
  /** Where files are looked for. @default beside the draft's file */
  readonly options?: Pick<ImageOptions, "mode" | "source"> | undefined;
}

/** `undefined` where the draft has no such row. */
export async function readDraftImages(
  { connection, id, parts }: LiveState,
  { row, column, options }: ReadImagesOptions,
): Promise<DraftRowImages | undefined> {
  const { drafts } = connection.memory;
  const [stored] = parts === undefined ? [] : await drafts.readRowsAt(id, [row]);
  if (parts === undefined || stored === undefined) return undefined;
  const { sheet, checker, columns } = parts;
  const source = checker?.toSource(stored) ?? sheet.effective(stored);
  const texts =
    column === undefined
      ? imageCells(checker?.fold(source) ?? source, columns.mapping)
      : [cellToText(source.cells[column] ?? null)];
  const names = [...new Set(texts.flatMap(splitImageAddresses))];
  return {
    images: await locate(names, { path: async () => (await drafts.read(id))?.path, options }),
    codeKey: stored.codeKey,
    made: names.length > 0 ? undefined : (await drafts.readBasis(id, [row])).get(row),
    text: column === undefined ? undefined : texts[0],
  };
}

interface FilePlace extends Pick<ReadImagesOptions, "options"> {
  /** Path of the draft's file. */
  readonly path: () => Promise<string | undefined>;
}

/** Addresses as they are, and files where the import looks for them. */
async function locate(
  names: readonly string[],
  { path: readPath, options }: FilePlace,
): Promise<readonly ThumbnailImage[]> {
  const hasFile = names.some((text) => !IS_ADDRESS.test(text));
  const path = hasFile ? await readPath() : undefined;
  const folder = path === undefined ? undefined : await findImageSource({ images: options, path });
  return names.map((text) =>
    IS_ADDRESS.test(text) ? { kind: "address", text } : { kind: "file", text, source: folder },
  );
}

const IS_ADDRESS = /^(?:https?|data):/iu;

/** Numbered images come in their order, then the lists; those of a joined row are in order already. */
function imageCells({ cells, joined }: SourceRow, { columns }: ColumnMapping): readonly string[] {
  if (joined?.images !== undefined) return joined.images.map(({ value }) => cellToText(value));
  const keyOf = ({ target }: (typeof columns)[number]): string =>
    target.kind === "field" ? target.field : "";
  return columns
    .filter(isImageColumn)
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map(({ index }) => cellToText(cells[index] ?? null));
}
