/** The cookie that holds whether single-key shortcuts are on: "1" or "0". */
export const keysCookie = 'keys';
