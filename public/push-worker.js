// The service worker of browser push: it shows what server/notifications/providers/web-push sends, and opens the incident.

self.addEventListener('push', (event) => {
  const { title, body, url, acknowledgeUrl, tag } = event.data.json();
  const options = {
    body,
    tag,
    // A later message about the same incident replaces the earlier one, and sounds again.
    renotify: true,
    icon: '/icon-192.png',
    data: { url, acknowledgeUrl },
    actions: acknowledgeUrl ? [{ action: 'acknowledge', title: 'Acknowledge' }] : [],
  };
  event.waitUntil(self.registration.showNotification(title, options));
});

async function open(url) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find((each) => each.url === url);
  return shown ? shown.focus() : self.clients.openWindow(url);
}

self.addEventListener('notificationclick', (event) => {
  const { url, acknowledgeUrl } = event.notification.data;
  event.notification.close();
  // The page asks before it acknowledges.
  event.waitUntil(open(event.action === 'acknowledge' && acknowledgeUrl ? acknowledgeUrl : url));
});
