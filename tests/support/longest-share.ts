/** The longest CPU time that work takes of the thread without a pause, as a share of all that it takes. */
export async function longestShare(work: () => Promise<unknown>): Promise<number> {
  const cpuMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const from = cpuMs();
  let [last, longest, isOver] = [from, 0, false];
  const turn = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return Math.max(longest, cpuMs() - last) / (cpuMs() - from);
}
