import { type ReactNode, useMemo, useState } from "react";

import type { RunRowFilter, RunRowView, RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useDebounced } from "../../lib/use-debounced.ts";
import { Chips } from "../../ui/chips.tsx";
import { TextField } from "../../ui/field.tsx";
import { type RowColumn, RunRowsTable } from "../preview/run-rows.tsx";

type View = "all" | "done" | "failed" | "held" | "unchanged";

const isWebAddress = (text: string): boolean =>
  text.startsWith("https://") || text.startsWith("http://");

const RowLinks = ({ row }: { readonly row: RunRowView }): ReactNode => {
  const words = usePage().texts.report;
  const links = [
    { href: row.link, label: words.link },
    { href: row.image, label: words.image },
  ];
  return (
    <>
      {row.productId === null ? null : (
        <span className="product-id number">
          {words.productId} {row.productId}
        </span>
      )}
      {links.map(({ href, label }) =>
        href === null || !isWebAddress(href) ? null : (
          <a key={label} href={href} target="_blank" rel="noreferrer noopener">
            {label}
          </a>
        ),
      )}
    </>
  );
};

const useResultColumn = (): RowColumn => {
  const words = usePage().texts.report;
  return useMemo(
    () => ({
      key: "result",
      header: words.state,
      render: (row) => (
        <span className="row-result">
          <span className={`badge state-${row.state}`}>{row.stateText}</span>
          <RowLinks row={row} />
        </span>
      ),
    }),
    [words],
  );
};

const useViews = (): readonly { readonly key: View; readonly label: string }[] => {
  const { view } = usePage().texts.report;
  return [
    { key: "all", label: view.all },
    { key: "done", label: view.done },
    { key: "failed", label: view.failed },
    { key: "held", label: view.held },
    { key: "unchanged", label: view.unchanged },
  ];
};

/** Every row with its result, by result, reason and text. */
export const ReportRows = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts } = usePage();
  const [view, setView] = useState<View>("all");
  const [code, setCode] = useState<string | undefined>();
  const [text, setText] = useState("");
  const settled = useDebounced(text, 250);
  const column = useResultColumn();
  const reasons = run.reasons.map((one) => ({ key: one.code, label: one.label, count: one.rows }));
  const filter: RunRowFilter = {
    ...(view === "all" ? {} : { show: view }),
    ...(code === undefined ? {} : { code }),
    ...(settled === "" ? {} : { text: settled }),
  };
  return (
    <section className="stack-tight">
      {reasons.length === 0 ? null : (
        <div className="reasons">
          <h2>{texts.report.reasons}</h2>
          <Chips
            label={texts.report.reasons}
            chips={reasons}
            chosen={code}
            onChoose={(key) => setCode(key === code ? undefined : key)}
          />
        </div>
      )}
      <div className="filters-line">
        <Chips label={texts.preview.views} chips={useViews()} chosen={view} onChoose={setView} />
        <TextField
          label={texts.preview.search}
          isLabelHidden
          type="search"
          value={text}
          onChange={setText}
        />
      </div>
      <RunRowsTable run={run.id} filter={filter} last={column} />
    </section>
  );
};
