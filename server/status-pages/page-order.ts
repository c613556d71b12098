/**
 * Returns the order in which a page shows its monitors and components. Without a given order, each component keeps its place after the monitor before
 * it.
 * @param former the current order; items missing in `given` follow in this order
 */
export function pageOrder(
  former: string[],
  { monitorIds, componentIds, given }: { monitorIds: string[]; componentIds: string[]; given?: string[] | undefined },
): string[] {
  const [monitors, components] = [new Set(monitorIds), new Set(componentIds)];
  const present = [...former.filter((id) => monitors.has(id) || components.has(id)), ...monitorIds, ...componentIds];
  if (given) return [...new Set([...given, ...present])];
  const followers = new Map<string | null, string[]>();
  let last: string | null = null;
  for (const id of new Set(present)) {
    if (components.has(id)) followers.set(last, [...(followers.get(last) ?? []), id]);
    else last = id;
  }
  return [null, ...monitorIds].flatMap((id) => [...(id === null ? [] : [id]), ...(followers.get(id) ?? [])]);
}
