/** English words of changes that begin and end at set times. */

import type { PeriodTexts } from "./period-tr.ts";

const areOrIs = (what: string): string => (what === "the discount" ? "is" : "are");

export const periodEn: PeriodTexts = {
  title: "Period",
  add: "Set times…",
  fold: "When it begins and ends",
  change: "Change the times",
  remove: "Remove the times",
  save: "Save",
  starts: "Start",
  startChoices: { no: "When it is sent", yes: "At a set time" },
  ends: "End",
  endChoices: { no: "It does not end by itself", yes: "It is taken back at a set time" },
  startTime: "Time of the start",
  endTime: "Time of the end",
  zone: (zone) => (zone === "Europe/Istanbul" ? "Turkish time" : `${zone} time`),
  problems: {
    empty: "Fill in day, month, year and hour.",
    past: "This time has passed. Give one that is ahead.",
    order: "The end must be after the start.",
    skipped: "There is no such hour: the clocks go forward that day. Give another hour.",
    twice: "This hour comes twice: the clocks go back that day. Give another hour.",
  },
  what: {
    all: "the changes",
    discount: "the discount",
    price: "the prices",
    stock: "the stocks",
  },
  willStart: (time, zone) => `It is sent on ${time} (${zone}).`,
  willEnd: (time, zone, what) =>
    `On ${time} (${zone}) ${what} ${areOrIs(what)} taken back; products that are changed again by then are left alone.`,
  endLine: (time, zone, what) => `On ${time} (${zone}) ${what} ${areOrIs(what)} taken back.`,
  mustRun:
    "This program or a worker must be running then; otherwise it is done late, once one runs.",
  addsStay: "Products that are added cannot be taken back.",
  approve: "Approve with its times",
  approved: "Approved",
  states: {
    proposed: "Waits for approval",
    scheduled: "Waits to start",
    open: "Waits for its end",
    late: "Overdue",
    ending: "Being taken back",
    ended: "Ended, taken back",
    left: "Partly taken back",
    idle: "Ended",
    failed: "Taking back stopped",
    started: "Started on time",
  },
  startsOn: (time) => `Starts: ${time}`,
  endsOn: (time) => `Ends: ${time}`,
  changeStart: "Change the start",
  changeEnd: "Change the end",
  cancel: {
    start: {
      go: "Cancel the start",
      title: "Cancel the start?",
      text: "It is not sent by itself; you send it when you like.",
    },
    end: {
      go: "Cancel the end",
      title: "Cancel the end?",
      text: "The changes are not taken back by themselves; they stay in the store.",
    },
  },
  undoNow: "Take back now",
  endRun: "The run that takes it back",
  productEnds: (time, zone, what) => `On ${time} (${zone}) ${what} ${areOrIs(what)} taken back.`,
};
