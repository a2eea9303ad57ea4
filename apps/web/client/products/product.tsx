/** One product: what the store shows, who changed what, what buyers say, and taking changes back. */

import { type ReactNode, useState } from "react";

import type {
  OpenedDraft,
  PlannedRunId,
  ProductChange,
  ProductDetails,
  ProductTalk,
  ProductUndoBody,
} from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useProduct, useProductChange, useProductTalk, useRun } from "../lib/queries.ts";
import { goTo } from "../lib/route.ts";
import { useMay } from "../lib/team.ts";
import { PeriodEnd } from "../period/run-period.tsx";
import { OtherApprover } from "../steps/run/run-details.tsx";
import { OnlyFor } from "../team/may.tsx";
import { Button, Chips, Icon, Link } from "../ui/controls.tsx";
import { Failure, Loaded, Message, Waiting } from "../ui/messages.tsx";
import { Picture } from "../ui/picture.tsx";
import { Card, TableHead } from "../ui/sections.tsx";
import { toColumns } from "./edit-fields.tsx";
import { useListSearch } from "./products.tsx";

interface OfProduct {
  readonly product: ProductDetails;
}

const Images = ({ product }: OfProduct): ReactNode => {
  const words = usePage().texts.products.product;
  const [shown, setShown] = useState(0);
  const { number, images, title, readAt } = product;
  const of = { product: number, version: readAt };
  return (
    <div className="product-images">
      <Picture of={of} n={shown} look="large" alt={images === 0 ? "" : title} />
      {images < 2 ? null : (
        <div className="product-strip" role="group" aria-label={words.images}>
          {Array.from({ length: images }, (_, n) => (
            <button
              key={n}
              type="button"
              aria-pressed={n === shown}
              aria-label={words.image(n + 1)}
              onClick={() => setShown(n)}
            >
              <Picture of={of} n={n} look="card" />
            </button>
          ))}
        </div>
      )}
      {images > 0 ? null : <p className="muted small">{words.noImage}</p>}
    </div>
  );
};

const STATUS_BADGES = {
  approved: "badge badge-success",
  passive: "badge",
  veto: "badge badge-error",
} as const;

const Price = ({ product: { price, paid, discount } }: OfProduct): ReactNode => {
  const words = usePage().texts.products.product;
  if (price === null && paid === null) return <p className="muted">{words.noPrice}</p>;
  return (
    <p className="product-price number">
      <strong>{paid ?? price}</strong>
      {discount === null ? null : (
        <>
          <s>
            <span className="unseen">{words.before} </span>
            {price}
          </s>
          <span className="badge badge-accent">{discount}</span>
        </>
      )}
    </p>
  );
};

const Facts = ({ product }: OfProduct): ReactNode => {
  const words = usePage().texts.products.product;
  const { stock, code, brand, category, id, facts } = product;
  const lines: readonly (readonly [string, ReactNode])[] = [
    [words.stock, stock === null ? "–" : stock],
    [words.code, code ?? "–"],
    [words.brand, brand ?? "–"],
    [words.category, category ?? "–"],
    ...facts.map(({ label, text }) => [label, text] as const),
    ["ID", id],
  ];
  return (
    <dl className="product-facts">
      {lines.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="number">{value}</dd>
        </div>
      ))}
    </dl>
  );
};

const openDraft = ({ draft }: OpenedDraft): void => goTo({ page: "draft", id: draft, step: "fix" });

/** Runs that are looked at for an end; a product rarely has more that count. */
const MAX_RUNS = 3;

interface EndOfRunProps {
  readonly run: string;
  readonly changed: readonly string[];
}

const EndOfRun = ({ run, changed }: EndOfRunProps): ReactNode => {
  const { data } = useRun(run);
  return data === undefined ? null : <PeriodEnd run={data} changed={changed} />;
};

/** That what a run of ours has changed here is going to be taken back by itself. */
const Ends = ({ product: { changes } }: OfProduct): ReactNode => {
  const latest = changes.flatMap(({ run, undoField }) =>
    run === null || undoField === null ? [] : [{ run: run.id, undoField }],
  );
  return [...Map.groupBy(latest, ({ run }) => run)]
    .slice(0, MAX_RUNS)
    .map(([run, of]) => (
      <EndOfRun key={run} run={run} changed={of.map(({ undoField }) => undoField)} />
    ));
};

const Head = ({ product }: OfProduct): ReactNode => {
  const { texts, format } = usePage();
  const { statuses, product: words } = texts.products;
  const { number, readAt, status, link } = product;
  const path = `/api/products/${number}`;
  const read = useProductChange<ProductDetails>(String(number));
  const edit = useProductChange<OpenedDraft>(String(number));
  // One product is edited with its texts too.
  const fields = toColumns(new Set(["subtitle", "description"]));
  const body = { products: { numbers: [number] }, fields };
  return (
    <div className="product-head">
      <Price product={product} />
      <Ends product={product} />
      <p className="line">
        <span className={STATUS_BADGES[status]}>{statuses[status]}</span>
        <span className="muted small">
          <time dateTime={readAt} title={format.date(readAt)}>
            {words.shown(format.ago(readAt, Date.now()))}
          </time>
        </span>
      </p>
      <div className="line">
        <OnlyFor role="editor" isSaid={false}>
          <Button
            kind="primary"
            isBusy={edit.isPending}
            onPress={() =>
              edit.mutate({ path: "/api/products/draft", body }, { onSuccess: openDraft })
            }
          >
            {words.edit}
          </Button>
          <Button
            icon="redo"
            isBusy={read.isPending}
            onPress={() => read.mutate({ path: `${path}/read` })}
          >
            {words.readAgain}
          </Button>
        </OnlyFor>
        {link === null ? null : (
          <a className="button button-plain" href={link} target="_blank" rel="noreferrer">
            {words.inStore}
          </a>
        )}
      </div>
      <Failure error={read.error ?? edit.error} />
      <Facts product={product} />
    </div>
  );
};

type Filter = "all" | "ours" | "others" | `field:${string}`;

const matches = (filter: Filter, { by, field }: ProductChange): boolean => {
  if (filter === "all") return true;
  return filter === "ours" || filter === "others" ? by === filter : filter === `field:${field}`;
};

/** Chips for who changed it, and for each field that was changed more than once. */
const chipsOf = (
  changes: readonly ProductChange[],
  words: Record<"all" | "ours" | "others", string>,
) => {
  const chips: { readonly key: Filter; readonly label: string; readonly count: number }[] = [
    { key: "all", label: words.all, count: changes.length },
  ];
  const others = changes.filter(({ by }) => by === "others").length;
  if (others > 0) {
    chips.push({ key: "ours", label: words.ours, count: changes.length - others });
    chips.push({ key: "others", label: words.others, count: others });
  }
  const byField = Map.groupBy(changes, ({ field }) => field);
  for (const [field, of] of byField) {
    if (of.length > 1)
      chips.push({ key: `field:${field}`, label: of[0]?.label ?? field, count: of.length });
  }
  return chips;
};

interface ChangeRowProps {
  readonly change: ProductChange;
  readonly onUndo: (body: ProductUndoBody) => void;
  readonly isBusy: boolean;
}

const Values = ({ before, after }: ProductChange): ReactNode => {
  const words = usePage().texts.products.product;
  if (before === null && after === null) return null;
  return (
    <>
      <span className="product-before number">{before ?? "–"}</span>
      <span aria-hidden="true"> → </span>
      <span className="unseen"> {words.to} </span>
      <b className="number">{after ?? "–"}</b>
    </>
  );
};

const ChangeRow = ({ change, onUndo, isBusy }: ChangeRowProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.products.product;
  const { at, since, label, person, approvedBy, run, undoField } = change;
  const mayUndo = useMay("approver");
  return (
    <tr>
      <td data-label={words.when}>
        {since === null ? null : (
          <>
            <time dateTime={since} title={words.since(format.date(since))}>
              {format.time(since, Date.now())}
            </time>
            {" – "}
          </>
        )}
        <time dateTime={at} title={since === null ? format.date(at) : words.seen(format.date(at))}>
          {format.time(at, Date.now())}
        </time>
      </td>
      <th scope="row">{label}</th>
      <td data-label={words.values}>
        <Values {...change} />
      </td>
      <td data-label={words.who}>
        {run === null ? (
          words.elsewhere
        ) : (
          <>
            {person ?? words.unknown}{" "}
            <Link to={{ page: "run", id: run.id, step: "report" }} className="small">
              {run.name}
            </Link>
            <OtherApprover by={person} approvedBy={approvedBy} />
          </>
        )}
      </td>
      <td className="product-undo">
        {!mayUndo || undoField === null || run === null ? null : (
          <Button
            kind="quiet"
            icon="undo"
            isDisabled={isBusy}
            onPress={() => onUndo({ change: { run: run.id, row: run.row, field: undoField } })}
          >
            {words.undo}
            <span className="unseen"> ({label})</span>
          </Button>
        )}
      </td>
    </tr>
  );
};

const openPlan = ({ run }: PlannedRunId): void => goTo({ page: "run", id: run, step: "preview" });

const History = ({ product }: OfProduct): ReactNode => {
  const words = usePage().texts.products.product;
  const { number, changes, keptDays } = product;
  const [filter, setFilter] = useState<Filter>("all");
  const undo = useProductChange<PlannedRunId>(String(number));
  const isBusy = undo.isPending || product.isPlanningUndo;
  const take = (body: ProductUndoBody): void =>
    undo.mutate({ path: `/api/products/${number}/undo`, body }, { onSuccess: openPlan });
  const chips = chipsOf(changes, words);
  const shown = changes.filter((change) => matches(filter, change));
  const mayUndo = useMay("approver");
  const canUndo = mayUndo && changes.some(({ undoField }) => undoField !== null);
  return (
    <Card title={words.history} intro={changes.length === 0 ? words.noChanges : undefined}>
      {changes.length === 0 ? null : (
        <>
          <div className="line product-tools">
            {chips.length < 2 ? null : (
              <Chips label={words.filter} chips={chips} chosen={filter} onChoose={setFilter} />
            )}
            {canUndo ? (
              <Button icon="undo" isBusy={isBusy} onPress={() => take({})}>
                {isBusy ? words.preparing : words.undoAll}
              </Button>
            ) : null}
          </div>
          <Failure error={undo.error} />
          <table className="table product-history">
            <TableHead columns={[words.when, words.what, words.values, words.who, words.action]} />
            <tbody>
              {shown.map((change) => (
                <ChangeRow
                  key={`${change.at} ${change.run?.id ?? ""} ${change.field}`}
                  change={change}
                  onUndo={take}
                  isBusy={isBusy}
                />
              ))}
            </tbody>
          </table>
          <p className="muted small">{words.kept(keptDays)}</p>
        </>
      )}
    </Card>
  );
};

const Stars = ({ rate }: { readonly rate: number }): ReactNode => {
  const words = usePage().texts.products.product;
  return (
    <span className="product-stars" role="img" aria-label={words.rate(rate)}>
      {"★".repeat(Math.max(0, Math.min(5, Math.round(rate))))}
    </span>
  );
};

const When = ({ at }: { readonly at: string | null }): ReactNode => {
  const { format } = usePage();
  return at === null ? null : <time dateTime={at}>{format.date(at)}</time>;
};

const Comments = ({ comments }: Pick<ProductTalk, "comments">): ReactNode => {
  const words = usePage().texts.products.product;
  if (comments === null) return <p className="muted">{words.commentsUnread}</p>;
  if (comments.total === 0) return <p className="muted">{words.noComments}</p>;
  return (
    <>
      <p>{words.comments(comments.total)}</p>
      <ul className="product-talk">
        {comments.last.map(({ at, rate, text }, index) => (
          <li key={`${at ?? ""} ${index}`}>
            <p className="muted small">
              {rate === null ? null : <Stars rate={rate} />} <When at={at} />
            </p>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </>
  );
};

const Questions = ({ questions }: Pick<ProductTalk, "questions">): ReactNode => {
  const words = usePage().texts.products.product;
  if (questions === null) return <p className="muted">{words.questionsUnread}</p>;
  const { total, unanswered, last, read, isAll } = questions;
  const scope = isAll ? null : <p className="muted small">{words.questionsAmong(read)}</p>;
  if (total === 0) {
    return (
      <>
        <p className="muted">{words.noQuestions}</p>
        {scope}
      </>
    );
  }
  return (
    <>
      <p>{words.questions(total, unanswered)}</p>
      <ul className="product-talk">
        {last.map(({ at, text, isAnswered }, index) => (
          <li key={`${at ?? ""} ${index}`}>
            <p className="muted small">
              <span className={isAnswered ? "badge" : "badge badge-warning"}>
                {isAnswered ? words.answered : words.open}
              </span>{" "}
              <When at={at} />
            </p>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      {scope}
    </>
  );
};

const Talk = ({ number }: { readonly number: string }): ReactNode => {
  const words = usePage().texts.products.product;
  const { data, error } = useProductTalk(number);
  if (error !== null) return <Message tone="warning">{words.talkFailed}</Message>;
  if (data === undefined) return <Waiting text={words.readingTalk} />;
  return (
    <div className="product-columns">
      <Card title={words.commentsTitle}>
        <Comments comments={data.comments} />
      </Card>
      <Card title={words.questionsTitle}>
        <Questions questions={data.questions} />
      </Card>
    </div>
  );
};

const Shown = ({ product }: OfProduct): ReactNode => {
  const words = usePage().texts.products.product;
  const { title, code, id, description, number } = product;
  const search = useListSearch();
  return (
    <section className="stack product">
      <p className="product-back">
        <Link to={{ page: "products", search }}>
          <Icon name="left" />
          {words.toList}
        </Link>
      </p>
      <h1>{title === "" ? (code ?? id) : title}</h1>
      <div className="product-top">
        <Images product={product} />
        <Head product={product} />
      </div>
      {description === null ? null : (
        <details className="card">
          <summary>{words.description}</summary>
          <p className="product-text">{description}</p>
        </details>
      )}
      <History product={product} />
      <Talk number={String(number)} />
    </section>
  );
};

export const Product = ({ id }: { readonly id: string }): ReactNode => (
  <Loaded query={useProduct(id)}>{(product) => <Shown product={product} />}</Loaded>
);
