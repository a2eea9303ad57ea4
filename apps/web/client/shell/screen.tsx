import { lazy, type ReactNode, Suspense } from "react";

import { History } from "../history/history.tsx";
import { usePage } from "../lib/page.tsx";
import type { PlainPage } from "../lib/route.ts";
import { useRoute } from "../lib/use-route.ts";
import { Upload } from "../steps/file/upload.tsx";
import { Link } from "../ui/link.tsx";
import { Waiting } from "../ui/progress.tsx";
import { DraftScreen } from "./draft-screen.tsx";

const RunScreen = lazy(async () => {
  const { RunScreen: component } = await import("./run-screen.tsx");
  return { default: component };
});

const OtherWork = lazy(async () => {
  const { OtherWork: component } = await import("../work/other-work.tsx");
  return { default: component };
});

const PlainScreen = ({ page }: { readonly page: PlainPage }): ReactNode =>
  page === "history" ? <History /> : <OtherWork page={page} />;

const UnknownPage = (): ReactNode => {
  const { texts } = usePage();
  return (
    <section className="narrow card">
      <h1>{texts.app.unknownPage}</h1>
      <Link to={{ page: "upload" }}>{texts.app.goHome}</Link>
    </section>
  );
};

/** The screen of the address. */
export const Screen = (): ReactNode => {
  const route = useRoute();
  const { texts } = usePage();
  if (route.page === "upload") return <Upload />;
  if (route.page === "unknown") return <UnknownPage />;
  if (route.page === "draft") {
    return <DraftScreen key={route.id} id={route.id} step={route.step} />;
  }
  return (
    <Suspense fallback={<Waiting text={texts.app.loading} />}>
      {route.page === "run" ? (
        <RunScreen key={route.id} id={route.id} step={route.step} />
      ) : (
        <PlainScreen page={route.page} />
      )}
    </Suspense>
  );
};
