// The rows of the page: searched as one types, a page of them at a time. Texts go in as text only.

const PAGE_ROWS = 100;
const byId = (id) => document.getElementById(id);
const { texts, rows } = JSON.parse(byId("data").textContent);
const query = byId("query");
const chosen = byId("class");
const body = byId("table").tBodies[0];
let found = rows;
let page = 0;
let haystacks;

// Turkish letters and marks make no difference to a search.
const fold = (text) =>
  text.toLocaleLowerCase("tr").normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("ı", "i");

const toHaystack = ([row, code, kind, product, issues, changes, cells, title]) =>
  fold(
    [row, code, title, texts.words[kind], product, ...issues.flat(), ...changes.flat(), cells].join(
      "\n",
    ),
  );

const fill = (pattern, values) =>
  pattern.replaceAll(/\{(\w+)\}/gu, (_, name) => String(values[name]));

const add = (parent, name, text) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
};

const addIssue = (list, [code, cell, message, advice]) => {
  const item = add(list, "li");
  add(item, "bdi", cell === "" ? message : `${cell}: ${message}`);
  item.append(" ");
  add(item, "code", code);
  if (advice === "") return;
  add(item, "br");
  add(item, "bdi", texts.suggestion + advice).className = "advice";
};

const addChange = (list, [field, before, after]) => {
  const item = add(list, "li");
  add(item, "bdi", `${field}:`);
  item.append(" ");
  add(item, "bdi", before === "" ? "?" : before);
  item.append(" → ");
  add(item, "bdi", after);
};

// A list of actions has no column of product ids.
const hasProducts = byId("table").tHead.rows[0].cells.length > 4;

const addRow = ([row, code, kind, product, issues, changes, , title]) => {
  const line = add(body, "tr");
  line.setAttribute("role", "row");
  add(line, "td", String(row)).className = "number";
  const heading = add(line, "th");
  heading.scope = "row";
  add(heading, "bdi", code);
  if (title) add(heading, "bdi", title).className = "title";
  add(line, "td", texts.words[kind]);
  const explain = add(line, "td");
  explain.className = "explain";
  if (issues.length + changes.length > 0) {
    const list = add(explain, "ul");
    for (const issue of issues) addIssue(list, issue);
    for (const change of changes) addChange(list, change);
  }
  if (hasProducts) add(line, "td", product).className = "product";
  // Where a narrow screen shows rows as blocks, they are still cells to whoever listens.
  for (const cell of line.cells) {
    cell.setAttribute("role", cell === heading ? "rowheader" : "cell");
  }
};

const show = () => {
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  page = Math.min(Math.max(0, page), pages - 1);
  body.replaceChildren();
  for (const row of found.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS)) addRow(row);
  byId("found").textContent = fill(texts.found, { found: found.length, total: rows.length });
  byId("page").textContent = fill(texts.pageOf, { page: page + 1, pages });
  byId("previous").disabled = page === 0;
  byId("next").disabled = page === pages - 1;
};

const search = () => {
  const words = fold(query.value)
    .split(/\s+/u)
    .filter((word) => word !== "");
  if (words.length > 0) haystacks ??= rows.map(toHaystack);
  found = rows.filter(
    (row, index) =>
      (chosen.value === "" || row[2] === Number(chosen.value)) &&
      words.every((word) => haystacks[index].includes(word)),
  );
  page = 0;
  show();
};

// However fast one types, the rows are searched once a frame.
let waiting;
query.addEventListener("input", () => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(search);
});
chosen.addEventListener("change", search);
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
const turn = (step) => {
  page += step;
  show();
  byId("rows").scrollIntoView();
};
byId("previous").addEventListener("click", () => turn(-1));
byId("next").addEventListener("click", () => turn(1));
for (const button of document.querySelectorAll("[data-query]")) {
  button.addEventListener("click", () => {
    query.value = button.dataset.query;
    chosen.value = "";
    search();
    byId("rows").focus();
  });
}
show();
