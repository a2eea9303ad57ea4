/** The dialog that changes many cells at once: what to do, in which rows, and what would come of it. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";

import {
  type BulkBody,
  type BulkChange,
  type BulkPreviewView,
  type BulkScope,
  type ColumnsView,
  DISCOUNT_PERIOD_FIELDS,
  type DraftView,
  type RowFilter,
} from "../../../src/api/index.ts";
import { type GridColumn, toBounds } from "../../grid/blocks.ts";
import type { GridModel } from "../../grid/grid-model.ts";
import { usePage } from "../../lib/page.tsx";
import { draftPath, useDebounced, useDraftChange } from "../../lib/queries.ts";
import { requestJson } from "../../lib/requests.ts";
import { PeriodFields, usePeriodForm } from "../../period/period-fields.tsx";
import { EMPTY_PERIOD, toPeriodBody, toPeriodForm } from "../../period/period-form.ts";
import { Button, SelectField } from "../../ui/controls.tsx";
import { Dialog, Failure, Message } from "../../ui/messages.tsx";
import { TableHead } from "../../ui/sections.tsx";
import {
  BULK_KINDS,
  BulkFields,
  type BulkForm,
  canDiscount,
  EMPTY_FORM,
  listKinds,
  toBulkChange,
} from "./bulk-fields.tsx";
import type { Edits, Order } from "./edits.ts";

type BulkInput = Pick<BulkBody, "change" | "scope">;

const SCOPES = ["all", "filter", "rows"] as const;
type ScopeName = (typeof SCOPES)[number];

interface ScopeChoice {
  readonly name: ScopeName;
  readonly count: number;
  readonly scope: BulkScope;
}

const rowsOfBlock = ({ block, rows }: GridModel): readonly number[] => {
  const current = block.get();
  if (current === null) return [];
  const { top, bottom } = toBounds(current);
  return top === bottom ? [] : [...rows.order.subarray(top, bottom + 1)];
};

interface ScopeParts {
  readonly model: GridModel;
  readonly rows: number;
  readonly filter: RowFilter;
  readonly order: Order;
}

/** The rows that may be meant: those of the block, of the filter, and all of them. */
const listScopes = ({ model, rows, filter, order }: ScopeParts): readonly ScopeChoice[] => {
  const all: ScopeChoice = { name: "all", count: rows, scope: {} };
  const isFiltered = Object.values(filter).some((part) => part !== undefined);
  const shown = order.order ?? new Uint32Array();
  // Rows that were corrected since stay in sight, and so among those that are meant.
  const scope = order.isStale ? { rows: [...shown] } : { filter };
  const filtered: ScopeChoice = { name: "filter", count: shown.length, scope };
  const chosen = rowsOfBlock(model);
  const block: ScopeChoice = { name: "rows", count: chosen.length, scope: { rows: chosen } };
  return [
    ...(chosen.length === 0 ? [] : [block]),
    ...(isFiltered && shown.length > 0 ? [filtered] : []),
    all,
  ];
};

const usePreview = (draft: DraftView, input: BulkInput | null) => {
  const { lang } = usePage();
  const settled = useDebounced(input, 300);
  const query = useQuery({
    queryKey: ["bulk", draft.id, draft.version, settled],
    queryFn: ({ signal }) =>
      requestJson<BulkPreviewView>(`${draftPath(draft.id)}/bulk`, {
        lang,
        signal,
        method: "POST",
        body: { ...settled, version: draft.version, isPreview: true },
      }),
    enabled: settled !== null,
    gcTime: 0,
    retry: false,
  });
  // What is shown must be of what the button would do.
  const isCurrent = settled === input && input !== null;
  return {
    preview: isCurrent ? query.data : undefined,
    error: isCurrent ? query.error : null,
    isLooking: input !== null && (!isCurrent || query.isFetching),
  };
};

type Extreme = NonNullable<BulkPreviewView["prices"]>["rise"];

interface Extremes {
  readonly fall: Extreme;
  readonly rise: Extreme;
}

const NONE: Extremes = { fall: null, rise: null };

const percentOf = (extreme: Extreme): string => (extreme?.percent ?? 0).toFixed(1);

const areAsMuch = (one: Extremes, other: Extremes): boolean =>
  percentOf(one.fall) === percentOf(other.fall) && percentOf(one.rise) === percentOf(other.rise);

type Describe = (percent: string, row: string) => string;

const useExtremes = ({ fall, rise }: Extremes, words: Record<keyof Extremes, Describe>): string => {
  const { format } = usePage();
  return [
    rise === null ? "" : words.rise(format.percent(rise.percent), rise.name),
    fall === null ? "" : words.fall(format.percent(fall.percent), fall.name),
  ]
    .filter(Boolean)
    .join(" ");
};

/** The biggest changes of prices, and those of what the buyer pays where they are others. */
const Money = ({ preview }: { readonly preview: BulkPreviewView }): ReactNode => {
  const { bulk } = usePage().texts;
  const [prices, paid] = [preview.prices ?? NONE, preview.paid ?? NONE];
  const ofPrices = useExtremes(prices, bulk);
  const ofPaid = useExtremes(paid, { rise: bulk.paidRise, fall: bulk.paidFall });
  const unchanged = preview.paid?.unchanged ?? 0;
  return (
    <>
      {ofPrices === "" ? null : <p>{ofPrices}</p>}
      {ofPaid === "" || areAsMuch(prices, paid) ? null : <p>{ofPaid}</p>}
      {unchanged === 0 ? null : <Message tone="info">{bulk.paidSame(unchanged)}</Message>}
    </>
  );
};

const Left = ({ preview }: { readonly preview: BulkPreviewView }): ReactNode => {
  const { bulk } = usePage().texts;
  const rows = preview.left.reduce((sum, left) => sum + left.rows, 0);
  return (
    <>
      {preview.same === 0 ? null : <p className="muted">{bulk.same(preview.same)}</p>}
      {rows === 0 ? null : (
        <details open={preview.cells === 0}>
          <summary>{bulk.left(rows)}</summary>
          <ul className="bulk-left">
            {preview.left.map(({ reason, rows: count, examples }) => (
              <li key={reason}>
                {bulk.leftFor(reason, count)}
                <small className="muted">
                  {examples.map(({ name, text }) => bulk.example(name, text)).join(" · ")}
                </small>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

interface FoundProps {
  readonly preview: BulkPreviewView;
  readonly columns: readonly GridColumn[];
}

const isAmount = (text: string): boolean => /^[\d.,]*$/u.test(text);

const Samples = ({ preview: { samples }, columns }: FoundProps): ReactNode => {
  const { fix, bulk } = usePage().texts;
  if (samples.length === 0) return null;
  const headerOf = (index: number): string =>
    columns.find(({ column }) => column.index === index)?.column.header ?? "";
  const hasCodes = samples.some(({ code }) => code !== "");
  const isOfAmounts = samples.every(({ before, after }) => isAmount(before) && isAmount(after));
  const heads = [fix.row, ...(hasCodes ? [bulk.code] : []), fix.column, fix.before, fix.after];
  return (
    <table className={isOfAmounts ? "table bulk-samples bulk-amounts" : "table bulk-samples"}>
      <TableHead columns={heads} />
      <tbody>
        {samples.map((sample) => (
          <tr key={`${sample.row}:${sample.column}`}>
            <td className="number">{sample.name}</td>
            {hasCodes ? <td>{sample.code}</td> : null}
            <td>{headerOf(sample.column)}</td>
            <td className="old">{sample.before === "" ? bulk.empty : sample.before}</td>
            <td className="new">{sample.after === "" ? bulk.empty : sample.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Found = ({ preview, columns }: FoundProps): ReactNode => {
  const { bulk } = usePage().texts;
  const { cells, rows, isTooMany } = preview;
  return (
    <>
      <p role="status" className="bulk-count">
        {isTooMany ? bulk.tooMany : cells === 0 ? bulk.none : bulk.count(cells, rows)}
      </p>
      <Money preview={preview} />
      <Left preview={preview} />
      <Samples preview={preview} columns={columns} />
    </>
  );
};

interface BulkDialogProps {
  readonly draft: DraftView;
  readonly columns: ColumnsView;
  readonly model: GridModel;
  readonly order: Order;
  readonly filter: RowFilter;
  readonly edits: Edits;
  /** What the dialog opens with. */
  readonly kind: "bulk" | "replace";
  readonly onClose: () => void;
}

/** What the end of a period takes back; of other kinds it is all that the draft changes. */
const PERIOD_FIELDS: Readonly<Partial<Record<BulkChange["kind"], readonly string[]>>> = {
  discount: DISCOUNT_PERIOD_FIELDS,
  price: ["price"],
  stock: ["stock_count"],
};

/** The period of the draft as the dialog changes it. */
const usePeriod = (draft: DraftView, kind: BulkChange["kind"]) => {
  const period = usePeriodForm(
    draft.period === null ? EMPTY_PERIOD : toPeriodForm(draft.period),
    true,
  );
  const change = useDraftChange(draft.id);
  const { form, take } = period;
  const known = useRef(form).current;
  const isChanged = form !== known;
  return {
    ...period,
    error: change.error,
    isKnown: draft.period !== null,
    take: (): boolean => !isChanged || take(),
    save: async (): Promise<void> => {
      if (!isChanged) return;
      const body = toPeriodBody({ ...form, fields: PERIOD_FIELDS[kind] ?? null });
      await change.mutateAsync({ path: "/period", body: { period: body } });
    },
  };
};

/** From when until when the change holds; folded, as most changes stay. */
const Period = ({
  period: { form, setForm, problems, isTried, isKnown, error },
}: {
  readonly period: ReturnType<typeof usePeriod>;
}): ReactNode => {
  const words = usePage().texts.period;
  const [isOpen, setIsOpen] = useState(isKnown);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{words.fold}</summary>
      <PeriodFields {...{ form, problems, isTried }} onChange={setForm} />
      <Failure error={error} />
    </details>
  );
};

/** What is filled in, in which rows, and what would come of it. */
const useBulk = (props: BulkDialogProps) => {
  const { draft, columns, edits, kind, onClose } = props;
  const { lang } = usePage();
  const kinds = listKinds(columns);
  const [form, setForm] = useState<BulkForm>(() => ({
    ...EMPTY_FORM,
    kind: kind === "replace" ? "replace" : (kinds[0] ?? "set"),
  }));
  const [scopes] = useState(() => listScopes({ ...props, rows: draft.counts?.rows ?? 0 }));
  const [chosen, setChosen] = useState<ScopeName>(scopes[0]?.name ?? "all");
  const [isWriting, setIsWriting] = useState(false);
  const result = toBulkChange(form, lang);
  const needsColumns = form.kind === "discount" && !canDiscount(columns);
  const scope = scopes.find(({ name }) => name === chosen)?.scope ?? {};
  const isReady = result.state === "ready" && !needsColumns;
  const input = useSame(isReady ? { change: result.change, scope } : null);
  const period = usePeriod(draft, form.kind);
  const write = (): void => {
    if (input === null || !period.take()) return;
    setIsWriting(true);
    // The period first: where it is refused, nothing is changed yet.
    void period
      .save()
      .then(() => edits.bulk(input).finally(onClose))
      .catch(() => setIsWriting(false));
  };
  return {
    kinds,
    form,
    setForm,
    scopes,
    chosen,
    setChosen,
    isWriting,
    write,
    period,
    needsColumns,
    isWrong: result.state === "wrong",
    ...usePreview(draft, input),
  };
};

type Bulk = ReturnType<typeof useBulk>;

const MainFields = ({
  bulk: { form, setForm, kinds, ...bulk },
}: {
  readonly bulk: Bulk;
}): ReactNode => {
  const { texts } = usePage();
  return (
    <div className="bulk-fields">
      <SelectField
        label={texts.bulk.kind}
        value={form.kind}
        onChange={(value) =>
          setForm({ ...EMPTY_FORM, kind: BULK_KINDS.find((each) => each === value) ?? "set" })
        }
        choices={kinds.map((each) => ({ value: each, label: texts.bulk.kinds[each] }))}
      />
      <SelectField
        label={texts.bulk.scope}
        value={bulk.chosen}
        onChange={(value) => bulk.setChosen(SCOPES.find((each) => each === value) ?? "all")}
        choices={bulk.scopes.map(({ name, count }) => ({
          value: name,
          label: texts.bulk.scopes[name](count),
        }))}
      />
    </div>
  );
};

/** A discount needs its columns first. */
const DiscountColumns = ({ edits }: { readonly edits: Edits }): ReactNode => {
  const { bulk } = usePage().texts;
  const add = (): void => {
    edits.addColumn("discount_type");
    edits.addColumn("discount_value");
  };
  return (
    <Message
      tone="info"
      actions={
        <Button isBusy={edits.isSaving} onPress={add}>
          {bulk.addDiscountColumns}
        </Button>
      }
    >
      {bulk.noDiscountColumns}
    </Message>
  );
};

const Preview = ({
  bulk: { preview, error, isLooking },
  columns,
}: Pick<FoundProps, "columns"> & { readonly bulk: Bulk }): ReactNode => {
  const { texts } = usePage();
  return (
    <>
      <Failure error={error} />
      <section className="bulk-found" aria-label={texts.bulk.preview} aria-busy={isLooking}>
        {isLooking ? (
          <p className="muted" role="status">
            {texts.bulk.looking}
          </p>
        ) : null}
        {preview === undefined ? null : <Found preview={preview} columns={columns} />}
      </section>
    </>
  );
};

/** Its fields are empty whenever it opens. */
const OpenBulkDialog = (props: BulkDialogProps): ReactNode => {
  const { model, edits, onClose } = props;
  const { texts } = usePage();
  const bulk = useBulk(props);
  const { preview, form, setForm } = bulk;
  const cells = preview?.cells ?? 0;
  const confirm = {
    isDisabled: cells === 0 || preview?.isTooMany === true || bulk.isLooking,
    isBusy: bulk.isWriting,
    onPress: bulk.write,
    children: cells === 0 ? texts.bulk.goNone : texts.bulk.go(cells),
  };
  return (
    <Dialog title={texts.bulk.title} isOpen onClose={onClose} size="wide" confirm={confirm}>
      <MainFields bulk={bulk} />
      <BulkFields
        form={form}
        columns={model.columns}
        isWrong={bulk.isWrong}
        onChange={(part) => setForm({ ...form, ...part })}
      />
      <Period period={bulk.period} />
      {bulk.needsColumns ? <DiscountColumns edits={edits} /> : null}
      <Preview bulk={bulk} columns={model.columns} />
    </Dialog>
  );
};

/** The value of before, as long as it says the same. */
const useSame = <Value,>(value: Value): Value => {
  const last = useRef({ key: "", value });
  const key = JSON.stringify(value);
  if (last.current.key !== key) last.current = { key, value };
  return last.current.value;
};

export const BulkDialog = ({
  isOpen,
  ...props
}: BulkDialogProps & { readonly isOpen: boolean }): ReactNode =>
  isOpen ? <OpenBulkDialog {...props} /> : null;
