/**
 * The number formats that a workbook names by number without writing them out: ECMA-376 part 1,
 * 18.8.30. Those with a currency depend on the machine; programs that name them without a code of
 * their own mean the dollar that the libraries know them by, and Excel always writes a code.
 */

const ACCOUNTING = '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)';
const ACCOUNTING_2 = '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)';
const DOLLARS = '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)';
const DOLLARS_2 = '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)';

/** Codes by number, without 0, which is General. */
export const BUILT_IN_CODES: ReadonlyMap<number, string> = new Map([
  [1, "0"],
  [2, "0.00"],
  [3, "#,##0"],
  [4, "#,##0.00"],
  [5, '"$"#,##0_);\\("$"#,##0\\)'],
  [6, '"$"#,##0_);[Red]\\("$"#,##0\\)'],
  [7, '"$"#,##0.00_);\\("$"#,##0.00\\)'],
  [8, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)'],
  [9, "0%"],
  [10, "0.00%"],
  [11, "0.00E+00"],
  [12, "# ?/?"],
  [13, "# ??/??"],
  [14, "m/d/yy"],
  [15, "d-mmm-yy"],
  [16, "d-mmm"],
  [17, "mmm-yy"],
  [18, "h:mm AM/PM"],
  [19, "h:mm:ss AM/PM"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [22, "m/d/yy h:mm"],
  [37, "#,##0_);\\(#,##0\\)"],
  [38, "#,##0_);[Red]\\(#,##0\\)"],
  [39, "#,##0.00_);\\(#,##0.00\\)"],
  [40, "#,##0.00_);[Red]\\(#,##0.00\\)"],
  [41, ACCOUNTING],
  [42, DOLLARS],
  [43, ACCOUNTING_2],
  [44, DOLLARS_2],
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mm:ss.0"],
  [48, "##0.0E+0"],
  [49, "@"],
]);

/**
 * Whether a built-in number is a date; East Asian ones are included, which have no code here. Number
 * 46 is a duration.
 */
export const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) ||
  (id >= 27 && id <= 36) ||
  id === 45 ||
  id === 47 ||
  (id >= 50 && id <= 58);
