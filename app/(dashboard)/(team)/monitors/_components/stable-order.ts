/** An order of rows that a person is looking at, and where in it the rows that need attention end. */
export interface Order {
  ids: string[];
  attention: number;
}

/** `rows` as `order` has them; rows it does not know come last, in their own order. */
export function arrange<Row extends { id: string }>(rows: Row[], order: Order): Row[] {
  const place = new Map(order.ids.map((id, index) => [id, index]));
  return rows
    .map((row, index) => ({ row, at: place.get(row.id) ?? order.ids.length + index }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);
}

/** The order `rows` come in. */
export function orderOf(rows: { id: string; status: string }[]): Order {
  const needing = ['down', 'degraded', 'unknown'];
  return { ids: rows.map(({ id }) => id), attention: rows.filter(({ status }) => needing.includes(status)).length };
}

/** How many of the arranged rows stand among those that needed attention when they were put in order. */
export function attentionCount(rows: { id: string }[], order: Order): number {
  const attention = new Set(order.ids.slice(0, order.attention));
  return rows.filter(({ id }) => attention.has(id)).length;
}

/** Whether two orders are the same. */
export function isSameOrder(a: Order, b: Order): boolean {
  return (
    a.attention === b.attention && a.ids.length === b.ids.length && a.ids.every((id, index) => id === b.ids[index])
  );
}
