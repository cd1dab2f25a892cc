
"use strict";
(() => {
  const game = JSON.parse(document.getElementById("data").textContent);
  const LAST = game.steps.length - 1;
  const OPEN = -1;
  const CANVAS_SHOWN = 6;
  const LINES = [
    { colour: "accent", dash: "" },
    { colour: "card-orange", dash: "7 3" },
    { colour: "card-green", dash: "2 3" },
    { colour: "card-violet", dash: "9 3 2 3" },
  ];
  let at = 0;
  let eyes = OPEN;
  let critic = Math.max(0, game.critics.findIndex((one) => one.values));

  const by = (id) => document.getElementById(id);

  // What a record says is put in as text only, never as markup.
  function make(tag, options = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(options)) {
      if (name === "text") node.textContent = value;
      else if (name === "class") node.className = value;
      else node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null));
    return node;
  }

  function drawn(tag, options, text = "") {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(options)) node.setAttribute(name, value);
    node.textContent = text;
    return node;
  }

  const counted = (count) => `${count} card${count === 1 ? "" : "s"}`;
  const breakable = (spec) => spec.replaceAll(/[:=]/g, "$&\u200b");
  const percent = (share) => `${Math.round(100 * share)} %`;

  // Cards

  function card(id, marks = "") {
    const colour = id % 7;
    const letter = game.letters[colour];
    const number = Math.floor(id / 7) + 1;
    const label = `${game.colours[colour]} ${number}`;
    return make(
      "span",
      { class: `card c${colour} ${marks}`, role: "img", "aria-label": label, "data-card": `${letter}${number}` },
      make("span", { class: "letter", text: letter }),
      make("span", { class: "number", text: number }),
    );
  }

  function back(mark = "") {
    const label = mark === "" ? "a card face down" : `${mark} cards face down`;
    return make("span", { class: "card back", role: "img", "aria-label": label }, make("span", { class: "number", text: mark }));
  }

  function startCard() {
    const parts = [make("span", { class: "letter", text: "R" }), make("span", { class: "number", text: "start" })];
    return make("span", { class: "card c6 start", role: "img", "aria-label": "the start card, red" }, ...parts);
  }

  // The table

  function strip(step) {
    const shown = step.canvas.slice(-CANVAS_SHOWN).map((id) => card(id));
    const leader = step.over ? "" : step.leader < 0 ? "nobody leads" : `${game.names[step.leader]} leads`;
    const swatch = make("span", { class: `swatch c${step.rule}` });
    const known = step.top.length ? `, ${step.top.length} known` : "";
    const deck = step.deck ? [back(step.deck)] : [];
    return make(
      "div",
      { class: "panel strip" },
      make(
        "div",
        { id: "canvas" },
        make("p", { class: "note", text: `canvas: ${counted(step.canvas.length)}` }),
        make("div", { class: "row fan" }, ...(shown.length ? shown : [startCard()])),
      ),
      make(
        "div",
        { class: "rule" },
        make("h2", {}, swatch, `The rule is ${game.colours[step.rule]}`),
        make("p", { text: game.ruleWords[step.rule] }),
        make("p", { class: "note", text: `${game.names[step.mover]} ${step.phase}` }),
        make("p", { class: "note", text: leader }),
      ),
      make(
        "div",
        { id: "deck" },
        make("p", { class: "note", text: `deck: ${counted(step.deck)}${known}` }),
        make("div", { class: "row fan" }, ...[...step.top].reverse().map((id) => card(id)), ...deck),
      ),
    );
  }

  function handOf(seat, number) {
    if (eyes === OPEN || eyes === number) return seat.hand.map((id) => card(id));
    const known = seat.hand.filter((id) => seat.known.includes(id));
    return [...known.map((id) => card(id)), ...Array.from({ length: seat.hand.length - known.length }, () => back())];
  }

  function tagsOf(step, number) {
    if (!step.seats[number].in) return [make("span", { class: "tag", text: "out" })];
    const moves = step.mover === number ? [make("span", { class: "tag strong", text: step.over ? "won" : "to move" })] : [];
    return step.leader === number ? [...moves, make("span", { class: "tag", text: "leads" })] : moves;
  }

  function seatPanel(step, number) {
    const seat = step.seats[number];
    const mark = step.leader === number ? "leads" : "counts";
    const palette = seat.palette.map((id) => card(id, seat.set.includes(id) ? mark : ""));
    const notes = [`palette: ${counted(seat.palette.length)}`, `hand: ${counted(seat.hand.length)}`];
    if (game.match) notes.push(`scored: ${counted(seat.scored.length)}, ${seat.points} of ${game.target} points`);
    const state = `${seat.in ? "" : "out"} ${step.mover === number ? "moves" : ""}`;
    return make(
      "article",
      { class: `panel seat ${state}`, "data-seat": number },
      make(
        "div",
        {},
        make("h2", { text: game.names[number], title: game.names[number] }),
        ...tagsOf(step, number),
        ...notes.map((text) => make("p", { class: "note", text })),
      ),
      make(
        "div",
        {},
        make("div", { class: "row palette", "aria-label": "palette", role: "group" }, ...palette),
        make("div", { class: "row hand", "aria-label": "hand", role: "group" }, ...handOf(seat, number)),
      ),
    );
  }

  function showTable(step) {
    const position = make("details", { class: "note" }, make("summary", { text: "position as text" }));
    position.append(make("code", { text: step.position + (step.turn ? `, then ${step.turn}` : "") }));
    by("table").replaceChildren(
      strip(step),
      ...game.names.map((_, number) => seatPanel(step, number)),
      ...(eyes === OPEN ? [position] : []),
    );
  }

  // What is thought of a decision

  function meter(share, text, isChoice) {
    const bar = make("span", {});
    bar.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
    const number = make("span", { text, class: isChoice ? "choice" : "" });
    return make("td", { class: "measured" }, make("span", { class: "meter", "aria-hidden": "true" }, bar), number);
  }

  function opinionCell(opinion, place, move) {
    const isChoice = opinion.choice === move;
    const share = (opinion.worths ?? opinion.chances)?.[place] ?? null;
    if (share === null) return make("td", { text: isChoice ? "would play" : "", class: isChoice ? "choice" : "" });
    return meter(share, opinion.worths ? share.toFixed(2) : percent(share), isChoice);
  }

  function keepsCell(keeps) {
    return make("td", { text: keeps ? "wins" : "loses", class: keeps ? "" : "lost" });
  }

  function rankOf(decision) {
    const judged = decision.opinions.map((one) => one.worths ?? one.chances).find((numbers) => numbers);
    const places = decision.offer.map((_, place) => place);
    return judged ? places.sort((a, b) => (judged[b] ?? -1) - (judged[a] ?? -1) || a - b) : places;
  }

  function moveCell(move, isMade) {
    const [token, words] = game.moves[move];
    const made = isMade ? make("span", { class: "tag strong", text: "played" }) : null;
    return make("td", {}, make("b", { text: `${token} ` }), made, make("span", { class: "words", text: words }));
  }

  function decisionTable(step) {
    const { offer, opinions, keeps } = step.decision;
    const heads = ["move", ...game.critics.map((one) => breakable(one.spec) + (one.seesAll ? " (sees all hands)" : ""))];
    if (keeps) heads.push("open hands");
    const rows = rankOf(step.decision).map((place) => {
      const move = offer[place];
      const cells = [moveCell(move, move === step.move), ...opinions.map((one) => opinionCell(one, place, move))];
      if (keeps) cells.push(keepsCell(keeps[place]));
      return make("tr", { class: move === step.move ? "made" : "" }, ...cells);
    });
    const head = make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { text, scope: "col" }))));
    return make("div", { class: "scroll" }, make("table", {}, head, make("tbody", {}, ...rows)));
  }

  function remarks(step) {
    const { opinions, slip } = step.decision;
    const lines = [];
    opinions.forEach((one, number) => {
      const parts = [];
      if (one.value !== null) parts.push(`expects to win ${percent(one.value)}`);
      if (one.regret !== null) parts.push(one.regret > 0 ? `the move played costs ${one.regret.toFixed(2)}` : "the move played is its best");
      if (parts.length) lines.push(`${game.critics[number].spec}: ${parts.join("; ")}.`);
    });
    if (slip) lines.push(`With open hands ${game.names[step.mover]} gives the win away by this move.`);
    return lines;
  }

  function maySee(step) {
    return eyes === OPEN || eyes === step.mover;
  }

  function showDecision(step) {
    const parts = [];
    if (step.winner !== undefined && eyes === OPEN) {
      parts.push(make("p", { text: `With open hands and no error ${game.names[step.winner]} wins.` }));
    }
    const title = `${game.names[step.mover]} ${step.phase}`;
    if (!step.over && !maySee(step)) {
      parts.push(make("h2", { text: title }), make("p", { class: "note", text: "What is offered is seen by this seat alone." }));
    } else if (step.decision) {
      parts.push(make("h2", { text: `${title}: ${step.decision.offer.length} moves are offered` }), decisionTable(step));
      parts.push(...remarks(step).map((text) => make("p", { class: "note", text })));
    } else if (step.move !== null) {
      const [token, words] = game.moves[step.move];
      parts.push(make("h2", { text: title }), make("p", { class: "note", text: `Only one move is offered: ${token}, ${words}.` }));
    }
    by("decision").className = parts.length ? "panel" : "";
    by("decision").replaceChildren(...parts);
  }

  // The value along the game

  function pointsOf(seat) {
    const points = [];
    game.steps.forEach((step, number) => {
      const value = step.mover === seat && step.decision ? step.decision.opinions[critic].value : null;
      if (value !== null) points.push([number, value]);
    });
    const share = game.winners.includes(seat) ? 1 / game.winners.length : 0;
    return points.length ? [...points, [LAST, share]] : [];
  }

  function curve(width) {
    const height = 150;
    const [left, right, top, bottom] = [46, 10, 10, game.solved && eyes === OPEN ? 34 : 22];
    const x = (step) => left + ((width - left - right) * step) / Math.max(1, LAST);
    const y = (value) => top + (height - top - bottom) * (1 - value);
    const words = "what each seat expects to win, along the game; a press goes to that step";
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
    for (const value of [0, 0.5, 1]) {
      svg.append(drawn("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), stroke: "var(--line)" }));
      svg.append(drawn("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end", "font-size": 12, fill: "var(--muted)" }, percent(value)));
    }
    svg.append(drawn("text", { x: left, y: height - 4, "font-size": 12, fill: "var(--muted)" }, "step 0"));
    svg.append(drawn("text", { x: width - right, y: height - 4, "text-anchor": "end", "font-size": 12, fill: "var(--muted)" }, `${LAST}`));
    if (game.solved && eyes === OPEN) drawVerdicts(svg, x, height - 30);
    game.names.forEach((_, seat) => {
      const line = pointsOf(seat);
      if (!line.length || (eyes !== OPEN && eyes !== seat)) return;
      const { colour, dash } = LINES[seat];
      const path = line.map(([step, value], number) => `${number ? "L" : "M"}${x(step)} ${y(value)}`).join("");
      svg.append(drawn("path", { d: path, fill: "none", stroke: `var(--${colour})`, "stroke-width": 2, "stroke-dasharray": dash }));
      for (const [step, value] of line) svg.append(drawn("circle", { cx: x(step), cy: y(value), r: 2.5, fill: `var(--${colour})` }));
    });
    svg.append(drawn("line", { id: "cursor", x1: x(at), x2: x(at), y1: top - 6, y2: height - bottom + 4, stroke: "var(--ink)", "stroke-width": 1.5 }));
    svg.addEventListener("click", (event) => {
      const place = ((event.clientX - svg.getBoundingClientRect().left) / svg.getBoundingClientRect().width) * width;
      go(Math.round(((place - left) / (width - left - right)) * LAST));
    });
    return svg;
  }

  function drawVerdicts(svg, x, y) {
    game.steps.forEach((step, number) => {
      if (step.winner === undefined) return;
      const wide = Math.max(1, x(number + 1) - x(number));
      svg.append(drawn("rect", { x: x(number), y, width: wide, height: 8, fill: `var(--${LINES[step.winner].colour})` }));
    });
  }

  function legend() {
    const seats = game.names.map((name, seat) => {
      const sample = drawn("svg", { viewBox: "0 0 28 8", "aria-hidden": "true" });
      const { colour, dash } = LINES[seat];
      sample.append(drawn("line", { x1: 0, x2: 28, y1: 4, y2: 4, stroke: `var(--${colour})`, "stroke-width": 3, "stroke-dasharray": dash }));
      return eyes === OPEN || eyes === seat ? make("span", {}, sample, name) : null;
    });
    const band = game.solved && eyes === OPEN ? make("span", { text: "band: who wins with open hands" }) : null;
    return make("div", { class: "legend" }, ...seats, band);
  }

  function showCurve() {
    const place = by("curve");
    const able = game.critics.some((one) => one.values);
    if (!able && !(game.solved && eyes === OPEN && game.critics.length)) return;
    const choose = make("select", { "aria-label": "whose estimate" });
    game.critics.forEach((one, number) => {
      if (one.values) choose.append(make("option", { value: number, text: one.spec }));
    });
    choose.value = critic;
    choose.addEventListener("change", () => {
      critic = Number(choose.value);
      showCurve();
    });
    place.className = "panel";
    const title = make("h2", {}, "What each seat expects to win, says ", able ? choose : "the solver");
    place.replaceChildren(title, curve(Math.max(260, place.clientWidth - 26)), legend());
  }

  // Summary: how often each seat played as an agent would

  function showSummary() {
    if (!game.summary.length) return;
    const heads = ["", ...game.names].map((text) => make("th", { text: breakable(text), scope: "col" }));
    const rows = game.summary.map(({ who, seats }) => make("tr", {}, make("td", { text: breakable(who) }), ...seats.map((text) => make("td", { text }))));
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
    by("summary").className = "panel";
    by("summary").replaceChildren(make("h2", { text: "The whole game" }), make("div", { class: "scroll" }, table));
  }

  // Steps

  function show() {
    const step = game.steps[at];
    showTable(step);
    showDecision(step);
    showCurve();
    by("told").textContent = step.told;
    by("slider").value = at;
    by("slider").setAttribute("aria-valuetext", `${step.when}, step ${at} of ${LAST}`);
    by("where").textContent = `${at} / ${LAST}`;
    by("where").title = step.when;
    by("about").textContent = `${game.rules}, ${step.when}`;
    for (const id of ["first", "back", "turn-back"]) by(id).disabled = at === 0;
    for (const id of ["last", "on", "turn-on"]) by(id).disabled = at === LAST;
    document.body.dataset.step = at;
  }

  function go(step) {
    at = Math.max(0, Math.min(LAST, step));
    remember();
    show();
  }

  function look(seat) {
    eyes = seat;
    by("eyes").value = seat;
    remember();
    show();
  }

  function goTurn(direction) {
    let step = at + direction;
    while (step > 0 && step < LAST && game.steps[step].turn !== "") step += direction;
    go(step);
  }

  // A frame of a notebook may not have an address to keep the step in.
  function remember() {
    try {
      history.replaceState(null, "", `#${at}${eyes === OPEN ? "" : `&see=${eyes}`}`);
    } catch {
      return;
    }
  }

  function recall() {
    const [place, ...rest] = location.hash.slice(1).split("&");
    const see = Number((rest.find((part) => part.startsWith("see=")) ?? "see=-1").slice(4));
    eyes = Number.isInteger(see) && see >= OPEN && see < game.names.length ? see : OPEN;
    const step = place === "last" ? LAST : Number(place);
    at = Number.isInteger(step) ? Math.max(0, Math.min(LAST, step)) : 0;
    by("eyes").value = eyes;
    show();
  }

  const KEYS = {
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    Home: () => go(0),
    End: () => go(LAST),
    PageUp: () => goTurn(-1),
    PageDown: () => goTurn(1),
  };

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement) return;
    const seat = "01234".indexOf(event.key) - 1;
    if (event.key in KEYS) KEYS[event.key]();
    else if (event.key.length === 1 && seat >= OPEN && seat < game.names.length) look(seat);
    else return;
    event.preventDefault();
  }

  function changeTheme() {
    const root = document.documentElement;
    const isDark = getComputedStyle(root).colorScheme === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
  }

  by("title").textContent = game.title;
  by("slider").max = LAST;
  by("eyes").append(make("option", { value: OPEN, text: "all hands" }));
  game.names.forEach((name, seat) => by("eyes").append(make("option", { value: seat, text: `${seat + 1}: ${name}` })));
  by("slider").addEventListener("input", () => go(Number(by("slider").value)));
  by("eyes").addEventListener("change", () => look(Number(by("eyes").value)));
  by("theme").addEventListener("click", changeTheme);
  by("first").addEventListener("click", () => go(0));
  by("last").addEventListener("click", () => go(LAST));
  by("back").addEventListener("click", () => go(at - 1));
  by("on").addEventListener("click", () => go(at + 1));
  by("turn-back").addEventListener("click", () => goTurn(-1));
  by("turn-on").addEventListener("click", () => goTurn(1));
  document.addEventListener("keydown", pressed);
  addEventListener("hashchange", recall);
  addEventListener("resize", showCurve);
  showSummary();
  recall();
})();
