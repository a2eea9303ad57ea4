import { type Toolkit } from "@catalog/connection";
import { type Lang } from "@catalog/i18n";
import { writeTemplate } from "@catalog/sheets";

import { readMarketLists } from "./choice-lists.ts";
import { createProductWorkbook, type WorkbookKind } from "./product-workbook.ts";

/** Which workbook to write, and where. */
export interface MakeTemplateOptions {
  /** Absolute; a file that is there is replaced. */
  readonly path: string;
  readonly lang: Lang;
  readonly kind: WorkbookKind;
  /** Name, path or id of the category that it is for. @default all of them */
  readonly category?: string | undefined;
  /** The store whose lists can be chosen from. @default only the closed lists */
  readonly toolkit?:
    | Pick<Toolkit, "client" | "names" | "baseUrl" | "storeId" | "clock">
    | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What can be chosen in the workbook that was written. */
export interface MadeTemplate {
  readonly path: string;
  /** How many things each column offers, by field or property. */
  readonly lists: readonly { readonly column: string; readonly count: number }[];
  /** There are too many brands to ask each for its models. */
  readonly lacksModels: boolean;
}

/** Writes the workbook. Throws `InputError` where the category does not name one leaf. */
export async function makeTemplate(options: MakeTemplateOptions): Promise<MadeTemplate> {
  const { path, lang, kind, category, toolkit, signal } = options;
  const market = toolkit && (await readMarketLists(toolkit, { category, signal }));
  const stamp = toolkit && { storeId: toolkit.storeId, madeAtMs: toolkit.clock.now() };
  const workbook = createProductWorkbook({ path, lang, kind, market, stamp });
  await writeTemplate(workbook);
  const counts = new Map(workbook.lists.map(({ name, values }) => [name, values.length]));
  const lists = workbook.columns.flatMap(({ header, list }) =>
    list === undefined ? [] : [{ column: header, count: counts.get(list.name) ?? 0 }],
  );
  return { path, lists, lacksModels: market?.lacksModels ?? false };
}
