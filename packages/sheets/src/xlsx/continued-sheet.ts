/** Names of the sheets on which a table goes on that is too long for one. */

/** End of the name of the first such sheet, of the second one and so on. */
export const continuationMark = (number: number): string => ` (+${number})`;

/** The name of the sheet that a sheet continues; any other name is returned as it is. */
export const continuedName = (name: string): string => name.replace(/ \(\+\d+\)$/u, "");
