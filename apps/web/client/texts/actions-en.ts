/** The words of runs that are about questions, packages or shipping templates, in English. */

import type { RunActions } from "../../src/api/index.ts";
import type { ActionTexts } from "./actions-tr.ts";
import { countEn } from "./en.ts";

const rows = countEn("row", "rows");

interface Words {
  readonly count: (count: number) => string;
  readonly list: string;
  readonly subject: string;
  readonly title: string;
  /** Behind a number of subjects. */
  readonly will: string;
  readonly done: string;
  readonly view: string;
  readonly counted: string;
  readonly more: string;
  readonly making: string;
  readonly nothing: string;
  /** What cannot be taken back. */
  readonly noUndo: string;
}

const toTexts = (words: Words): ActionTexts => ({
  preview: {
    title: words.title,
    titleDone: words.counted,
    making: words.making,
    will: (count) => `${words.count(count)} will be ${words.will}`,
    unchangedRows: (count) => `nothing to do in ${rows(count)}`,
    view: {
      add: words.view,
      update: words.view,
      unchanged: "Nothing to do",
      held: "Need approval",
      failed: "Cannot be sent",
    },
    updated: words.counted,
    search: "Search",
    product: words.subject,
    more: words.more,
    heldIntro: "The reason stands beside each. Only those that you tick are sent.",
    all: (count) => `${words.view}: all ${rows(count)}`,
    sheetOrder: "in the order of the list",
    toSheetOrder: "Back to the order of the list",
  },
  send: {
    confirmUpdates: (count) => `${words.count(count)} will be ${words.will}`,
    confirmUndo: words.noUndo,
    confirmLiveHint: "",
    confirmLocalHint: "The address is of this computer; a real store may be behind it.",
  },
  counts: { updated: words.counted, unchanged: "Nothing to do" },
  report: {
    done: (count) => `${words.count(count)} ${words.done}`,
    nothingDone: words.nothing,
    view: {
      all: "All",
      done: words.counted,
      failed: "Failed",
      held: "Waiting",
      unchanged: "Nothing to do",
    },
  },
  list: words.list,
});

const packages = countEn("package", "packages");

export const actionsEn: Readonly<Record<RunActions, ActionTexts>> = {
  answers: toTexts({
    count: countEn("question", "questions"),
    list: "Answers",
    subject: "Question",
    title: "Which answers will be sent?",
    will: "answered",
    done: "answered",
    view: "To answer",
    counted: "Answered",
    more: "Answer",
    making: "Reading the questions again…",
    nothing: "No question was answered",
    noUndo: "Buyers see the answers at once; an answer that was sent cannot be taken back.",
  }),
  packages: toTexts({
    count: packages,
    list: "Orders",
    subject: "Order",
    title: "What will be done with the packages?",
    will: "decided on",
    done: "decided on",
    view: "To do",
    counted: "Done",
    more: "Status",
    making: "Reading the packages again…",
    nothing: "Nothing was done with any package",
    noUndo: "Accepting, postponing and decisions on returns cannot be taken back.",
  }),
  codes: toTexts({
    count: countEn("shipping code", "shipping codes"),
    list: "Shipping codes",
    subject: "Order",
    title: "Which packages get a shipping code?",
    will: "made",
    done: "made",
    view: "Code to make",
    counted: "Code made",
    more: "Shipping",
    making: "Reading the packages again…",
    nothing: "No code was made",
    noUndo: "A shipping code that was made cannot be given back.",
  }),
  templates: toTexts({
    count: countEn("shipping template", "shipping templates"),
    list: "Templates",
    subject: "Template",
    title: "Which templates will change?",
    will: "saved",
    done: "saved",
    view: "To save",
    counted: "Saved",
    more: "Changed",
    making: "Reading the templates again…",
    nothing: "No template was changed",
    noUndo: "A new template cannot be deleted; changes can be written back with another file.",
  }),
};
