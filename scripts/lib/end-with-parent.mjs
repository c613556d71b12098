// @ts-check
// Loaded into web and worker by the start script (node --import): where the start script is killed, they end as well.

const PATIENCE_MS = 5_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), PATIENCE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
// A channel that is listened on would keep a process alive that has nothing left to do.
process.channel?.unref();
