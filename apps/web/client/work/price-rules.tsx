/** The price rules of the store: the table, its sheet, costs, and a try on a file. */

import type { ReactNode } from "react";
import { FileTrigger } from "react-aria-components";

import type { PriceRulesView, TriedRulesView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useRulesChange, useTryRules } from "../lib/queries.ts";
import { OnlyFor } from "../team/may.tsx";
import { Button } from "../ui/controls.tsx";
import { Failure, Message } from "../ui/messages.tsx";
import { Card, Download } from "../ui/sections.tsx";
import { Sharing } from "./sharing.tsx";

interface UploadProps {
  readonly words: string;
  readonly isBusy: boolean;
  readonly types: readonly string[];
  readonly onFile: (file: File) => void;
}

const Upload = ({ words, isBusy, types, onFile }: UploadProps): ReactNode => (
  <FileTrigger
    acceptedFileTypes={[...types]}
    onSelect={(files) => {
      const file = files?.[0];
      if (file !== undefined) onFile(file);
    }}
  >
    <Button icon="upload" isBusy={isBusy}>
      {words}
    </Button>
  </FileTrigger>
);

const SHEETS = [".xlsx", ".csv"] as const;
const FEEDS = [".xlsx", ".csv", ".json", ".xml"] as const;

const Table = ({ rules }: Pick<PriceRulesView, "rules">): ReactNode => {
  const words = usePage().texts.work.rules.prices;
  if (rules.length === 0) return <p className="empty">{words.none}</p>;
  return (
    <table className="table work-table">
      <thead>
        <tr>
          <th scope="col">{words.rule}</th>
          <th scope="col">{words.products}</th>
          <th scope="col">{words.does}</th>
        </tr>
      </thead>
      <tbody>
        {rules.map(({ name, products, does }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-label={words.products}>{products}</td>
            <td data-label={words.does}>{does}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Tried = ({ tried }: { readonly tried: TriedRulesView }): ReactNode => {
  const words = usePage().texts.work.rules.prices;
  return (
    <>
      <Message tone={tried.belowCost + tried.left > 0 ? "warning" : "success"}>
        {words.tried(tried.total, tried.ruled)} {words.doubts(tried.belowCost, tried.left)}
      </Message>
      {tried.notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
      <table className="table work-table">
        <thead>
          <tr>
            <th scope="col">{words.product}</th>
            <th scope="col">{words.before}</th>
            <th scope="col">{words.after}</th>
            <th scope="col">{words.rule}</th>
          </tr>
        </thead>
        <tbody>
          {tried.rows.map(({ row, code, before, after, rules, isHeld }) => (
            <tr key={row}>
              <th scope="row">{code}</th>
              <td data-label={words.before}>{before}</td>
              <td data-label={words.after}>
                {after} {isHeld ? <span className="badge">{words.held}</span> : null}
              </td>
              <td data-label={words.rule}>
                {rules.length === 0 ? words.noRule : rules.join(" · ")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
};

/** Shows the rules; they are edited in their sheet. */
export const PriceRules = ({ prices }: { readonly prices: PriceRulesView }): ReactNode => {
  const { lang, texts } = usePage();
  const words = texts.work.rules.prices;
  const change = useRulesChange();
  const trial = useTryRules();
  return (
    <Card title={words.title} intro={words.intro}>
      {prices.rules.length === 0 ? null : (
        <p>
          <Sharing what={{ kind: "prices" }} name={words.title} isShared={prices.isShared} />
        </p>
      )}
      <Table rules={prices.rules} />
      <p className="muted">{words.costs(prices.costs)}</p>
      <Failure error={change.error ?? trial.error} />
      {change.isSuccess ? <Message tone="success">{words.saved}</Message> : null}
      <div className="line">
        <Download href={`/api/rules/prices/file?lang=${lang}`}>{words.download}</Download>
        <OnlyFor role="approver">
          <Upload
            words={words.upload}
            isBusy={change.isPending}
            types={SHEETS}
            onFile={(file) => change.mutate({ path: "/prices/file", file })}
          />
          <Upload
            words={words.uploadCosts}
            isBusy={change.isPending}
            types={SHEETS}
            onFile={(file) => change.mutate({ path: "/costs/file", file })}
          />
        </OnlyFor>
        {prices.rules.length === 0 ? null : (
          <>
            <OnlyFor role="editor" isSaid={false}>
              <Upload
                words={words.try}
                isBusy={trial.isPending}
                types={FEEDS}
                onFile={(file) => trial.mutate(file)}
              />
            </OnlyFor>
            {prices.isShared ? null : (
              <OnlyFor role="approver" isSaid={false}>
                <Button
                  kind="quiet"
                  isBusy={change.isPending}
                  onPress={() =>
                    change.mutate({ path: "/prices/remove", body: { version: prices.version } })
                  }
                >
                  {words.remove}
                </Button>
              </OnlyFor>
            )}
          </>
        )}
      </div>
      {trial.data === undefined ? null : <Tried tried={trial.data} />}
    </Card>
  );
};
