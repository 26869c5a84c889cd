"use strict";
// Shows reviewed games. All that comes from the games is put on the page as text, never as HTML.

const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const NAMES = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" };
const WORDS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
const CELL = 45;

let game = null; // what is shown
let ply = 0; // moves that have been played
let line = null; // {steps, step, from}: a line of the engine, as far as it is shown
let isFlipped = false;

const by = (id) => document.getElementById(id);

function make(tag, text, attributes = {}) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function draw(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)}%`;
const square = (name) => name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);

// --- The board -------------------------------------------------------------------------------------------------

function changed(board, change) {
  const copy = board.slice();
  for (let at = 0; at < change.length; at += 3) copy[square(change.slice(at, at + 2))] = change[at + 2];
  return copy;
}

function boardNow() {
  let board = game.start.board.split("");
  for (const move of game.moves.slice(0, line ? line.from : ply)) board = changed(board, move.change);
  if (line) for (const step of line.steps.slice(0, line.step)) board = changed(board, step[3]);
  return board;
}

function place(index) {
  const file = index % 8;
  const rank = index >> 3;
  return isFlipped ? [(7 - file) * CELL, rank * CELL] : [file * CELL, (7 - rank) * CELL];
}

function showBoard() {
  const board = by("board");
  const last = line ? line.steps[line.step - 1][2] : ply ? game.moves[ply - 1].uci : null;
  board.replaceChildren();
  for (let index = 0; index < 64; index += 1) {
    const [x, y] = place(index);
    const tone = (index + (index >> 3)) % 2 ? "light" : "dark";
    board.append(draw("rect", { x, y, width: CELL, height: CELL, class: `square-${tone}` }));
    const isMarked = last && [last.slice(0, 2), last.slice(2, 4)].some((name) => square(name) === index);
    if (isMarked) board.append(draw("rect", { x, y, width: CELL, height: CELL, class: "square-last" }));
    if (y === 7 * CELL) coordinate(board, x + CELL - 6, y + CELL - 3, "abcdefgh"[index % 8], tone);
    if (x === 0) coordinate(board, 2, y + 9, String((index >> 3) + 1), tone);
  }
  boardNow().forEach((letter, index) => {
    if (letter === ".") return;
    const [x, y] = place(index);
    const side = letter === letter.toUpperCase() ? "white" : "black";
    board.append(draw("use", { href: `#${side}-${NAMES[letter.toUpperCase()]}`, transform: `translate(${x} ${y})` }));
  });
  const move = ply ? game.moves[ply - 1] : null;
  if (!line && move && move.judgment && move.better.length) arrow(board, move.better[0][2], "");
  board.setAttribute("aria-label", ply ? `Board after ${move.number} ${move.san}` : "Board at the start");
}

function coordinate(board, x, y, text, tone) {
  const element = draw("text", { x, y, class: `coordinate on-${tone}` });
  element.textContent = text;
  board.append(element);
}

function arrow(board, uci, kind) {
  const [x1, y1] = place(square(uci.slice(0, 2))).map((value) => value + CELL / 2);
  const [x2, y2] = place(square(uci.slice(2, 4))).map((value) => value + CELL / 2);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [endX, endY] = [x2 - 14 * dx, y2 - 14 * dy];
  const head = `${x2},${y2} ${endX - 9 * dy},${endY + 9 * dx} ${endX + 9 * dy},${endY - 9 * dx}`;
  const group = draw("g", { class: `arrow ${kind}` });
  group.append(draw("path", { d: `M${x1} ${y1}L${endX} ${endY}`, "stroke-width": 7 }));
  group.append(draw("polygon", { points: head, stroke: "none" }));
  board.append(group);
}

function showBar() {
  const move = ply ? game.moves[ply - 1] : null;
  const share = (move ? move.percent : game.start.percent) / 100;
  const [win, drawn, loss] = move ? move.wdl : [share, 0, 1 - share];
  by("bar-white").style.flexGrow = win;
  by("bar-draw").style.flexGrow = drawn;
  by("bar-black").style.flexGrow = loss;
  by("bar").classList.toggle("flipped", isFlipped);
  by("bar").setAttribute("aria-label", `White wins ${percent(win)}, draw ${percent(drawn)}, Black wins ${percent(loss)}`);
  by("bar").title = by("bar").getAttribute("aria-label");
}

// --- The move at hand --------------------------------------------------------------------------------------------

function showNow() {
  const now = by("now");
  now.replaceChildren();
  if (!ply) {
    now.append(make("h2", `Start position (${game.start.score})`));
    now.append(make("p", turningText()));
    return;
  }
  const move = game.moves[ply - 1];
  const title = make("h2", `${move.number} ${move.san}`);
  if (move.judgment) title.append(make("span", move.judgment, { class: WORDS[move.judgment] }));
  title.append(make("span", ` ${move.score}`));
  now.append(title);
  now.append(make("p", verdict(move), { class: move.judgment ? WORDS[move.judgment] : "" }));
  if (move.comment) now.append(make("p", move.comment, { class: "comment" }));
  if (move.better.length) now.append(lineOf("Better:", move.better, ply - 1));
  if (move.reply.length) now.append(lineOf(move.judgment ? "Refuted by:" : "Expected:", move.reply, ply));
  if (move.people) now.append(peopleTable(move));
}

function verdict(move) {
  const isTurning = ply === game.turning ? " This was the turning point." : "";
  if (move.judgment) {
    const word = WORDS[move.judgment];
    const article = word === "inaccuracy" ? "An" : "A";
    return `${article} ${word}: it cost ${move.lost} points of win percentage. ${move.best} was best.${isTurning}`;
  }
  if (move.best === move.san) return `The engine's choice.${isTurning}`;
  return `Accuracy ${move.accuracy}.${isTurning}`;
}

function turningText() {
  if (!game.turning) return "No single move decided the game.";
  const move = game.moves[game.turning - 1];
  return `The turning point was ${move.number} ${move.san}${move.judgment || ""}.`;
}

function lineOf(label, steps, from) {
  const paragraph = make("p");
  paragraph.append(make("span", label, { class: "label" }));
  steps.forEach((step, index) => {
    const button = make("button", step[0] ? `${step[0]} ${step[1]}` : step[1], { type: "button" });
    if (line && line.steps === steps && line.step === index + 1) button.className = "is-shown";
    button.addEventListener("click", () => {
      line = { steps, step: index + 1, from };
      show();
    });
    paragraph.append(button, " ");
  });
  return paragraph;
}

function peopleTable(move) {
  const box = make("div");
  const found = move.people;
  const best = found.best === null ? "" : `, the engine's move ${percent(found.best)}`;
  box.append(make("p", `Of players rated ${game.human}, ${percent(found.played)} play ${move.san}${best}.`));
  const table = make("table");
  table.append(row("th", ["They play", "how often", "cost (points)", ""]));
  for (const choice of found.usual) {
    const cost = choice.loss_percent === null ? "" : choice.loss_percent.toFixed(1);
    const note = found.traps.includes(choice.san) ? "popular and losing" : "";
    table.append(row("td", [choice.san, percent(choice.share), cost, note]));
  }
  box.append(table);
  return box;
}

function row(tag, cells) {
  const element = make("tr");
  for (const cell of cells) element.append(make(tag, cell));
  return element;
}

// --- The game ----------------------------------------------------------------------------------------------------

function show() {
  showBoard();
  showBar();
  showNow();
  const buttons = by("moves").querySelectorAll("button");
  buttons.forEach((button, index) => button.setAttribute("aria-current", String(index + 1 === ply)));
  const current = buttons[ply - 1];
  const list = by("moves");
  if (current && list.scrollHeight > list.clientHeight + 1) {
    const [top, height] = [current.offsetTop - list.offsetTop, current.offsetHeight];
    if (top < list.scrollTop || top + height > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }
  const cursor = by("graph").querySelector(".cursor");
  const view = by("graph").querySelector("svg").viewBox.baseVal;
  const x = (view.width * ply) / Math.max(1, game.moves.length);
  cursor.setAttribute("d", `M${Math.min(Math.max(x, 1), view.width - 1)} 0V${view.height - 20}`);
  history.replaceState(null, "", `#${data.games.indexOf(game) + 1}.${ply}`);
}

function go(to) {
  line = null;
  ply = Math.max(0, Math.min(game.moves.length, to));
  show();
}

function step(direction) {
  if (!line) return go(ply + direction);
  line.step += direction;
  line.step = Math.min(line.step, line.steps.length);
  if (line.step < 1) return go(line.from);
  return show();
}

function mistake(direction) {
  for (let to = ply + direction; to > 0 && to <= game.moves.length; to += direction) {
    if (game.moves[to - 1].judgment) return go(to);
  }
  return undefined;
}

const ACTIONS = {
  first: () => go(0),
  last: () => go(game.moves.length),
  back: () => step(-1),
  forward: () => step(1),
  mistake: () => mistake(1),
  previous: () => mistake(-1),
  flip: () => {
    isFlipped = !isFlipped;
    showSides();
    show();
  },
  leave: () => line && go(line.from),
};
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "first", ArrowDown: "last", Home: "first", End: "last",
  n: "mistake", p: "previous", f: "flip", Escape: "leave" };

function showSides() {
  const [above, below] = isFlipped ? [game.white, game.black] : [game.black, game.white];
  for (const [id, side] of [["black-side", above], ["white-side", below]]) {
    const accuracy = side.accuracy === null ? "" : `accuracy ${side.accuracy.toFixed(1)}%`;
    const loss = side.average_loss === null ? "" : `average loss ${Math.round(side.average_loss)} cp`;
    const errors = `?! ${side.inaccuracies}  ·  ? ${side.mistakes}  ·  ?? ${side.blunders}`;
    by(id).replaceChildren(make("b", side.name), ...[accuracy, loss, errors].map((text) => make("span", text)));
  }
}

function showMoves() {
  const items = [];
  game.moves.forEach((move, index) => {
    const isWhite = !move.number.endsWith("...");
    if (isWhite || !index) {
      const item = make("li");
      item.append(make("span", move.number.replace("...", "."), { class: "number" }));
      if (!isWhite) item.append(make("span", "…"));
      items.push(item);
    }
    const button = make("button", move.san, { type: "button" });
    if (move.judgment) button.append(make("b", move.judgment, { class: WORDS[move.judgment] }));
    button.addEventListener("click", () => go(index + 1));
    items[items.length - 1].append(button);
  });
  by("moves").replaceChildren(...items);
}

function showPhases() {
  const phases = [...new Set([...Object.keys(game.white.phases), ...Object.keys(game.black.phases)])];
  const cell = (side, phase) => {
    const found = side.phases[phase];
    return found ? `${found.accuracy.toFixed(0)}% (${found.moves} moves)` : "";
  };
  const head = make("thead");
  head.append(row("th", ["Accuracy", "White", "Black"]));
  const body = make("tbody");
  for (const phase of phases) body.append(row("td", [phase, cell(game.white, phase), cell(game.black, phase)]));
  by("phases").replaceChildren(head, body);
}

function open(index, at = 0) {
  game = data.games[index];
  by("title").textContent = `${game.white.name} – ${game.black.name}  ${game.result}`;
  const facts = [...game.tags.map(([tag, value]) => `${tag}: ${value}`), game.opening, `Judged by ${game.judge}`];
  by("facts").textContent = facts.filter(Boolean).join(" · ");
  by("graph").replaceChildren(by(`graph-${index}`).content.cloneNode(true));
  for (const mark of by("graph").querySelectorAll("[data-ply]")) {
    mark.addEventListener("click", () => go(Number(mark.dataset.ply)));
  }
  by("games").querySelectorAll("tbody tr").forEach((item) => {
    item.setAttribute("aria-current", String(Number(item.dataset.game) === index));
  });
  showSides();
  showMoves();
  showPhases();
  go(at);
}

// --- Many games --------------------------------------------------------------------------------------------------

function showList() {
  if (data.games.length < 2) return;
  by("list").hidden = false;
  by("list").open = true;
  by("list-title").textContent = `${data.games.length} games`;
  by("games").tHead.append(row("th", ["", "White", "Black", "Result", "Accuracy", "?! ? ?? (White)", "(Black)", "Opening"]));
  const number = (value) => (value === null ? "" : value.toFixed(1));
  data.games.forEach((each, index) => {
    const errors = (side) => `${side.inaccuracies} ${side.mistakes} ${side.blunders}`;
    const item = row("td", ["", each.white.name, each.black.name, each.result,
      `${number(each.white.accuracy)} / ${number(each.black.accuracy)}`, errors(each.white), errors(each.black), each.opening]);
    const button = make("button", `${index + 1}.`, { type: "button" });
    item.firstChild.append(button);
    item.dataset.game = index;
    item.addEventListener("click", () => open(index));
    by("games").tBodies[0].append(item);
  });
  by("players").tHead.append(row("th", ["Player", "Games", "Points", "Accuracy", "Average loss", "?!", "?", "??"]));
  for (const one of data.players) {
    by("players").tBodies[0].append(row("td", [one.name, one.games, one.points, number(one.accuracy),
      number(one.average_loss), one.inaccuracies, one.mistakes, one.blunders]));
  }
  by("filter").addEventListener("input", () => {
    const wanted = by("filter").value.toLowerCase();
    for (const item of by("games").tBodies[0].rows) item.hidden = !item.textContent.toLowerCase().includes(wanted);
  });
}

document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  ACTIONS[action]();
});
for (const button of document.querySelectorAll("[data-go]")) {
  button.addEventListener("click", () => ACTIONS[button.dataset.go]());
}

showList();
const [wantedGame, wantedPly] = location.hash.slice(1).split(".").map(Number);
open(data.games[wantedGame - 1] ? wantedGame - 1 : 0, wantedPly || 0);
