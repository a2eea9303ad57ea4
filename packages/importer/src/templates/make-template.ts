import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { writeTemplate } from "@catalog/sheets";

import { readChoiceLists } from "./choice-lists.ts";
import { createProductWorkbook, type WorkbookKind } from "./product-workbook.ts";

/** The workbook to write, and its path. */
export interface MakeTemplateOptions {
  /** Absolute path; an existing file is replaced. */
  readonly path: string;
  readonly lang: Lang;
  readonly kind: WorkbookKind;
  /** Names, paths or ids of the workbook's categories. @default all categories */
  readonly categories?: readonly string[] | undefined;
  /** The store whose lists are used. @default only the closed lists */
  readonly connection?:
    | Pick<Connection, "client" | "memory" | "baseUrl" | "storeId" | "clock">
    | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The lists of the written workbook. */
export interface MadeTemplate {
  readonly path: string;
  /** Number of choices of each column, by field or property. */
  readonly lists: readonly { readonly column: string; readonly count: number }[];
  /** Models were left out because of too many brands. */
  readonly lacksModels: boolean;
}

/** Writes the workbook. Throws `InputError` where a category is unknown, or where they are too many. */
export async function makeTemplate(options: MakeTemplateOptions): Promise<MadeTemplate> {
  const { path, lang, kind, categories, connection, signal } = options;
  const market = connection && (await readChoiceLists(connection, { categories, signal }));
  const stamp = connection && { storeId: connection.storeId, madeAtMs: connection.clock.now() };
  const workbook = createProductWorkbook({ path, lang, kind, market, stamp });
  await writeTemplate(workbook);
  const counts = new Map(workbook.lists.map(({ name, values }) => [name, values.length]));
  const lists = workbook.columns.flatMap(({ header, list }) =>
    list === undefined ? [] : [{ column: header, count: counts.get(list.name) ?? 0 }],
  );
  return { path, lists, lacksModels: market?.lacksModels ?? false };
}
