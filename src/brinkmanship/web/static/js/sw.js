/* Service worker: shows push messages, and keeps what can be read without a connection. The server puts in front of it
   VERSION, SHELL (static files and the offline page) and BOOKS (pages of rules, cards and lessons).

   A page is never kept as it was shown: it is fetched once more without cookies, so nothing of a user or a game is
   stored. Only pages of BOOKS are. */
"use strict";

const LANGUAGE = new URL(location).searchParams.get("lang") ?? "en";
const CACHE = `brink-${VERSION}-${LANGUAGE}`;
const OFFLINE = "/offline";
const ICON = SHELL.find((path) => path.includes("icon-192"));

const isBook = (path) => BOOKS.some((book) => path === book || path.startsWith(`${book}/`));
const asStranger = (path) => new Request(path, { credentials: "omit", headers: { "Accept-Language": LANGUAGE, Accept: "text/html" } });

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  await Promise.all(SHELL.map((path) => keep(cache, path)));
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
})()));

addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(request, search ? "" : pathname, event));
});

async function file(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && answer.headers.get("Cache-Control")?.includes("immutable")) await cache.put(request, answer.clone());
  return answer;
}

async function page(request, path, event) {
  const cache = await caches.open(CACHE);
  const kept = isBook(path) ? await cache.match(path) : undefined;
  try {
    const answer = await fetch(request);
    if (answer.ok && isBook(path) && !kept) event.waitUntil(keep(cache, path));
    return answer;
  } catch {
    return kept ?? await cache.match(OFFLINE) ?? Response.error();
  }
}

async function keep(cache, path) {
  try {
    const answer = await fetch(asStranger(path));
    if (answer.ok && !answer.redirected) await cache.put(path, answer);
  } catch { /* it is kept another time */ }
}

addEventListener("push", (event) => {
  const { title, body, path, tag } = event.data.json();
  event.waitUntil((async () => {
    const tabs = await clients.matchAll({ type: "window" });
    if (tabs.some((tab) => tab.visibilityState === "visible" && new URL(tab.url).pathname === path)) return;
    await registration.showNotification(title, { body, tag, icon: ICON, badge: ICON, data: path, lang: LANGUAGE });
  })());
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = event.notification.data;
  event.waitUntil((async () => {
    const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = tabs.find((tab) => new URL(tab.url).pathname === path);
    await (open ? open.focus() : clients.openWindow(path));
  })());
});
