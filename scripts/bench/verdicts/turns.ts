/** A heap ordered by time, which returns the next turn. */
export class Turns<Turn extends { at: number }> {
  private readonly heap: Turn[] = [];

  add(turn: Turn): void {
    const { heap } = this;
    let index = heap.push(turn) - 1;
    for (let above = (index - 1) >> 1; index > 0 && this.atOf(above) > turn.at; above = (index - 1) >> 1) {
      heap[index] = heap[above] ?? turn;
      index = above;
    }
    heap[index] = turn;
  }

  takeNext(): Turn | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return last;
    let index = 0;
    for (let below = 1; below < heap.length; below = 2 * index + 1) {
      if (this.atOf(below + 1) < this.atOf(below)) below += 1;
      if (this.atOf(below) >= last.at) break;
      heap[index] = heap[below] ?? last;
      index = below;
    }
    heap[index] = last;
    return first;
  }

  private atOf(index: number): number {
    return this.heap[index]?.at ?? Number.POSITIVE_INFINITY;
  }
}
