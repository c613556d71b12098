export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** An address family: 4 or 6 for addresses of that family only; 0 for both. */
export type Family = 0 | 4 | 6;
