/** Which questions are shown, as the address of the page holds it. */

import type { QuestionFilter } from "../../src/api/index.ts";

const MAX_TEXT = 1_000;

/** What an address asks for; parts that mean nothing are left out. */
export const parseQuestions = (search: string): QuestionFilter => {
  const query = new URLSearchParams(search);
  const about = query.get("about");
  const text = query.get("text") ?? "";
  return {
    show: query.get("show") === "answered" ? "answered" : "unanswered",
    ...(about === "product" || about === "store" ? { about } : {}),
    ...(text === "" || text.length > MAX_TEXT ? {} : { text }),
    ...(query.get("written") === "1" ? { written: true } : {}),
    ...(query.get("oldest") === "1" ? { oldest: true } : {}),
  };
};

/** The query of an address, with its question mark; nothing where it asks for the usual list. */
export const formatQuestions = ({
  show,
  about,
  text = "",
  written,
  oldest,
}: QuestionFilter): string => {
  const query = new URLSearchParams();
  if (show !== "unanswered") query.set("show", show);
  if (about !== undefined) query.set("about", about);
  if (text !== "") query.set("text", text);
  if (written === true) query.set("written", "1");
  if (oldest === true) query.set("oldest", "1");
  const formatted = query.toString();
  return formatted === "" ? "" : `?${formatted}`;
};
