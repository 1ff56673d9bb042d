/* What a screen reader is told: at once, or when a key asks for it. Texts come from the page, so they are of one source. */
"use strict";

const MOST_CHOICES = 12;  // more are not read out; the list behind "?" has them all

/* Tell a text once, politely; urgent ones interrupt. A repeated text differs by a space, otherwise it would be silent. */
function tell(text, isUrgent = false) {
  const region = $(isUrgent ? "#alert" : "#live");
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

const plain = (element) => element?.textContent.trim().replace(/\s+/g, " ") ?? "";
const sentences = (texts) => texts.filter(Boolean).map((text) => text.replace(/\.$/, "")).join(". ");

/* The keys of a choice: those of its thing, then its own or its number. */
function keysOf(button, buttons) {
  const { at = "", key, count } = button.dataset;
  const isAlone = at && buttons.filter((one) => one.dataset.at === at).length === 1;
  return [...at, ...(isAlone ? "" : key ?? (at && count ? String(Math.abs(count)) : ""))].join(" ").toUpperCase();
}

/* Each choice in words with its keys, "" for one that is reached with the arrows only. */
function choicesWithKeys() {
  const buttons = $$("#choices button[name=action]");
  return [
    ...buttons.map((button) => [keysOf(button, buttons), button.getAttribute("aria-label") ?? button.dataset.say]),
    ...$$("#choices [data-steps] fieldset").flatMap(answersOf),
  ];
}

/* The answers of one of several questions asked side by side. */
function answersOf(row) {
  const asked = plain($("legend", row));
  return $$("label", row).map((label, at) => [String(at + 1), `${asked}: ${plain(label)}`]).filter((one, at) => !$$("input", row)[at].disabled);
}

function cardInWords(card) {
  const strength = $(".strength", card)?.getAttribute("aria-label");
  return [plain($(".title", card)), plain($(".colour .word", card)), strength, plain($(".owner", card))].filter(Boolean).join(", ");
}

const spoken = {
  question() {
    const choices = choicesWithKeys(), { choices: title } = $("#live").dataset;
    const said = choices.slice(0, MOST_CHOICES).map(([keys, text]) => keys ? `${keys}: ${text}` : text);
    return sentences([plain($("#prompt")), plain($(".aim")), choices.length ? `${title}: ${choices.length}` : "", ...said]);
  },
  state() { return sentences($$("#board-text h3:first-of-type + ul > li").map(plain)); },
  hand() {
    const cards = $$(":is(.hands, .lesson-hand, .answers) .face, .answers > li").filter((card) => $(".title", card));
    return sentences([...new Set(cards)].map(cardInWords)) || $("#live").dataset.noCards;
  },
  last() { return sentences($$(":is(#recap, .happening) .log > li").map(plain)) || $("#live").dataset.noEvents; },
};

/* Obey a key that asks to hear something, or that goes to the board in words; return true if it was one. */
function hear(latin) {
  if (latin === "Q") tell(spoken.question());
  else if (latin === "S") tell(spoken.state());
  else if (latin === "C") tell(spoken.hand());
  else if (latin === "L") tell(spoken.last());
  else if (latin === "B") toBoardText();
  else return false;
  return true;
}

function toBoardText() {
  const tab = $("#tab-text");
  if (tab?.getClientRects().length) tab.click();
  $("#board-text-title").focus();
}

/* The list of all choices with their keys. */
function answerKeys() {
  const box = document.createElement("section"), list = document.createElement("dl"), title = document.createElement("h3");
  const { choices, noChoices } = $("#live").dataset, found = choicesWithKeys();
  box.className = "answer-keys";
  box.setAttribute("aria-labelledby", title.id = "answer-keys-title");
  title.textContent = found.length ? choices : noChoices;
  for (const [keys, text] of found) {
    const key = document.createElement("dt"), told = document.createElement("dd");
    key.append(Object.assign(document.createElement("kbd"), { textContent: keys || "↓" }));
    told.textContent = text;
    list.append(key, told);
  }
  box.append(title, list);
  return box;
}
