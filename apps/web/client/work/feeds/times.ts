/** Choices of times and the cron patterns that they stand for. */

/** A choice; `day` has a time of the day, `own` a pattern. */
export const TIME_CHOICES = ["quarter", "half", "hour", "day", "own"] as const;
export type TimeChoice = (typeof TIME_CHOICES)[number];

/** What a person has chosen. */
export interface Times {
  readonly choice: TimeChoice;
  /** `HH:MM`. */
  readonly at: string;
  readonly own: string;
}

const PATTERNS = { quarter: "*/15 * * * *", half: "*/30 * * * *", hour: "0 * * * *" } as const;

export const isTimeChoice = (text: string): text is TimeChoice =>
  TIME_CHOICES.some((choice) => choice === text);

/** The pattern of a choice; empty where the choice is not complete. */
export const toCron = ({ choice, at, own }: Times): string => {
  if (choice === "own") return own.trim();
  if (choice !== "day") return PATTERNS[choice];
  const [hour = "", minute = ""] = at.split(":");
  return hour === "" || minute === "" ? "" : `${Number(minute)} ${Number(hour)} * * *`;
};

const DAILY = /^(?<minute>\d{1,2}) (?<hour>\d{1,2}) \* \* \*$/u;
const FIRST = { at: "09:00", own: "" };

/** The choice that a pattern stands for. */
export const toTimes = (cron: string): Times => {
  const choice = TIME_CHOICES.find(
    (one) => one !== "day" && one !== "own" && PATTERNS[one] === cron,
  );
  if (choice !== undefined) return { ...FIRST, choice };
  const { hour, minute } = DAILY.exec(cron)?.groups ?? {};
  if (hour === undefined || minute === undefined) return { ...FIRST, choice: "own", own: cron };
  return { ...FIRST, choice: "day", at: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}` };
};

/** Whether the start may be moved by some minutes. */
export const isSpread = ({ choice }: Times): boolean => choice !== "day" && choice !== "own";
