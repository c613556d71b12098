/** The golden ratio's fraction: its multiples spread evenly, however many there are. */
export const GOLDEN = 0.6180339887498949;
