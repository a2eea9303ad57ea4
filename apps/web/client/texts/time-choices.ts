/** The choices of times for a feed, in their order: the pattern of each, and what it is called. */

interface Choice {
  /** @default it follows from what the person enters */
  readonly cron?: string;
  readonly label: { readonly tr: string; readonly en: string };
}

export type TimeChoice = "quarter" | "half" | "hour" | "day" | "own";

export const TIME_CHOICES: ReadonlyMap<TimeChoice, Choice> = new Map([
  ["quarter", { cron: "*/15 * * * *", label: { tr: "15 dakikada bir", en: "Every 15 minutes" } }],
  ["half", { cron: "*/30 * * * *", label: { tr: "30 dakikada bir", en: "Every 30 minutes" } }],
  ["hour", { cron: "0 * * * *", label: { tr: "Saatte bir", en: "Every hour" } }],
  ["day", { label: { tr: "Her gün", en: "Every day" } }],
  ["own", { label: { tr: "Kendi desenim (cron)", en: "Own pattern (cron)" } }],
]);
