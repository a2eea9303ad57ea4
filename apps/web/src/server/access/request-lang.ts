import type { RequestLang } from "../site.ts";

/** The language that a request asks for with `x-catalog-lang` or `lang`; Turkish without either. */
export const requestLang: RequestLang = ({ headers, query }) => {
  const header = "x-catalog-lang" in headers ? headers["x-catalog-lang"] : undefined;
  const asked = header ?? readLang(query);
  return asked === "en" ? "en" : "tr";
};

const readLang = (query: unknown): unknown =>
  typeof query === "object" && query !== null && "lang" in query ? query.lang : undefined;
