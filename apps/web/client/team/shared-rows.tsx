/** The rows of a file with what becomes of them in each store. */

import { type ReactNode, useMemo, useState } from "react";

import type {
  SharedCellView,
  SharedFileView,
  SharedRowsShown,
  SharedRowView,
  SharedStoreView,
} from "../../src/api/index.ts";
import { type ListCard, type ListColumn, ListGrid } from "../grid/list-grid.tsx";
import { usePage } from "../lib/page.tsx";
import { addressIn, useSharedOrder, useSharedRows } from "../lib/shared-files.ts";
import { FromTo } from "../steps/run/row-panel.tsx";
import type { SharedTexts } from "../texts/shared-tr.ts";
import { type Chip, Chips } from "../ui/controls.tsx";
import { Dialog, Loaded } from "../ui/messages.tsx";

type Change = SharedCellView["changes"][number];

/** Fields that a table of products shows elsewhere. */
const KNOWN: ReadonlySet<string> = new Set(["title", "product_code"]);

/** What is seen first of a row: its price and its stock, then the rest. */
const FIRST = ["paid_price", "price", "stock_count"];

const rankOf = ({ field }: Change): number => {
  const rank = FIRST.indexOf(field);
  return rank === -1 ? FIRST.length : rank;
};

/** The changes of a cell, the most important first. */
export const sortChanges = ({ action, changes }: SharedCellView): readonly Change[] =>
  changes
    .filter(({ field }) => action !== "add" || !KNOWN.has(field))
    .toSorted((a, b) => rankOf(a) - rankOf(b));

const MAX_CHANGES = 2;

const TONES: Readonly<Record<SharedCellView["kind"], string>> = {
  add: "badge badge-success",
  update: "badge badge-accent",
  unchanged: "badge",
  held: "badge badge-warning",
  failed: "badge badge-error",
  cancelled: "badge",
};

const Changes = ({ cell }: { readonly cell: SharedCellView }): ReactNode => {
  const words = usePage().texts.shared;
  const changes = sortChanges(cell);
  const shown = changes.slice(0, MAX_CHANGES);
  return (
    <>
      {shown.map((change) => (
        <span
          key={change.field}
          className="shared-change"
          title={`${change.label}: ${change.before ?? ""} → ${change.after}`}
        >
          <span className="muted">{change.label}</span> <FromTo change={change} />
        </span>
      ))}
      {changes.length > shown.length ? (
        <span className="muted small">{words.more(changes.length - shown.length)}</span>
      ) : null}
    </>
  );
};

interface CellProps {
  readonly row: SharedRowView;
  readonly store: SharedStoreView;
}

const cellOf = (
  { stores }: SharedRowView,
  { store }: Pick<SharedStoreView, "store">,
): SharedCellView | undefined => stores.find((cell) => cell.store === store);

/** Where a wrong row is corrected: in the draft of its store. */
const draftAddress = ({ store, draft }: SharedStoreView): string =>
  addressIn(store, { page: "draft", id: draft, step: "fix" });

/** What becomes of the row in the store; a wrong one leads to its draft. */
const Cell = ({ row, store }: CellProps): ReactNode => {
  const words = usePage().texts.shared;
  const cell = cellOf(row, store);
  if (cell === undefined) {
    return <span className="muted">{store.run === null ? "–" : words.missing}</span>;
  }
  const [issue] = cell.issues;
  const isWrong = cell.kind === "failed";
  return (
    <span className="shared-cell">
      <span className={TONES[cell.kind]}>{words.kinds[cell.kind]}</span>
      {isWrong && issue !== undefined ? (
        <a className="shared-wrong" href={draftAddress(store)} title={issue.message} tabIndex={-1}>
          {issue.message}
        </a>
      ) : (
        <Changes cell={cell} />
      )}
    </span>
  );
};

const useColumns = (stores: readonly SharedStoreView[]): readonly ListColumn<SharedRowView>[] => {
  const words = usePage().texts.shared;
  return useMemo(
    () => [
      {
        key: "row",
        header: words.row,
        width: 60,
        align: "end",
        isFrozen: true,
        render: ({ name }) => <span className="muted">{name}</span>,
      },
      {
        key: "code",
        header: words.code,
        width: 120,
        isFrozen: true,
        render: ({ code }) => <span title={code ?? ""}>{code}</span>,
      },
      {
        key: "title",
        header: words.product,
        width: "minmax(160px, 1fr)",
        render: ({ title }) => <span title={title ?? ""}>{title}</span>,
      },
      ...stores.map((store): ListColumn<SharedRowView> => ({
        key: `store-${store.store}`,
        header: store.store,
        width: "minmax(230px, 2fr)",
        render: (row) => <Cell row={row} store={store} />,
      })),
    ],
    [words, stores],
  );
};

const CARD_HEAD_PX = 44;
const CARD_LINE_PX = 46;

/** In a narrow window: the product, and a line for each store. */
const useCard = (stores: readonly SharedStoreView[]): ListCard<SharedRowView> => {
  const words = usePage().texts.shared;
  return useMemo(
    () => ({
      header: words.product,
      heightPx: CARD_HEAD_PX + CARD_LINE_PX * stores.length,
      render: (row) => (
        <span className="shared-row-card">
          <span className="shared-row-head">
            <b>{row.title ?? row.code ?? row.name}</b>{" "}
            <span className="muted small">
              {words.row} {row.name}
            </span>
          </span>
          {stores.map((store) => (
            <span key={store.store} className="shared-row-line">
              <span className="muted">{store.store}</span>
              <Cell row={row} store={store} />
            </span>
          ))}
        </span>
      ),
    }),
    [words, stores],
  );
};

const InFull = ({ row, store }: CellProps): ReactNode => {
  const words = usePage().texts.shared;
  const cell = cellOf(row, store);
  return (
    <section className="stack-tight shared-full">
      <h3>
        {store.store}{" "}
        {cell === undefined ? null : (
          <span className={TONES[cell.kind]}>{words.kinds[cell.kind]}</span>
        )}
      </h3>
      {cell === undefined ? <p className="muted">{words.missing}</p> : null}
      {cell === undefined || cell.changes.length === 0 ? null : (
        <dl className="shared-values">
          {cell.changes.map((change) => (
            <div key={change.field}>
              <dt className="muted">{change.label}</dt>
              <dd>
                <FromTo change={change} isFull />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {cell?.issues.map(({ code, message, suggestion }) => (
        <p key={code + message}>
          {message} {suggestion === null ? null : <span className="muted">{suggestion}</span>}
        </p>
      ))}
      {cell?.kind === "failed" ? <a href={draftAddress(store)}>{words.correct}</a> : null}
    </section>
  );
};

interface OpenRowProps {
  readonly row: SharedRowView | undefined;
  readonly stores: readonly SharedStoreView[];
  readonly onClose: () => void;
}

/** One row in full, in all stores. */
const OpenRow = ({ row, stores, onClose }: OpenRowProps): ReactNode => {
  const words = usePage().texts.shared;
  if (row === undefined) return null;
  const { title, code } = row;
  return (
    <Dialog title={words.rowTitle(row.name)} isOpen onClose={onClose} size="wide">
      <p className="muted">{[code, title].filter((part) => part !== null).join(" · ")}</p>
      <div className="shared-row-stores">
        {stores.map((store) => (
          <InFull key={store.store} row={row} store={store} />
        ))}
      </div>
    </Dialog>
  );
};

const VIEWS = ["differs", "held", "failed", "all"] as const;

const VIEW_TONES: Readonly<Partial<Record<SharedRowsShown, Chip<SharedRowsShown>["tone"]>>> = {
  held: "warning",
  failed: "error",
};

/** Views that have rows, and the one of all rows. */
export const toChips = (
  counts: NonNullable<SharedFileView["rows"]>,
  words: SharedTexts["view"],
): readonly Chip<SharedRowsShown>[] =>
  VIEWS.filter((view) => view === "all" || counts[view] > 0).map((key) => ({
    key,
    label: words[key],
    count: counts[key],
    tone: VIEW_TONES[key],
  }));

interface SharedRowsProps {
  readonly id: string;
  readonly file: SharedFileView;
  readonly counts: NonNullable<SharedFileView["rows"]>;
}

export const SharedRows = ({ id, file, counts }: SharedRowsProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.shared;
  const [chosen, setChosen] = useState<SharedRowsShown | null>(null);
  const chips = toChips(counts, words.view);
  const view = chips.find(({ key }) => key === chosen)?.key ?? chips[0]?.key ?? "all";
  const order = useSharedOrder(id, view, file.version);
  return (
    <section className="stack-tight">
      <h2>{words.rows}</h2>
      <div className="filters-line">
        <Chips label={words.views} chips={chips} chosen={view} onChoose={setChosen} />
        {counts.differs === 0 && file.stores.filter(({ run }) => run !== null).length > 1 ? (
          <span className="muted">{words.same}</span>
        ) : null}
      </div>
      <Loaded query={order}>{(numbers) => <Listed id={id} file={file} order={numbers} />}</Loaded>
    </section>
  );
};

interface ListedProps extends Pick<SharedRowsProps, "id" | "file"> {
  readonly order: Uint32Array;
}

const ROW_PX = 56;

const Listed = ({ id, file, order }: ListedProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.shared;
  // A poll that brings the same stores leaves the columns as they are.
  const key = JSON.stringify(file.stores.map(({ store, draft, run }) => [store, draft, run?.id]));
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says all that is shown of them
  const stores = useMemo(() => file.stores, [key]);
  const rows = useSharedRows(id, file.version);
  const columns = useColumns(stores);
  const card = useCard(stores);
  const [open, setOpen] = useState<number | null>(null);
  const setHeight = (box: HTMLElement | null): void => {
    box?.style.setProperty("--rows", String(Math.max(2, order.length)));
    box?.style.setProperty("--stores", String(stores.length));
  };
  return (
    <>
      <div ref={setHeight} className="run-list shared-rows">
        <div className="run-list-box">
          <ListGrid
            label={words.rows}
            rows={rows}
            order={order}
            columns={columns}
            card={card}
            onOpen={setOpen}
            empty={words.noRows}
            loading={texts.app.loading}
            rowHeightPx={ROW_PX}
          />
        </div>
      </div>
      {open === null ? null : (
        <OpenRow row={rows.peek(open)} stores={stores} onClose={() => setOpen(null)} />
      )}
    </>
  );
};
