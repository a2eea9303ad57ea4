/** The workbench of unknown names: each once, with what it may mean and why; one answer, or many. */

import { useQueryClient } from "@tanstack/react-query";
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { DataGridHandle } from "react-data-grid";

import type { DraftView, NamesView, NameView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { namesKey, useDebounced, useNames, useNameSearch } from "../../lib/queries.ts";
import { Button, type Chip, Chips, SearchField, SelectField, Tick } from "../../ui/controls.tsx";
import { Dialog, Failure, Loaded, Message, Waiting } from "../../ui/messages.tsx";
import type { Edits } from "./edits.ts";
import { NamePanel } from "./name-panel.tsx";
import { Below, ByReason, type NameTarget, Ticked } from "./names-bulk.tsx";
import {
  isOpen,
  keepOrder,
  keyOf,
  listNames,
  listSources,
  NAME_REASONS,
  type NameFilter,
  type NameSort,
  reasonOf,
} from "./names-list.ts";
import { NAME_PANEL_ID, NamesTable } from "./names-table.tsx";

const NO_FILTER: NameFilter = { isOpenOnly: true, field: "", reason: "", text: "" };
const BY_ROWS: NameSort = { column: "rows", isDescending: true };

/** The names in their order, which only another filter or sorting changes. */
const useShown = (
  names: readonly NameView[],
  filter: NameFilter,
  sort: NameSort,
): readonly NameView[] => {
  const last = useRef<{
    readonly filter: NameFilter;
    readonly sort: NameSort;
    readonly keys: readonly string[];
  }>(undefined);
  return useMemo(() => {
    const fresh = listNames(names, filter, sort);
    const before = last.current;
    const isSame = before?.filter === filter && before.sort === sort;
    const shown = isSame ? keepOrder(before.keys, names, fresh) : fresh;
    last.current = { filter, sort, keys: shown.map(keyOf) };
    return shown;
  }, [names, filter, sort]);
};

interface Given {
  readonly isRemembered: boolean;
  /** Whether the answers are another category for the rows. */
  readonly isCategory?: boolean;
}

const withAnswer = (name: NameView, answer: NameView["answer"]): NameView => ({ ...name, answer });

/** Answers names, and says what the last step has done. */
const useAnswers = (draft: DraftView, edits: Edits) => {
  const { texts, lang } = usePage();
  const { fix } = texts;
  const client = useQueryClient();
  const [asked, setAsked] = useState<ReadonlyMap<string, string>>(new Map());
  const [done, setDone] = useState<string | null>(null);
  const tell = (answers: readonly NameTarget[], { isRemembered, isCategory }: Given): string => {
    const [first] = answers;
    if (first === undefined || answers.length > 1) return fix.namesAnswered(answers.length);
    const { name, target } = first;
    if (isCategory === true) return fix.moved(name.rows, target);
    return isRemembered ? fix.nameCounts(name.value, target) : fix.nameWritten(name.value, target);
  };
  /** Where the step has answered these names alone, the list is not read again. */
  const keep = (
    answers: readonly NameTarget[],
    isRemembered: boolean,
    result: { readonly version: number; readonly openNames: number },
  ): void => {
    const before = client.getQueryData<NamesView>(namesKey(draft.id, lang, result.version - 1));
    const open = before?.names.filter(isOpen).length ?? 0;
    if (before === undefined || open - answers.length !== result.openNames) return;
    const targets = new Map(answers.map(({ name, target }) => [keyOf(name), target]));
    const names = before.names.map((name) => {
      const target = targets.get(keyOf(name));
      return target === undefined ? name : withAnswer(name, { target, isRemembered });
    });
    client.setQueryData(namesKey(draft.id, lang, result.version), { ...before, names });
  };
  const answer = async (answers: readonly NameTarget[], given: Given): Promise<void> => {
    setDone(null);
    const keys = new Set(answers.map(({ name }) => keyOf(name)));
    setAsked(
      (now) =>
        new Map([...now, ...answers.map(({ name, target }) => [keyOf(name), target] as const)]),
    );
    const isMade = await edits.answer(
      answers.map(({ name: { field, value }, target }) => ({ field, value, target, ...given })),
      (result) => {
        if (given.isCategory !== true) keep(answers, given.isRemembered, result);
      },
    );
    setAsked((now) => new Map([...now].filter(([key]) => !keys.has(key))));
    if (isMade) setDone(tell(answers, given));
  };
  return { answer, asked, done, forget: () => setDone(null) };
};

interface FilterBarProps {
  readonly names: readonly NameView[];
  readonly filter: NameFilter;
  readonly onFilter: (filter: NameFilter) => void;
}

const FilterBar = ({ names, filter, onFilter }: FilterBarProps): ReactNode => {
  const { fix } = usePage().texts;
  const fields = new Map(names.map(({ field, label }) => [field, label]));
  const reasons = new Set(names.filter(isOpen).map(reasonOf));
  const chips: readonly Chip<"open" | "all">[] = [
    { key: "open", label: fix.openNames, count: names.filter(isOpen).length },
    { key: "all", label: fix.all, count: names.length },
  ];
  return (
    <div className="names-filters">
      <Chips
        label={fix.views}
        chips={chips}
        chosen={filter.isOpenOnly ? "open" : "all"}
        onChoose={(key) => onFilter({ ...filter, isOpenOnly: key === "open" })}
      />
      {fields.size < 2 ? null : (
        <SelectField
          label={fix.fieldColumn}
          isLabelHidden
          value={filter.field}
          onChange={(field) => onFilter({ ...filter, field })}
          choices={[
            { value: "", label: fix.allFields },
            ...[...fields].map(([value, label]) => ({ value, label })),
          ]}
        />
      )}
      <SelectField
        label={fix.why}
        isLabelHidden
        value={filter.reason}
        onChange={(value) =>
          onFilter({ ...filter, reason: NAME_REASONS.find((each) => each === value) ?? "" })
        }
        choices={[
          { value: "", label: fix.allReasons },
          ...NAME_REASONS.filter((reason) => reasons.has(reason)).map((reason) => ({
            value: reason,
            label: fix.reasons[reason],
          })),
        ]}
      />
      <SearchField
        label={fix.searchNames}
        value={filter.text}
        onChange={(text) => onFilter({ ...filter, text })}
      />
    </div>
  );
};

interface WorkbenchProps extends NamesView {
  /** Whether the suggestions are still to come. */
  readonly isQuick: boolean;
  readonly draft: DraftView;
  readonly edits: Edits;
}

type Card = "reason" | "below" | null;

const focusPanel = (): void => {
  document
    .querySelector<HTMLElement>(`#${NAME_PANEL_ID} :is(input, button:not([disabled]))`)
    ?.focus();
};

/** Keys of the ticked names. */
const useTicks = () => {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const tick = useCallback((changed: readonly NameView[], isTicked: boolean): void => {
    const keys = new Set(changed.map(keyOf));
    setTicked((now) => (isTicked ? now.union(keys) : now.difference(keys)));
  }, []);
  return { ticked, tick, untick: () => setTicked(new Set()) };
};

/** Which names are shown, in which order. */
const useView = (names: readonly NameView[]) => {
  const [filter, setFilter] = useState(NO_FILTER);
  const [sort, setSort] = useState(BY_ROWS);
  const text = useDebounced(filter.text, 150);
  const settled = useMemo(() => ({ ...filter, text }), [filter, text]);
  return { filter, setFilter, sort, setSort, shown: useShown(names, settled, sort) };
};

const SEARCH_KEY = "catalog-no-market-search";

/** Searches the marketplace once as the list opens, unless it was switched off in this browser. */
const useMarketSearch = (draft: string, searches: number) => {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(SEARCH_KEY) === null);
  const { mutate, isPending, data, error } = useNameSearch(draft);
  const hasBegun = useRef(false);
  const search = useCallback(() => {
    hasBegun.current = true;
    mutate();
  }, [mutate]);
  useEffect(() => {
    if (isOn && searches > 0 && !hasBegun.current) search();
  }, [isOn, searches, search]);
  const turn = (next: boolean): void => {
    if (next) localStorage.removeItem(SEARCH_KEY);
    else localStorage.setItem(SEARCH_KEY, "1");
    hasBegun.current = false;
    setIsOn(next);
  };
  const failure = data?.failure ?? null;
  return { isOn, turn, isPending, made: data?.made ?? null, failure, error, search };
};

interface MarketProps {
  readonly market: ReturnType<typeof useMarketSearch>;
  readonly searches: number;
}

/** The switch of the search, with what it costs, and what has become of it. */
const Market = ({ market, searches }: MarketProps): ReactNode => {
  const { fix } = usePage().texts;
  const { isOn, turn, isPending, made, failure } = market;
  const hasMade = isOn && made !== null && !isPending && failure === null;
  return (
    <>
      <Tick isTicked={isOn} onChange={turn}>
        {fix.marketSearch}
        {hasMade || searches === 0 ? null : (
          <span className="muted small"> {fix.marketCost(searches)}</span>
        )}
        {hasMade ? <span className="muted small"> {fix.marketDone(made)}</span> : null}
      </Tick>
      {isPending ? <Waiting text={fix.marketSearching} /> : null}
      {hasMade && searches > 0 ? (
        <Button kind="quiet" onPress={market.search}>
          {fix.marketMore(searches)}
        </Button>
      ) : null}
    </>
  );
};

interface ToolsProps extends MarketProps {
  readonly draft: DraftView;
  readonly onUndo: () => void;
  readonly card: Card;
  readonly onCard: (card: Card) => void;
  /** The open names that are shown. */
  readonly open: readonly NameView[];
  readonly isRemembered: boolean;
  readonly onRemember: (isRemembered: boolean) => void;
}

const Tools = (props: ToolsProps): ReactNode => {
  const { draft, card, onCard, open } = props;
  const { fix } = usePage().texts;
  const turn = (next: Card): void => onCard(card === next ? null : next);
  return (
    <div className="toolbar">
      <Button icon="undo" isDisabled={!draft.canUndo} onPress={props.onUndo}>
        {fix.undo}
      </Button>
      <Button
        isPressed={card === "reason"}
        isDisabled={open.length === 0}
        onPress={() => turn("reason")}
      >
        {fix.byReason}
      </Button>
      {card !== "below" && listSources(open).length === 0 ? null : (
        <Button isPressed={card === "below"} onPress={() => turn("below")}>
          {fix.below}
        </Button>
      )}
      <span className="toolbar-gap" />
      <Market market={props.market} searches={props.searches} />
      <Tick isTicked={props.isRemembered} onChange={props.onRemember}>
        {fix.remember}
      </Tick>
    </div>
  );
};

interface TableProps {
  readonly draft: string;
  readonly names: readonly NameView[];
  readonly view: ReturnType<typeof useView>;
  readonly ticks: ReturnType<typeof useTicks>;
  readonly asked: ReadonlyMap<string, string>;
  readonly isRemembered: boolean;
  readonly isQuick: boolean;
  readonly give: (answers: readonly NameTarget[], isCategory?: boolean) => void;
}

/** The table with the details of its active row. */
const Table = (props: TableProps): ReactNode => {
  const { draft, names, view, ticks, asked, isRemembered, isQuick, give } = props;
  const { shown } = view;
  const [active, setActive] = useState<string | null>(null);
  const grid = useRef<DataGridHandle>(null);
  const latest = useRef(give);
  latest.current = give;
  const choose = useCallback(
    (name: NameView, target: string): void => latest.current([{ name, target }]),
    [],
  );
  /** The next open row is active then, as the buttons of the details are gone. */
  const chooseAndGoOn = (name: NameView, target: string): void => {
    const at = shown.findIndex((each) => keyOf(each) === keyOf(name));
    const next = shown.findIndex((each, index) => index > at && isOpen(each));
    give([{ name, target }]);
    const position = { rowIdx: next < 0 ? at : next, idx: 1 };
    grid.current?.setActivePosition(position, { shouldFocus: true });
  };
  return (
    <div className="names-work">
      <NamesTable
        {...{ grid, asked, isQuick }}
        names={shown}
        sort={view.sort}
        onSort={view.setSort}
        onActive={(name) => name !== undefined && setActive(keyOf(name))}
        ticked={ticks.ticked}
        onTick={ticks.tick}
        onChoose={choose}
        onEnter={focusPanel}
      />
      <NamePanel
        draft={draft}
        name={names.find((name) => keyOf(name) === active)}
        isRemembered={isRemembered}
        isBusy={active !== null && asked.has(active)}
        onChoose={chooseAndGoOn}
        onCategory={(name, target) => give([{ name, target }], true)}
      />
    </div>
  );
};

const Workbench = (props: WorkbenchProps): ReactNode => {
  const { draft, edits, names, searches, isQuick } = props;
  const { fix } = usePage().texts;
  const view = useView(names);
  const ticks = useTicks();
  const [card, setCard] = useState<Card>(null);
  const [isRemembered, setIsRemembered] = useState(true);
  const market = useMarketSearch(draft.id, searches);
  const { answer, asked, done, forget } = useAnswers(draft, edits);
  const open = view.shown.filter((name) => isOpen(name) && !asked.has(keyOf(name)));
  const ticked = names.filter((name) => isOpen(name) && ticks.ticked.has(keyOf(name)));
  const isBusy = asked.size > 0;
  const give = (answers: readonly NameTarget[], isCategory = false): void => {
    ticks.untick();
    setCard(null);
    const given = isCategory ? { isRemembered: false, isCategory } : { isRemembered };
    void answer(answers, given);
  };
  const close = (): void => setCard(null);
  /** Escape closes the card first, then the dialog. */
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== "Escape" || card === null) return;
    event.stopPropagation();
    close();
    event.currentTarget.querySelector<HTMLElement>(".toolbar [aria-pressed=true]")?.focus();
  };
  return (
    <div className="names-bench" role="presentation" onKeyDown={onKey}>
      <FilterBar names={names} filter={view.filter} onFilter={view.setFilter} />
      <Tools
        {...{ draft, card, isRemembered, market, searches }}
        onUndo={() => {
          forget();
          edits.undo();
        }}
        onCard={setCard}
        open={open}
        onRemember={setIsRemembered}
      />
      <Failure error={edits.error ?? market.error} />
      {market.failure === null || !market.isOn ? null : (
        <Message tone="warning">{market.failure}</Message>
      )}
      <div role="status">
        {done === null ? null : <p className="good small">{done}</p>}
        {names.some(isOpen) ? null : <p className="good">{fix.namesDone}</p>}
      </div>
      {card === "reason" ? (
        <ByReason names={open} isBusy={isBusy} onAnswer={give} onClose={close} />
      ) : null}
      {card === "below" ? (
        <Below draft={draft} names={open} isBusy={isBusy} onAnswer={give} onClose={close} />
      ) : null}
      {card === null ? (
        <>
          <Ticked
            draft={draft.id}
            names={ticked}
            isBusy={isBusy}
            onAnswer={give}
            onClear={ticks.untick}
          />
          <Table draft={draft.id} {...{ names, view, ticks, asked, isRemembered, give, isQuick }} />
        </>
      ) : null}
    </div>
  );
};

interface NamesDialogProps {
  readonly draft: DraftView;
  readonly edits: Edits;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const Names = ({ draft, edits }: Omit<NamesDialogProps, "isOpen" | "onClose">): ReactNode => {
  const { query, isQuick } = useNames(draft.id, draft.version);
  return (
    <Loaded query={query}>
      {(found) => <Workbench {...{ draft, edits, isQuick }} {...found} />}
    </Loaded>
  );
};

export const NamesDialog = ({
  draft,
  edits,
  isOpen: isShown,
  onClose,
}: NamesDialogProps): ReactNode => {
  const { fix } = usePage().texts;
  return (
    <Dialog title={fix.namesTitle} isOpen={isShown} onClose={onClose} size="full">
      <Names draft={draft} edits={edits} />
    </Dialog>
  );
};
