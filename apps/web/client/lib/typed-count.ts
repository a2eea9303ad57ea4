/** A number that a person types to approve it, with or without marks between thousands. */
export const isTypedCount = (typed: string, count: number): boolean =>
  /^\d[\d.,\s]*$/u.test(typed.trim()) && Number(typed.replaceAll(/\D/gu, "")) === count;
