/** The screen of the address. */

import { lazy, type ReactNode, Suspense } from "react";

import type { DraftView } from "../../src/api/index.ts";
import { History } from "../history/history.tsx";
import { useEvents } from "../lib/events.ts";
import { usePage } from "../lib/page.tsx";
import { isTeamServer } from "../lib/place.ts";
import { useDraft, useProgress, useRun } from "../lib/queries.ts";
import {
  type DraftStep,
  isTeamPage,
  type PlainPage,
  type Route,
  type TeamPage,
  useRoute,
} from "../lib/route.ts";
import { useMay } from "../lib/team.ts";
import { Columns } from "../steps/columns/columns.tsx";
import { FileStep } from "../steps/file/file-step.tsx";
import { Upload } from "../steps/file/upload.tsx";
import { MakePreview } from "../steps/run/make-preview.tsx";
import { useTeamPages } from "../team/menu.tsx";
import { PartOfShared } from "../team/share-upload.tsx";
import { Link } from "../ui/controls.tsx";
import { Problem, Loaded, Waiting } from "../ui/messages.tsx";
import { Notice } from "../ui/sections.tsx";
import { StepBar } from "./step-bar.tsx";

const Fix = lazy(async () => {
  const { Fix: component } = await import("../steps/fix/fix.tsx");
  return { default: component };
});

type DraftRoute = Extract<Route, { page: "draft" }>;

interface StepProps {
  readonly draft: DraftView;
  readonly step: DraftStep;
}

const StepBody = ({ draft, step }: StepProps): ReactNode => {
  if (step === "file") return <FileStep draft={draft} />;
  if (step === "columns") return <Columns draft={draft} />;
  return step === "fix" ? <Fix draft={draft} /> : <MakePreview draft={draft} />;
};

const DraftBar = ({ draft, step }: StepProps): ReactNode =>
  draft.run === null ? (
    <StepBar isRunShown={false} draft={draft} run={null} current={step} />
  ) : (
    <PlannedDraftBar draft={draft} step={step} run={draft.run.id} />
  );

const PlannedDraftBar = ({ draft, step, run }: StepProps & { readonly run: string }): ReactNode => {
  const read = useRun(run).data;
  const progress = useProgress(run);
  const state = progress?.state ?? read?.state ?? "planned";
  return <StepBar isRunShown={false} draft={draft} run={{ id: run, state }} current={step} />;
};

/** For those who may not edit: that a file is under way, and its preview where there is one. */
const OthersDraft = ({ draft: { name, run } }: { readonly draft: DraftView }): ReactNode => {
  const words = usePage().texts.team.draft;
  return (
    <Notice title={words.title}>
      <p className="file-name">{name}</p>
      <p>{words.text}</p>
      {run === null ? null : (
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{words.toPreview}</Link>
      )}
    </Notice>
  );
};

const DraftScreen = ({
  id,
  step,
}: {
  readonly id: string;
  readonly step: DraftStep;
}): ReactNode => {
  const { texts } = usePage();
  const query = useDraft(id);
  useEvents({ draft: id, run: query.data?.run?.id });
  const mayEdit = useMay("editor");
  if (!mayEdit) return <Loaded query={query}>{(draft) => <OthersDraft draft={draft} />}</Loaded>;
  return (
    <Loaded query={query}>
      {(draft) => (
        <>
          <div className="way">
            <DraftBar draft={draft} step={step} />
            <p className="file-name" title={draft.name}>
              {draft.name}
            </p>
          </div>
          <PartOfShared draft={draft.id} />
          <Problem problem={draft.problem} />
          <Suspense fallback={<Waiting text={texts.app.loading} />}>
            <StepBody draft={draft} step={step} />
          </Suspense>
        </>
      )}
    </Loaded>
  );
};

const RunScreen = lazy(async () => {
  const { RunScreen: component } = await import("./run-screen.tsx");
  return { default: component };
});

const OtherWork = lazy(async () => {
  const { OtherWork: component } = await import("../work/other-work.tsx");
  return { default: component };
});

const Questions = lazy(async () => {
  const { Questions: component } = await import("../questions/questions.tsx");
  return { default: component };
});

const TeamScreen = lazy(async () => {
  const { TeamScreen: component } = await import("../team/team-screen.tsx");
  return { default: component };
});

const SharedFile = lazy(async () => {
  const { SharedFile: component } = await import("../team/shared-file.tsx");
  return { default: component };
});

const PlainScreen = ({ page }: { readonly page: PlainPage }): ReactNode => {
  if (page === "upload") return <Upload />;
  if (page === "questions") return <Questions />;
  return page === "history" ? <History /> : <OtherWork page={page} />;
};

const Products = lazy(async () => {
  const { Products: component } = await import("../products/products.tsx");
  return { default: component };
});

const Product = lazy(async () => {
  const { Product: component } = await import("../products/product.tsx");
  return { default: component };
});

const UnknownPage = (): ReactNode => {
  const { texts } = usePage();
  return (
    <Notice title={texts.app.unknownPage}>
      <Link to={{ page: "products" }}>{texts.app.goHome}</Link>
    </Notice>
  );
};

const ListedScreen = ({ route }: { readonly route: Exclude<Route, DraftRoute> }): ReactNode => {
  if (route.page === "products") return <Products />;
  if (route.page === "product") return <Product key={route.id} id={route.id} />;
  if (route.page === "run") return <RunScreen key={route.id} id={route.id} step={route.step} />;
  if (route.page === "unknown") return <UnknownPage />;
  if (route.page === "shared") {
    return isTeamServer() ? <SharedFile key={route.id} id={route.id} /> : <UnknownPage />;
  }
  return isTeamPage(route.page) ? (
    <OwnTeamScreen page={route.page} />
  ) : (
    <PlainScreen page={route.page} />
  );
};

/** A page about people, where there are several and this one may open it. */
const OwnTeamScreen = ({ page }: { readonly page: TeamPage }): ReactNode =>
  useTeamPages().includes(page) ? <TeamScreen page={page} /> : <UnknownPage />;

export const Screen = (): ReactNode => {
  const route = useRoute();
  const { texts } = usePage();
  if (route.page === "draft") {
    return <DraftScreen key={route.id} id={route.id} step={route.step} />;
  }
  return (
    <Suspense fallback={<Waiting text={texts.app.loading} />}>
      <ListedScreen route={route} />
    </Suspense>
  );
};
