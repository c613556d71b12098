/** The displayed order of rows, and the number of rows that need attention. */
export interface Order {
  ids: string[];
  attention: number;
}

/** Sorts `rows` by `order`. Unknown rows come last, in their original order. */
export function arrange<Row extends { id: string }>(rows: Row[], order: Order): Row[] {
  const place = new Map(order.ids.map((id, index) => [id, index]));
  return rows
    .map((row, index) => ({ row, at: place.get(row.id) ?? order.ids.length + index }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);
}

/** The current order of `rows`. */
export function orderOf(rows: { id: string; status: string }[]): Order {
  const needing = ['down', 'degraded', 'unknown'];
  return { ids: rows.map(({ id }) => id), attention: rows.filter(({ status }) => needing.includes(status)).length };
}

/** The number of rows that needed attention when the order was computed. */
export function attentionCount(rows: { id: string }[], order: Order): number {
  const attention = new Set(order.ids.slice(0, order.attention));
  return rows.filter(({ id }) => attention.has(id)).length;
}

/** Whether two orders are equal. */
export function isSameOrder(a: Order, b: Order): boolean {
  return (
    a.attention === b.attention && a.ids.length === b.ids.length && a.ids.every((id, index) => id === b.ids[index])
  );
}
