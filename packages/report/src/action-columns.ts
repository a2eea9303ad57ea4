/** What the result of a list of actions adds to its rows: statuses before and after, codes, companies. */

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { RunRecord } from "@catalog/runs";
import type { OutCell } from "@catalog/sheets";

import { DISCOUNT_HEADER, STATUS_HEADERS } from "./action-headers.ts";
import { ACTION_VALUES, findColumn, formatActionValue, listKindOf } from "./action-words.ts";
import { createReadIdNames } from "./field-values.ts";
import type { ReportedRow } from "./reported-rows.ts";

/** The cells of one row. */
export interface ActionCells {
  /** In the order of the headers. */
  readonly added: readonly OutCell[];
  /** Values for empty cells of the input, by the index of their column. */
  readonly own: ReadonlyMap<number, OutCell>;
}

export interface ActionColumns {
  readonly headers: readonly string[];
  readonly read: (record: ReportedRow) => Promise<ActionCells>;
}

const CODE_FIELDS: readonly (readonly [field: string, header: Localized])[] = [
  ["shipping_code", { tr: "Kargo Kodu", en: "Shipping Code" }],
  ["shipping_company", { tr: "Kargo Firması", en: "Shipping Company" }],
];

type Store = Parameters<typeof createReadIdNames>[0] & Partial<Pick<Connection, "runs">>;

/** Creates the columns of a run; `undefined` for a run of products. */
export function createActionColumns(store: Store, run: RunRecord): ActionColumns | undefined {
  const kind = run.progress.actions?.kind;
  if (kind === undefined) return undefined;
  if (kind === "packages") return createStatusColumns(store, run);
  return kind === "codes" ? createCodeColumns(run) : NO_COLUMNS;
}

const NO_CELLS: ActionCells = { added: [], own: new Map() };
const NO_COLUMNS: ActionColumns = { headers: [], read: async () => NO_CELLS };

function createStatusColumns(store: Store, run: RunRecord): ActionColumns {
  const { lang } = run;
  const readNames = createReadIdNames(store, run);
  const kind = listKindOf(run);
  const hasCode = kind === "accept" || kind === "postpone";
  const headers = [...STATUS_HEADERS, ...(hasCode ? [DISCOUNT_HEADER] : [])];
  return {
    headers: headers.map((header) => header[lang]),
    async read(record) {
      const change = record.changes.find(({ field }) => field === "status");
      const made = hasCode ? [findDiscountCode(record)] : [];
      if (change === undefined) return { ...NO_CELLS, added: [null, null, ...made] };
      const names = await readNames(record);
      const show = (value: unknown): string | null =>
        value === undefined ? null : formatActionValue("status", value, { lang, names });
      const seen = record.shown?.find(({ field }) => field === "status")?.seen;
      const isDone = record.state === "done";
      const after = isDone ? (seen ?? change.new) : undefined;
      const isGuess =
        seen === undefined && change.isAssumed === true && record.verification !== "visible";
      const mark = isGuess ? `, ${ACTION_VALUES.assumed[lang]}` : "";
      const text = show(after);
      const shown = [show(change.old), text === null ? null : text + mark];
      return { ...NO_CELLS, added: [...shown, ...made] };
    },
  };
}

function findDiscountCode({ changes }: ReportedRow): string | null {
  const code = changes.find(({ field }) => field === "order_discount_code")?.new;
  return typeof code === "string" ? code : null;
}

/** The code stands in the input's own column, so that the result is the list to print labels from. */
function createCodeColumns(run: RunRecord): ActionColumns {
  const { lang } = run;
  const places = CODE_FIELDS.map(([field, header]) => ({
    field,
    header: header[lang],
    at: findColumn(run, header),
  }));
  const added = places.filter(({ at }) => at === undefined);
  return {
    headers: added.map(({ header }) => header),
    async read({ state, changes }) {
      const valueOf = (field: string): OutCell => {
        const value = changes.find((change) => change.field === field)?.new;
        return state === "done" && typeof value === "string" ? value : null;
      };
      const own = places.flatMap(({ field, at }) =>
        at === undefined ? [] : [[at, valueOf(field)] as const],
      );
      return {
        added: added.map(({ field }) => valueOf(field)),
        own: new Map(own.filter(([, value]) => value !== null)),
      };
    },
  };
}
