// What pages can do beyond their links and forms: cut anew while settings are typed, keys, and showing
// where a chunk reaches. Without it everything still works.
"use strict";

const form = document.getElementById("cutting");
const pane = document.getElementById("pane");
const dialog = document.getElementById("keys");

// Settings of how a document is cut.

const SETTINGS = ["strategy", "size", "overlap", "unit"];
const PATIENCE = 150;
const UNUSABLE = 422;
let waiting = 0;
let asking = null;
let asked = null;

function settings() {
  const said = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value !== "") said.set(name, value);
  }
  return said;
}

// A strategy has its own defaults, and some take no overlap. The default overlap depends on the size.
function fitFields() {
  const { strategy, size, overlap, unit } = form.elements;
  const { dataset, value } = strategy.selectedOptions[0];
  const isStored = value === "stored";
  size.placeholder = dataset.size ?? "–";
  overlap.placeholder = pane.querySelector(".how")?.dataset.overlap ?? "–";
  size.disabled = unit.disabled = isStored;
  overlap.disabled = isStored || value === "sections";
}

// Links on the page keep the settings that are shown.
function fitLinks(said) {
  for (const link of document.querySelectorAll("a[data-keep]")) {
    const address = new URL(link.href);
    for (const name of SETTINGS) {
      if (said.has(name)) address.searchParams.set(name, said.get(name));
      else address.searchParams.delete(name);
    }
    link.href = address;
  }
}

async function cut() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const said = settings();
  pane.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`${form.dataset.pane}?${said}`, { signal });
    const html = await answer.text();
    if (signal.aborted) return;
    // Settings that cannot be used are named in a pane of their own; other failures have a whole page.
    if (!answer.ok && answer.status !== UNUSABLE) throw new Error(answer.statusText);
    // The server escapes what documents say, as it does in the page itself.
    pane.innerHTML = html;
    history.replaceState(null, "", `${form.getAttribute("action")}?${said}`);
    fitLinks(said);
    fitFields();
  } catch (error) {
    if (error.name === "AbortError") return;
    pane.textContent = "The server cannot show this now. Try again, or load the page anew.";
  }
  pane.removeAttribute("aria-busy");
}

// A field that is left says again that it changed.
function cutSoon() {
  fitFields();
  const said = settings().toString();
  if (said === asked) return;
  asked = said;
  clearTimeout(waiting);
  waiting = setTimeout(cut, PATIENCE);
}

if (form && pane) {
  form.addEventListener("input", cutSoon);
  form.addEventListener("change", cutSoon);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    cut();
  });
  // A page that comes back has the fields as they were left.
  fitFields();
  asked = settings().toString();
}

// Where a chunk reaches.

function light(numbers) {
  for (const lit of pane.querySelectorAll(".lit")) lit.classList.remove("lit");
  if (numbers === null) return;
  for (const run of pane.querySelectorAll(`[data-c~="${CSS.escape(numbers)}"]:not(.mark)`)) {
    run.classList.add("lit");
  }
}

if (pane) {
  for (const [begins, ends] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
    pane.addEventListener(begins, (event) => {
      const mark = event.target.closest?.(".mark");
      if (mark) light(mark.dataset.c);
    });
    pane.addEventListener(ends, (event) => {
      if (event.target.closest?.(".mark")) light(null);
    });
  }
}

// Keys.

function isTyping(target) {
  return target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea") !== null;
}

function step(selector, by) {
  const steps = [...document.querySelectorAll(selector)].filter((at) => at.checkVisibility());
  if (steps.length === 0) return;
  let at = steps.indexOf(document.activeElement);
  if (at < 0) at = steps.findIndex((link) => link.hasAttribute("aria-current"));
  if (at < 0) at = by > 0 ? -1 : steps.length;
  const next = steps[Math.min(Math.max(at + by, 0), steps.length - 1)];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

const KEYS = {
  "/": () => {
    const field = document.getElementById("q");
    field?.focus();
    field?.select();
  },
  "?": () => dialog.showModal(),
  g: () => location.assign("/"),
  j: () => step("[data-step]", 1),
  k: () => step("[data-step]", -1),
  n: () => step(".mark", 1),
  p: () => step(".mark", -1),
};

const ARROWS = { ArrowDown: 1, ArrowUp: -1 };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (!dialog.open) document.activeElement?.blur();
    return;
  }
  if (dialog.open || isTyping(event.target)) return;
  if (event.key in KEYS) {
    event.preventDefault();
    KEYS[event.key]();
  } else if (event.key in ARROWS && event.target.matches("[data-step], .mark")) {
    event.preventDefault();
    step(event.target.matches(".mark") ? ".mark" : "[data-step]", ARROWS[event.key]);
  }
});

const help = document.querySelector("[data-keys]");
help.hidden = false;
help.addEventListener("click", () => dialog.showModal());
