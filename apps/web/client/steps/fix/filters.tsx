import { type ReactNode, useEffect, useState } from "react";

import type { DraftCounts, RowFilter } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { toShownKinds } from "../../lib/shown-kinds.ts";
import { useDebounced } from "../../lib/use-debounced.ts";
import { Button } from "../../ui/button.tsx";
import { type Chip, Chips } from "../../ui/chips.tsx";
import { TextField } from "../../ui/field.tsx";

interface FiltersProps {
  readonly counts: DraftCounts;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
}

/** The button behind the kinds; no kind has an empty code. */
const MORE = "";

type Show = NonNullable<RowFilter["show"]> | "all";

const useViews = (counts: DraftCounts): readonly Chip<Show>[] => {
  const { fix } = usePage().texts;
  return [
    { key: "all", label: fix.all, count: counts.rows },
    { key: "errors", label: fix.errors, count: counts.errors, tone: "error" },
    { key: "warnings", label: fix.warnings, count: counts.warnings, tone: "warning" },
    { key: "edited", label: fix.edited, count: counts.edited },
    { key: "excluded", label: fix.excluded, count: counts.excluded },
  ];
};

const Kinds = ({ counts, filter, onFilter }: FiltersProps): ReactNode => {
  const { fix } = usePage().texts;
  const [isWhole, setIsWhole] = useState(false);
  if (counts.kinds.length === 0) return null;
  const shown = toShownKinds(counts.kinds, { isWhole, chosen: filter.code });
  const hidden = counts.kinds.length - shown.length;
  const chips: readonly Chip<string>[] = shown.map((kind) => ({
    key: kind.code,
    label: kind.label,
    count: kind.rows,
    tone: kind.severity,
  }));
  const more = hidden === 0 ? [] : [{ key: MORE, label: fix.otherKinds(hidden) }];
  const choose = (code: string): void => {
    if (code === MORE) setIsWhole(true);
    else onFilter({ ...filter, code: code === filter.code ? undefined : code });
  };
  return (
    <Chips label={fix.kinds} chips={[...chips, ...more]} chosen={filter.code} onChoose={choose} />
  );
};

/** Which rows are shown: by state, by kind of issue, by text. */
export const Filters = ({ counts, filter, onFilter }: FiltersProps): ReactNode => {
  const { fix } = usePage().texts;
  const [typed, setTyped] = useState("");
  const text = useDebounced(typed, 250);
  useEffect(() => {
    if (text !== (filter.text ?? "")) onFilter({ ...filter, text: text === "" ? undefined : text });
    // Only typing changes the text of the filter.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new filter must not bring back an old text
  }, [text]);
  const clear = (): void => {
    setTyped("");
    onFilter({});
  };
  const isFiltering = filter.show !== undefined || filter.code !== undefined || typed !== "";
  return (
    <div className="filters">
      <div className="filters-line">
        <Chips
          label={fix.views}
          chips={useViews(counts)}
          chosen={filter.show ?? "all"}
          onChoose={(show) => onFilter({ ...filter, show: show === "all" ? undefined : show })}
        />
        <TextField
          label={fix.search}
          isLabelHidden
          type="search"
          value={typed}
          onChange={setTyped}
        />
        {isFiltering ? (
          <Button kind="quiet" onPress={clear}>
            {fix.clear}
          </Button>
        ) : null}
      </div>
      <Kinds counts={counts} filter={filter} onFilter={onFilter} />
    </div>
  );
};
