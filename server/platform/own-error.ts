/**
 * The base of our error classes. A process holds several copies of a module, because Next bundles pages, route handlers and the start of the process
 * separately, and they share connections and requests: an error of one copy is caught by another. `instanceof` therefore compares `kind`, not
 * identity.
 */
export abstract class OwnError extends Error {
  /** The name of the class, unique in the product; bundlers shorten the class's own. Each class declares it. */
  static readonly kind: string = 'OwnError';

  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.kind;
  }

  static override [Symbol.hasInstance](thrown: unknown): boolean {
    if (!(typeof thrown === 'object' && thrown !== null)) return false;
    let made = Object.getPrototypeOf(thrown);
    // biome-ignore lint/complexity/noThisInStatic: each subclass compares its own kind.
    while (made !== null && made.constructor?.kind !== this.kind) made = Object.getPrototypeOf(made);
    return made !== null;
  }
}
