import type { ReactNode } from "react";

import type { PlainPage } from "../lib/route.ts";
import { Exports } from "./exports.tsx";
import { Feeds } from "./feeds.tsx";
import { Rules } from "./rules.tsx";
import { Settings } from "./settings.tsx";
import { Templates } from "./templates.tsx";

type WorkPage = Exclude<PlainPage, "upload" | "history" | "questions">;

const SCREENS: Readonly<Record<WorkPage, () => ReactNode>> = {
  exports: Exports,
  feeds: Feeds,
  rules: Rules,
  templates: Templates,
  settings: Settings,
};

export const OtherWork = ({ page }: { readonly page: WorkPage }): ReactNode => {
  const Screen = SCREENS[page];
  return <Screen />;
};
