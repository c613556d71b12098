/** Runs once in the web process, before the first request. */
export async function register(): Promise<void> {
  // Next builds this for another runtime too, which it never starts here; what follows is left out of that.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { serveStatusPages } = await import('@/server/api/status-server');
    serveStatusPages();
    const { startRecordingListening } = await import('@/server/api/listening');
    startRecordingListening();
    const { endWhenOutdated } = await import('@/server/api/end-when-outdated');
    endWhenOutdated();
  }
}
