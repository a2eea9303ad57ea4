import type { ReactNode } from "react";

import { usePage } from "../lib/page.tsx";

const LANGUAGES = [
  { lang: "tr", label: "Türkçe", short: "TR" },
  { lang: "en", label: "English", short: "EN" },
] as const;

/** The languages of the page; the short names are for the bar at the top. */
export const LanguageSwitch = ({ isShort }: { readonly isShort: boolean }): ReactNode => {
  const { lang, texts, setLang } = usePage();
  return (
    <div className="languages" role="group" aria-label={texts.app.language}>
      {LANGUAGES.map(({ lang: choice, label, short }) => (
        <button
          key={choice}
          type="button"
          lang={choice}
          aria-pressed={choice === lang}
          aria-label={isShort ? `${short} ${label}` : undefined}
          onClick={() => setLang(choice)}
        >
          {isShort ? short : label}
        </button>
      ))}
    </div>
  );
};
