// SPDX-License-Identifier: MIT
/** Keeps the page on the computer, so that it works without a network. The build fills in the version and the files. */
const version = 'VERSION';
/** @type {string[]} */ const files = [];

const scope = /** @type {any} */ (globalThis);
scope.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(caches.open(version).then((cache) => cache.addAll(files)).then(() => scope.skipWaiting())));
scope.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== version).map((name) => caches.delete(name)))).then(() => scope.clients.claim())));
scope.addEventListener('fetch', (/** @type {any} */ event) => {
    const { request } = event;
    const { scope: own } = scope.registration;
    // Not the files that `mapstone view` serves, because they change.
    if (request.method !== 'GET' || !request.url.startsWith(own) || /[?]/.test(request.url) || request.url.startsWith(`${own}opened`)) return;
    event.respondWith(caches.open(version).then(async (cache) => {
        const known = await cache.match(request, { ignoreSearch: true });
        if (known) return known;
        const response = await fetch(request);
        // Samples are stored once they have been opened.
        if (response.status === 200 && request.url.startsWith(`${own}samples/`)) await cache.put(request, response.clone());
        return response;
    }));
});
