// @ts-check
// Loaded into web and worker by the start script (node --import): ends them if the start script is killed.

const PATIENCE_MS = 5_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), PATIENCE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
// A channel with a listener would keep an idle process alive.
process.channel?.unref();
